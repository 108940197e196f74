#!/usr/bin/env bash
# zoo/instrument/run.sh [OPTIONS]: injects each fault of the catalogue (zoo/instrument/*/*.edit) into
# the emulator and runs the emulator's own tests (the ctests of tests/rdna) until one fails.
#
#   --only REGEX    only faults whose family/id matches, measured again
#   --survivors     only faults that the table says survived, measured again
#   --quick         only tests that ctest calls quick
#   --jobs N        so many faults at a time (default: 1)
#   --list          the catalogue: family/id and what the fault means
#   --build DIR     where copy, build tree and table lie (default: build/instrument)
#
# A copy of the sources is built once. For a fault, the files that see the edited one are compiled
# again into a folder of its own, each test program is linked with them in the place of the clean
# objects, and run; programs that the fault does not touch are left out.
#
# The table, DIR/table.tsv, has a line for each fault: family/id, verdict, first failing test,
# seconds. A fault that it holds is not measured again unless asked for, so a run goes on where the
# last one stopped; after a change of sources or tests, remove it.
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
only='' survivors=0 list=0 quick='' jobs=1 one=''
while [ $# -gt 0 ]; do
  case $1 in
    --only) only=$2 && shift 2 ;;
    --survivors) survivors=1 && shift ;;
    --quick) quick=quick && shift ;;
    --jobs) jobs=$2 && shift 2 ;;
    --list) list=1 && shift ;;
    --build) dir=$2 && shift 2 ;;
    --inject) one=$2 && shift 2 ;; # a worker's: this fault, on a tree that is ready
    *)
      echo "run.sh: '$1'; legal: --only REGEX, --survivors, --quick, --jobs N, --list, --build DIR" >&2
      exit 2
      ;;
  esac
done

