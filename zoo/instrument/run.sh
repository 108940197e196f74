#!/usr/bin/env bash
# zoo/instrument/run.sh [OPTIONS]: injects each fault of the catalogue (zoo/instrument/*/*.edit) into
# a copy of the sources, builds what it touches and runs the emulator's own tests until one fails.
#
#   --only REGEX    only faults whose family/id matches, measured again
#   --survivors     only faults that the table says survived, measured again
#   --list          the catalogue: family/id and what the fault means
#   --build DIR     where copy, build tree and table lie (default: build/instrument)
#
# The table, DIR/table.tsv, has a line for each fault: family/id, verdict, first failing test,
# seconds. A fault that it holds is not measured again unless asked for, so a run goes on where the
# last one stopped; after a change of sources or tests, start with an empty folder.
#
# Verdicts: found (a test failed, crashed, or hung: used ten times its processor time on the clean
# copy and ten seconds, or ten times that without ending), survived, explained (it survived and
# explained.txt says why no test can find it), stale (the edit no longer fits the sources), does not
# compile. The order is random but always the same, so that a run cut short is a fair sample.
# The exit status is 0 when no fault is stale, none fails to compile and none survives unexplained.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/zoo/instrument
dir=$root/build/instrument
only='' survivors=0 list=0
while [ $# -gt 0 ]; do
  case $1 in
    --only) only=$2 && shift 2 ;;
    --survivors) survivors=1 && shift ;;
    --list) list=1 && shift ;;
    --build) dir=$2 && shift 2 ;;
    *) echo "run.sh: '$1'; legal: --only REGEX, --survivors, --list, --build DIR" >&2 && exit 2 ;;
  esac
done

name_of() { local path=${1#"$here"/}; echo "${path%.edit}"; }
mapfile -t edits < <(find "$here" -mindepth 2 -name '*.edit' | LC_ALL=C sort)
if [ $list = 1 ]; then
  for edit in "${edits[@]}"; do
    echo "$(name_of "$edit"): $(sed -n 's/^# *//p' "$edit" | tr '\n' ' ')"
  done
  exit 0
fi

copy=$dir/src tree=$dir/tree table=$dir/table.tsv log=$dir/log
mkdir -p "$copy" "$tree" "$log"
touch "$table"

# The copy: every file of the working tree that git knows, touched only where it differs.
sync_copy() {
  (cd "$root" && git ls-files -z --cached --others --exclude-standard) |
    while IFS= read -r -d '' file; do
      [ -f "$root/$file" ] || continue
      cmp -s "$root/$file" "$copy/$file" && continue
      mkdir -p "$(dirname "$copy/$file")"
      cp "$root/$file" "$copy/$file"
    done
}

build() { cmake --build "$tree" -j1 --target "$@" >"$log/build" 2>&1; }

# The program of a test's command.
binary() { eval "set -- $1" && basename "$1"; }

# Runs test i of the list, with at most so many seconds of processor time; its output goes to
# $log/test.
run_test() {
  (
    cd "$log"
    ulimit -t "$2" -c 0
    eval "timeout -k 5 $(($2 * 10)) ${command[$1]} --gtest_fail_fast"
  ) >"$log/test" 2>&1
}

# What failed: the gtest case and how.
failure() {
  local status=$1 case
  case=$(sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$log/test" | head -1)
  [ -n "$case" ] || case=$(sed -n 's/^\[ RUN      \] //p' "$log/test" | tail -1)
  case $status in
    124 | 137 | 152) echo "$case (hangs)" ;;
    1) echo "$case" ;;
    *) echo "$case (signal $((status - 128)))" ;;
  esac
}

