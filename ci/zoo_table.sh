#!/usr/bin/env bash
# Writes docs/kill-table.md: every mutant of the zoo, hunted by every generator and explained, by the
# random campaign alone with ten seeds, and by upstream's own tests. Some 40 minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
./ci/build.sh release
cmake --build --preset release --target w4_zoo_mutants
zoo=build/release/zoo
build/release/bin/w4check zoo --explain --recipe --json $zoo/hunted.json || [ $? = 1 ]
build/release/bin/w4check zoo --seeds 10 --json $zoo/seeds.json || [ $? = 1 ]
build/release/bin/w4check zoo document $zoo/hunted.json $zoo/seeds.json >docs/kill-table.md.new
mv docs/kill-table.md.new docs/kill-table.md
