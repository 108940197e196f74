#!/usr/bin/env bash
# ci/props_arch.sh [ARCH…]: the arch on which properties run besides gfx1151 at this commit: the
# ones given (default: the other seven) take turns with the number of commits.
set -euo pipefail
cd "$(dirname "$0")/.."
archs=("$@")
[ ${#archs[@]} -gt 0 ] || archs=(gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1200 gfx1201)
commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
echo "${archs[$((commits % ${#archs[@]}))]}"