# The emulator's tests, quickest first, with their processor time on the clean copy.
command=() target=() seconds=()
measure_clean() {
  [ -f "$tree/build.ninja" ] || cmake -S "$copy" -B "$tree" -G Ninja -DCMAKE_C_COMPILER=clang-19 \
    -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 \
    -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DW4_BUILD_BENCH=OFF >"$log/configure" 2>&1
  build w4_zoo_edit
  local line all=() i order
  while IFS= read -r line; do all+=("$line"); done < <(
    find "$tree/tests/rdna" -name CTestTestfile.cmake -exec \
      sed -n 's/^add_test(\[=*\[[^]]*\]=*\] \("[^"]*bin\/.*\))$/\1/p' {} +)
  for line in "${all[@]}"; do
    build "$(binary "$line")" || { cat "$log/build" && exit 1; }
  done
  for i in "${!all[@]}"; do
    command=("${all[$i]}")
    local TIMEFORMAT=%0U
    { time run_test 0 1800; } 2>"$log/time" || {
      echo "run.sh: ${all[$i]} fails on clean sources: nothing can be said" >&2
      tail -20 "$log/test" >&2
      exit 1
    }
    echo "$(cat "$log/time") ${all[$i]}"
  done | sort -n >"$dir/tests.txt"
  command=()
  while read -r i line; do
    seconds+=("$i") command+=("$line") target+=("$(binary "$line")")
  done <"$dir/tests.txt"
}

# One fault: sets verdict and by.
inject() {
  local edit=$1 i status
  verdict=survived by=-
  rm -rf "$dir/edited"
  if ! "$tree/zoo/w4_zoo_edit" "$edit" "$copy" "$dir/edited" 2>"$log/edit"; then
    verdict=stale by=$(tail -1 "$log/edit" | sed 's/.*edit: //' | tr '\t' ' ')
    return
  fi
  cp -r "$dir/edited/." "$copy/"
  for i in "${!command[@]}"; do
    if ! build "${target[$i]}"; then
      verdict='does not compile' by=$(grep -m1 error: "$log/build" | sed 's/.*error: //')
      break
    fi
    status=0
    run_test "$i" $((seconds[i] * 10 + 10)) || status=$?
    if [ $status != 0 ]; then
      verdict=found by="${target[$i]} $(failure $status)"
      break
    fi
  done
  (cd "$dir/edited" && find . -type f) | while read -r file; do cp "$root/$file" "$copy/$file"; done
  if [ "$verdict" = survived ] && grep -q "^$(name_of "$edit"):" "$here/explained.txt"; then
    verdict=explained
  fi
}

summary() {
  LC_ALL=C sort -o "$table" "$table"
  awk -F'\t' '
    { split($1, part, "/"); f = part[1]; seen[f]; n[f, $2]++; n["all", $2]++; s += $4 }
    function row(f, valid) {
      valid = n[f, "found"] + n[f, "survived"]
      return sprintf("%-12s %6d %8d %9d %5d %13d  %s", f, n[f, "found"], n[f, "survived"],
        n[f, "explained"], n[f, "stale"], n[f, "does not compile"],
        valid ? sprintf("%.1f %%", 100 * n[f, "found"] / valid) : "-")
    }
    END {
      printf "%-12s %6s %8s %9s %5s %13s  %s\n", "family", "found", "survived", "explained",
        "stale", "not compiling", "found of found and survived"
      for (f in seen) print row(f) | "LC_ALL=C sort"
      close("LC_ALL=C sort")
      print row("all")
      printf "%.0f minutes of work\n", s / 60
      exit n["all", "survived"] + n["all", "stale"] + n["all", "does not compile"] > 0
    }' "$table"
}

sync_copy
trap sync_copy EXIT
trap 'exit 1' INT TERM
measure_clean
sed 's/^/clean, seconds of processor time: /' "$dir/tests.txt"
mapfile -t edits < <(printf '%s\n' "${edits[@]}" | sort -R --random-source="$here/run.sh")
for edit in "${edits[@]}"; do
  id=$(name_of "$edit")
  old=$(awk -F'\t' -v id="$id" '$1 == id { print $2 }' "$table")
  if [ -n "$only" ]; then
    [[ $id =~ $only ]] || continue
  elif [ $survivors = 1 ]; then
    [ "$old" = survived ] || continue
  elif [ -n "$old" ]; then
    continue
  fi
  start=$EPOCHREALTIME
  inject "$edit"
  took=$(bc <<<"scale=1; ($EPOCHREALTIME - $start) / 1")
  awk -F'\t' -v id="$id" '$1 != id' "$table" >"$table.new"
  printf '%s\t%s\t%s\t%s\n' "$id" "$verdict" "$by" "$took" | tee -a "$table.new"
  mv "$table.new" "$table"
done
summary
