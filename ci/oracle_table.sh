#!/usr/bin/env bash
# Writes docs/oracles.md: every oracle on every fault, and on clean runs. Minutes; the same on every
# machine.
set -euo pipefail
cd "$(dirname "$0")/.."
./ci/build.sh release
build/release/bin/w4oracles >docs/oracles.md.new
mv docs/oracles.md.new docs/oracles.md
