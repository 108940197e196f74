#!/usr/bin/env bash
# The test command: installs what is missing, builds, runs every ctest but the label nightly.
set -euo pipefail
cd "$(dirname "$0")/.."
# The eight archs are compiled once in CI; everyday builds compile three.
options=()
[ -n "${CI:-}" ] && options+=(-DW4_ALL_ARCHS=ON)
./ci/build.sh dev "${options[@]}"
ctest --preset dev -LE nightly -j"$(nproc)"
