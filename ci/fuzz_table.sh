#!/usr/bin/env bash
# Writes the table in docs/fuzzing.md: ten mutants of the zoo that `w4fuzz --target decode` hunts from
# an empty corpus, guided and unguided, each with SEEDS seeds and RUNS cases at most. Some minutes of
# processor time; two processes at once.
set -euo pipefail
cd "$(dirname "$0")/.."
seeds=${SEEDS:-12} runs=${RUNS:-2000}
mutants=(grid_of_96 square_zeros_not_transposed infinity_kept_out_of_correction shard_groups_local
  zeros_of_128_groups lds_gate_asks_device tail_underflows square_scales_not_transposed no_remainder
  scales_end_at_g)
cmake --build --preset release --target w4fuzz "${mutants[@]/#/w4_module_}" >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# hunt MUTANT MODE SEED: "MUTANT MODE CASES SECONDS", CASES "-" where the budget was not enough.
hunt() {
  local flag=() said
  [ "$2" = unguided ] && flag=(--unguided)
  said=$(nice "$fuzz" --target decode --module "$modules/$1.so" "${flag[@]}" -runs="$runs" -seed="$3" 2>&1 |
    grep -a -o -E '^case [0-9]+, [0-9.]+ s' || true)
  if [ -n "$said" ]; then
    sed -E "s/^case ([0-9]+), ([0-9.]+) s/$1 $2 \1 \2/" <<<"$said"
  else
    echo "$1 $2 - -"
  fi
}
export -f hunt
export fuzz=$PWD/build/release/bin/w4fuzz modules=$PWD/build/release/zoo/modules runs
(
  cd "$work"
  for mutant in "${mutants[@]}"; do
    for mode in guided unguided; do
      for seed in $(seq "$seeds"); do echo "$mutant $mode $seed"; done
    done
  done | xargs -P 2 -L 1 bash -c 'hunt "$@"' hunt >found
)

# cell MUTANT MODE: "found/seeds | median | worst" in cases and seconds; a miss counts as the budget.
cell() {
  awk -v m="$1" -v mode="$2" -v runs="$runs" '
    $1 == m && $2 == mode { n++; if ($3 == "-") { c[n] = runs + 1; s[n] = 1e9 } else { got++; c[n] = $3; s[n] = $4 } }
    function sort(a, i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j-1] > a[j]; j--) { t = a[j]; a[j] = a[j-1]; a[j-1] = t } }
    function show(i) { return c[i] > runs ? "not in " runs : sprintf("%d, %.1f s", c[i], s[i]) }
    END { sort(c); sort(s); i = int((n + 1) / 2); printf "%d/%d | %s | %s", got, n, show(i), show(n) }' "$work/found"
}
{
  echo "| mutant | guided | median | worst | unguided | median | worst |"
  echo "|---|---|---|---|---|---|---|"
  for mutant in "${mutants[@]}"; do
    echo "| $mutant | $(cell "$mutant" guided) | $(cell "$mutant" unguided) |"
  done
} >"$work/table"
awk -v table="$work/table" '
  /^<!-- end of table -->/ { while ((getline line < table) > 0) print line; skip = 0 }
  !skip { print }
  /^<!-- table: ci\/fuzz_table.sh -->/ { skip = 1 }' docs/fuzzing.md >"$work/doc"
cp "$work/doc" docs/fuzzing.md
cp "$work/found" build/release/fuzz_table.txt
