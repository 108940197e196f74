#!/usr/bin/env bash
# ci/build.sh [PRESET] [CMAKE OPTIONS…]: set up, configure and build one preset (default dev).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-dev}
shift || true
start=$SECONDS
./ci/setup.sh
installed=$SECONDS
cmake --preset "$preset" "$@" >/dev/null
cmake --build --preset "$preset" --target w4_device_objects
objects=$SECONDS
cmake --build --preset "$preset" -- -k 0
echo "build: install $((installed - start)) s, device objects $((objects - installed)) s, the rest $((SECONDS - objects)) s"
