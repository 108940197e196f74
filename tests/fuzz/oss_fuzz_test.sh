#!/usr/bin/env bash
# ci/oss-fuzz/build.sh refuses what it cannot use by name, with exit code 2, before it builds anything.
set -u
script=$1
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# refuses WORDS COMMAND…: exit code 2, and a message with WORDS.
refuses() {
  local words=$1 out code
  shift
  out=$(env -u OUT -u LIB_FUZZING_ENGINE -u CC -u CXX "$@" 2>&1)
  code=$?
  if [ $code != 2 ] || [[ $out != *"$words"* ]]; then
    echo "got $code: $out"
    echo "wanted 2: $words"
    failed=1
  fi
}

refuses "OUT is not set; legal: the folder" "$script"
refuses "'--fast'; legal: --help" "$script" --fast
refuses "'more'; legal: --help" "$script" --help more
refuses "OUT is '$script'; legal: a folder" OUT="$script" "$script"
refuses "CXX is 'no-such-compiler'" OUT="$folder" CXX=no-such-compiler "$script"
refuses "LIB_FUZZING_ENGINE is '/no/engine.a'" OUT="$folder" LIB_FUZZING_ENGINE=/no/engine.a "$script"
[ -z "$(ls -A "$folder")" ] || { echo "something was built"; failed=1; }

help=$("$script" --help) || failed=1
for word in OUT CXX CXXFLAGS LIB_FUZZING_ENGINE; do
  [[ $help == *$word* ]] || { echo "--help says nothing of $word"; failed=1; }
done
exit $failed
