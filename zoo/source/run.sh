#!/usr/bin/env bash
# zoo/source/run.sh [OPTIONS]: generates defects of the kernels' host sources (zoo/source/operators.h),
# builds each into a module and hunts it with random cases, then with the audits, until it is killed.
#
#   --count N       so many of them, families by turns (default: 60; 0: all)
#   --seed S        of the draw and of the cases (default: 1)
#   --budget SEC    seconds of random cases for each (default: 10)
#   --jobs N        so many at a time (default: 1)
#   --only REGEX    only those whose id matches, of all, measured again
#   --survivors     only those that the table says survived, measured again
#   --list          what would be generated: id, family, place, change; nothing is built
#   --tree DIR      build tree to use (default: build/release)
#   --build DIR     where edits, modules and table lie (default: build/source)
#
# Of a module only the changed file is compiled; all else is linked from the tree's clean objects.
#
# The table, DIR/table.tsv, has a line for each: id, family, place, verdict, by what, cases until then,
# seconds, change. One that it holds is not measured again unless asked for, so a run goes on where the last
# one stopped; after a change of sources, remove it.
#
# Verdicts: killed (a random case is red, or an audit is), survived, undecided (the harness found no
# verdict), does not compile. At the end, survivors that zoo/source/explained.txt gives a reason for count
# as explained. The exit status is 0 unless one survives unexplained or is undecided.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/zoo/source
tree=$root/build/release dir=$root/build/source
count=60 seed=1 budget=10 jobs=1 only='' survivors=0 list=0 one=''
while [ $# -gt 0 ]; do
  case $1 in
    --count) count=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    --budget) budget=$2 && shift 2 ;;
    --jobs) jobs=$2 && shift 2 ;;
    --only) only=$2 && shift 2 ;;
    --survivors) survivors=1 && shift ;;
    --list) list=1 && shift ;;
    --tree) tree=$(cd "$2" && pwd) && shift 2 ;;
    --build) mkdir -p "$2" && dir=$(cd "$2" && pwd) && shift 2 ;;
    --inject) one=$2 && shift 2 ;; # a worker's: this line of drawn.tsv
    *)
      echo "run.sh: '$1'; legal: --count N, --seed S, --budget SEC, --jobs N, --only REGEX, --survivors, --list," \
        "--tree DIR, --build DIR" >&2
      exit 2
      ;;
  esac
done
table=$dir/table.tsv

# The kernels whose cases a file may change.
rows_of() {
  case $(basename "$1") in
    decode*) echo decode ;;
    chunked*) echo chunked hybrid ;;
    hybrid*) echo hybrid ;;
    moe_prefill*) echo moe_prefill ;;
    moe*) echo moe ;;
    experts* | sorted_ids*) echo moe moe_prefill ;;
    prefill*) echo prefill prefill_dense prefill_carrier hybrid ;;
    prepare_dense*) echo prefill_dense prefill_carrier ;;
    *) echo decode chunked prefill prefill_dense prefill_carrier hybrid moe moe_prefill ;;
  esac
}

# Anything red kills: every kind of verdict and finding, every clause.
expect() {
  echo 'covers source'
  echo 'verdict mismatch finding law_broken accepted refused crash timeout audit'
  echo "finding $(sed -n 's/.*K::[a-z_0-9]*, "\([a-z_0-9]*\)".*/\1/p' "$root/core/finding.cpp" | tr '\n' ' ')"
  echo "clause $("$tree/bin/w4check" list clauses |
    sed -n 's/^  \([a-z][a-z_]*\.[a-z_0-9]*\) .*/\1/p' | tr '\n' ' ') arch unnamed"
  echo "rows $1"
}