name_of() { local path=${1#"$here"/}; echo "${path%.edit}"; }
catalogue() { find "$here" -mindepth 2 -name '*.edit' | LC_ALL=C sort; }
if [ $list = 1 ]; then
  catalogue | while read -r edit; do
    echo "$(name_of "$edit"): $(sed -n 's/^# *//p' "$edit" | tr '\n' ' ')"
  done
  exit 0
fi

# Laid out like any checkout and its release build, so that the compiler cache knows the objects.
copy=$dir/src tree=$dir/src/build/release table=$dir/table.tsv

# Every file of the working tree that git knows, touched only where it differs.
sync_copy() {
  (cd "$root" && git ls-files -z --cached --others --exclude-standard) |
    while IFS= read -r -d '' file; do
      [ -f "$root/$file" ] || continue
      cmp -s "$root/$file" "$copy/$file" && continue
      mkdir -p "$(dirname "$copy/$file")"
      cp "$root/$file" "$copy/$file"
    done
}

# The program of a test's command.
binary() { eval "set -- $1" && basename "$1"; }

# run_test LOG SECONDS COMMAND: with at most so many seconds of processor time.
run_test() {
  (
    ulimit -t "$2" -c 0
    eval "timeout -k 5 $(($2 * 10)) $3 --gtest_fail_fast"
  ) >"$1" 2>&1
}

# The tests with their processor time on the clean copy, quickest first, in $dir/tests.txt.
prepare() {
  sync_copy
  [ -f "$tree/build.ninja" ] || (cd "$copy" && cmake --preset release \
    -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DW4_BUILD_BENCH=OFF >"$dir/configure.log" 2>&1)
  cmake --build "$tree" -j1 --target w4_zoo_edit >"$dir/build.log" 2>&1
  local line all=()
  # add_test gives the command, the set_tests_properties that follows it the labels.
  while IFS= read -r line; do all+=("$line"); done < <(
    find "$tree/tests/rdna" -name CTestTestfile.cmake -exec cat {} + | awk -v label="$quick" '
      /^add_test/ { command = $0; sub(/^[^ ]* /, "", command); sub(/\)$/, "", command) }
      /^set_tests_properties/ && command ~ "/bin/" && $0 ~ "LABELS \"[^\"]*" label { print command }')
  for line in "${all[@]}"; do
    cmake --build "$tree" -j1 --target "$(binary "$line")" >"$dir/build.log" 2>&1 ||
      { tail -20 "$dir/build.log" && exit 1; }
  done
  for line in "${all[@]}"; do
    local TIMEFORMAT=%0U
    { time run_test "$dir/clean.log" 1800 "$line"; } 2>"$dir/time" || {
      echo "run.sh: left out, as it fails on clean sources: $line" >&2
      grep '^\[  FAILED' "$dir/clean.log" | tail -3 >&2
      continue
    }
    echo "$(cat "$dir/time") $line"
  done | sort -n >"$dir/measured.txt"
  # Parts of a program that takes little as a whole are not run by themselves.
  awk 'NR == FNR { if (NF == 2 && $1 < 10) whole[$2]; next } NF == 2 || !($2 in whole)' \
    "$dir/measured.txt" "$dir/measured.txt" >"$dir/tests.txt"
  ninja -C "$tree" -t deps | awk '/^[^ ].*: #deps/ { sub(/:.*/, ""); object = $0; next }
    /^ / { print object, $1 }' >"$dir/deps.txt"
}

# The objects that see a file of the copy.
objects_of() {
  awk -v a="$copy/$1" -v b="../../$1" '$2 == a || $2 == b { print $1 }' "$dir/deps.txt"
}

# compile OBJECT: with the edited sources of $work in front of the clean ones, and less effort.
compile() {
  local command
  [ -f "$work/$1" ] && return
  mkdir -p "$work/$(dirname "$1")"
  command=$(ninja -C "$tree" -t commands -s "$1" | tail -1 |
    sed -E "s#^[^ ]*ccache ##; s# -MD -MT [^ ]* -MF [^ ]*##; s# -o [^ ]*# -o $work/$1#; s# -O3 # -O1 -w #
            s# -I$copy # -I$work/src -I$copy #; s# -c $copy/$file# -c $work/src/$file#")
  (cd "$tree" && eval "$command") >"$work/build.log" 2>&1
}

# link PROGRAM: sets `touched`; if it is 1, $work/PROGRAM has the fault in it.
link() {
  local program=$1 command object first=''
  command=$(ninja -C "$tree" -t commands -s "bin/$program" | tail -1)
  touched=0
  for object in $objects; do
    if [[ $command == *" $object "* ]]; then
      compile "$object" || return 1
      command=${command/ $object / $work\/$object }
    elif [[ $object == rdna/* && $command == *' rdna/libw4_rdna.a '* ]]; then
      compile "$object" || return 1
      first+=" $work/$object" # before the archive, whose member is then not taken
    else
      continue
    fi
    touched=1
  done
  [ $touched = 1 ] || return 0
  command=${command/ rdna\/libw4_rdna.a /$first rdna\/libw4_rdna.a }
  command=${command/ -o bin\/$program / -o $work\/$program }
  (cd "$tree" && eval "$command") >"$work/build.log" 2>&1
}

# What failed: the gtest case and how.
failure() {
  local status=$1 case
  case=$(sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$work/test.log" | head -1)
  [ -n "$case" ] || case=$(sed -n 's/^\[ RUN      \] //p' "$work/test.log" | tail -1)
  case $status in
    124 | 137 | 152) echo "$case (hangs)" ;;
    1) echo "$case" ;;
    *) echo "$case (signal $((status - 128)))" ;;
  esac
}

# One fault: sets verdict and by.
inject() {
  local edit=$1 seconds command status program file objects
  work=$dir/work/$(name_of "$edit")
  rm -rf "$work"
  mkdir -p "$work"
  verdict=survived by='no program sees it'
  if ! "$tree/zoo/w4_zoo_edit" "$edit" "$copy" "$work/src" 2>"$work/build.log"; then
    verdict=stale by=$(tail -1 "$work/build.log" | sed 's/.*edit: //' | tr '\t' ' ')
    return
  fi
  file=$(cd "$work/src" && find . -type f | sed 's#^\./##')
  objects=$(objects_of "$file")
  while read -r seconds command <&3; do
    program=$(binary "$command")
    if ! link "$program"; then
      verdict='does not compile' by=$(grep -m1 error: "$work/build.log" | sed 's/.*error: //')
      break
    fi
    [ $touched = 1 ] || continue
    status=0 by=-
    run_test "$work/test.log" $((seconds * 10 + 10)) "${command/"$tree/bin/"/$work/}" || status=$?
    if [ $status != 0 ]; then
      verdict=found by="$program $(failure $status)"
      break
    fi
  done 3<"$dir/tests.txt"
  if [ "$verdict" = survived ] && grep -q "^$(name_of "$edit"):" "$here/explained.txt"; then
    verdict=explained
  fi
}

if [ -n "$one" ]; then
  start=$EPOCHREALTIME
  inject "$one"
  (
    flock 9
    awk -F'\t' -v id="$(name_of "$one")" '$1 != id' "$table" >"$table.new"
    printf '%s\t%s\t%s\t%s\n' "$(name_of "$one")" "$verdict" "$by" \
      "$(bc <<<"scale=1; ($EPOCHREALTIME - $start) / 1")" | tee -a "$table.new"
    mv "$table.new" "$table"
  ) 9>"$dir/table.lock"
  rm -rf "$work"
  exit 0
fi

summary() {
  LC_ALL=C sort "$table" | awk -F'\t' '
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
    }'
}

mkdir -p "$copy"
touch "$table"
exec 8>"$dir/lock"
flock -w 60 8 || { echo "run.sh: another run is at work in $dir" >&2 && exit 2; }
prepare
sed 's/^/clean, seconds of processor time: /' "$dir/tests.txt"
catalogue | sort -R --random-source="$root/LICENSE" | while read -r edit; do
  id=$(name_of "$edit")
  old=$(awk -F'\t' -v id="$id" '$1 == id { print $2 }' "$table")
  if [ -n "$only" ]; then
    [[ $id =~ $only ]] && echo "$edit"
  elif [ $survivors = 1 ]; then
    [ "$old" = survived ] && echo "$edit"
  elif [ -z "$old" ]; then
    echo "$edit"
  fi
  true
done | xargs -r -P "$jobs" -n 1 "$here/run.sh" --build "$dir" --inject 8>&-
summary
