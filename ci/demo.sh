#!/usr/bin/env bash
# The other command: builds, verifies the production kernels' gfx1151 machine code (decode, chunked,
# prefill, hybrid) at the shapes of real models, writes the HTML report and says where it is.
set -euo pipefail
cd "$(dirname "$0")/.."
./ci/build.sh release -DW4_BUILD_TESTS=OFF -DW4_BUILD_BENCH=OFF
w4check=build/release/bin/w4check
out=build/demo
rm -rf "$out"
mkdir -p "$out"
status=0
"$w4check" run --suite models --device gfx1151 --jobs "$(nproc)" --db "$out/runs.db" || status=$?
"$w4check" report --db "$out/runs.db" --out "$out/report"
echo "report: $PWD/$out/report/index.html"
exit "$status"