# compile and link: $work/module.so, clean but for the edited file.
build() {
  local file=$1 object command
  object=$(ninja -C "$tree" -t query zoo/modules/clean.so | sed -n "s#^ *\(.*/$(basename "$file")\.o\)\$#\1#p")
  [ -n "$object" ] || return 1
  command=$(ninja -C "$tree" -t commands -s "$object" | tail -1 |
    sed -E "s#^[^ ]*ccache ##; s# -MD -MT [^ ]* -MF [^ ]*##; s# -o [^ ]*# -o $work/edited.o#; s# -O3 # -O1 -w #
            s# -c $root/$file# -c $work/src/$file#")
  (cd "$tree" && eval "$command") || return 1
  command=$(ninja -C "$tree" -t commands -s zoo/modules/clean.so | tail -1)
  [[ $command == *" $object "* ]] || return 1
  command=${command/ $object / $work\/edited.o }
  command=${command/ -o zoo\/modules\/clean.so / -o $work\/module.so }
  (cd "$tree" && eval "$command")
}

# hunt GENERATOR: one JSON object.
hunt() {
  "$tree/bin/w4check" zoo --list "$work/zoo.txt" --generator "$1" --first --no-clean --budget "$budget" \
    --seed "$seed" --jobs 1 --json - 2>>"$work/hunt.log" || true
}
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" <<<"$2" | head -1; }

# One mutant, "id family place change": sets verdict, by and cases.
inject() {
  local id=$1 family=$2 place=$3 file=${3%%:*} said what
  verdict=survived by=- cases=0
  work=$dir/work/$id
  rm -rf "$work"
  mkdir -p "$work/$family"
  if ! "$tree/zoo/w4_zoo_edit" "$dir/edits/$id.edit" "$root" "$work/src" 2>"$work/build.log"; then
    verdict='undecided' by=$(tail -1 "$work/build.log")
    return
  fi
  if ! build "$file" >"$work/build.log" 2>&1; then
    verdict='does not compile' by=$(grep -m1 'error:' "$work/build.log" | sed 's/.*error: //' | tr '\t' ' ')
    return
  fi
  cp "$dir/edits/$id.edit" "$work/$family/"
  : >"$work/$family/$id.case"
  expect "$(rows_of "$file")" >"$work/$family/$id.expect"
  printf 'root %s\n%s %s %s %s\n' "$work" "$family" "$id" "$work/module.so" "$work/stale.txt" >"$work/zoo.txt"
  for generator in random audit; do
    said=$(hunt "$generator")
    [ "$generator" = random ] && cases=$(sed -n 's/.*"runs":\[{"cases":\([0-9]*\).*/\1/p' <<<"$said")
    if [ -z "$said" ]; then
      verdict=undecided by=$(tail -1 "$work/hunt.log")
      return
    fi
    if [[ $said == *'"killed":true'* ]]; then
      what=$(field what "$said")
      verdict=killed by="$generator: $what"
      return
    fi
    # Red, but not a verdict on the kernel: the module broke a rule of the interface.
    if [[ $said == *'"first_not_counted"'* ]]; then
      verdict=killed by="$generator: $(field first_not_counted "$said" | sed 's/.*harness_error/harness_error/')"
      return
    fi
  done
}

if [ -n "$one" ]; then
  start=$EPOCHREALTIME
  IFS=$'\t' read -r id family place change <<<"$one"
  inject "$id" "$family" "$place"
  (
    flock 9
    awk -F'\t' -v id="$id" '$1 != id' "$table" >"$table.new"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$id" "$family" "$place" "$verdict" "$by" "$cases" \
      "$(bc <<<"scale=1; ($EPOCHREALTIME - $start) / 1")" "$change" | tee -a "$table.new"
    mv "$table.new" "$table"
  ) 9>"$dir/table.lock"
  rm -rf "$work"
  exit 0
fi

summary() {
  LC_ALL=C sort "$table" | awk -F'\t' '
    NR == FNR { sub(/:.*/, ""); why[$0]; next }
    $4 == "survived" && $1 in why { $4 = "explained" }
    { seen[$2]; n[$2, $4]++; n["all", $4]++; s += $7; if ($4 == "killed") c[++kills] = $6 }
    function row(f, valid) {
      valid = n[f, "killed"] + n[f, "survived"]
      return sprintf("%-9s %9d %6d %8d %9d %9d %13d  %s", f,
        valid + n[f, "explained"] + n[f, "undecided"] + n[f, "does not compile"], n[f, "killed"],
        n[f, "survived"], n[f, "explained"], n[f, "undecided"], n[f, "does not compile"],
        valid ? sprintf("%.1f %%", 100 * n[f, "killed"] / valid) : "-")
    }
    END {
      printf "%-9s %9s %6s %8s %9s %9s %13s  %s\n", "family", "generated", "killed", "survived",
        "explained", "undecided", "not compiling", "killed of killed and survived"
      for (f in seen) print row(f) | "LC_ALL=C sort"
      close("LC_ALL=C sort")
      print row("all")
      printf "%.0f minutes of work\n", s / 60
      exit n["all", "survived"] + n["all", "undecided"] > 0
    }' "$here/explained.txt" -
}

mkdir -p "$dir"
touch "$table"
if [ $list = 0 ]; then
  exec 8>"$dir/lock"
  flock -w 60 8 || { echo "run.sh: another run is at work in $dir" >&2 && exit 2; }
fi
[ -f "$tree/build.ninja" ] || (cd "$root" && cmake --preset release >"$dir/configure.log" 2>&1)
cmake --build "$tree" -j1 --target w4_zoo_source w4_zoo_edit w4check w4_module_clean >"$dir/build.log" 2>&1 ||
  { tail -20 "$dir/build.log" && exit 1; }
rm -rf "$dir/edits"
mapfile -t files <"$tree/zoo/host_sources.txt"
limit=()
if [ "$count" != 0 ] && [ -z "$only" ] && [ $survivors = 0 ]; then limit=(--count "$count"); fi
"$tree/bin/w4_zoo_source" "$root" "$dir/edits" --seed "$seed" "${limit[@]}" "${files[@]}" >"$dir/drawn.tsv"
if [ $list = 1 ]; then
  cat "$dir/drawn.tsv"
  exit 0
fi
while IFS= read -r line; do
  id=${line%%$'\t'*}
  old=$(awk -F'\t' -v id="$id" '$1 == id { print $4 }' "$table")
  if [ -n "$only" ]; then
    [[ $id =~ $only ]] && printf '%s\0' "$line"
  elif [ $survivors = 1 ]; then
    [ "$old" = survived ] && printf '%s\0' "$line"
  elif [ -z "$old" ]; then
    printf '%s\0' "$line"
  fi
  true
done <"$dir/drawn.tsv" | xargs -0 -r -P "$jobs" -n 1 "$here/run.sh" --build "$dir" --tree "$tree" \
  --seed "$seed" --budget "$budget" --inject 8>&-
summary
