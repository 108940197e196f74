#!/usr/bin/env bash
# The test command: installs what is missing, builds, runs every ctest but the label nightly.
set -euo pipefail
cd "$(dirname "$0")/.."
# The eight archs are compiled once in CI; everyday builds compile three.
options=() others=(gfx1100 gfx1201)
# CI also has a Slurm of its own and a browser to test with; where one cannot be installed its test is
# skipped.
for what in cluster browser; do
  [ -z "${CI:-}" ] || ./ci/setup.sh --$what || echo "test: what --$what asks for cannot be installed"
done
[ -n "${CI:-}" ] && options+=(-DW4_ALL_ARCHS=ON) others=()
./ci/build.sh dev "${options[@]}"
# Properties run on gfx1151 and one other arch, in turn.
W4_PROPS_ARCH=${W4_PROPS_ARCH:-$(./ci/props_arch.sh "${others[@]}")}
export W4_PROPS_ARCH
echo "test: props on gfx1151 and $W4_PROPS_ARCH; again: W4_PROPS_ARCH=$W4_PROPS_ARCH ctest --preset dev -L props"
ctest --preset dev --no-tests=error -LE nightly -j"$(nproc)"
