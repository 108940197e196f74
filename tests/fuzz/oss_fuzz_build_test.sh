#!/usr/bin/env bash
# ci/oss-fuzz/build.sh makes what a fuzzing service wants of every target that `w4fuzz --list` has:
# executables that run from another folder, without the build, on the seeds that they came with.
# W4_OSS_FUZZ_FLAGS: other flags than those that instrument.
set -eu
root=$1 w4fuzz=$2 work=$3
rm -rf "$work/out" "$work/moved"
flags=${W4_OSS_FUZZ_FLAGS:--O1 -fsanitize=fuzzer-no-link}
OUT=$work/out WORK=$work CFLAGS=$flags CXXFLAGS=$flags "$root/ci/oss-fuzz/build.sh"
mv "$work/out" "$work/moved"
# What the executables read is beside them.
mv "$work/oss-fuzz/fuzz" "$work/oss-fuzz/fuzz.away"
trap 'mv "$work/oss-fuzz/fuzz.away" "$work/oss-fuzz/fuzz"' EXIT
cd "$work/moved"
targets=$("$w4fuzz" --list | awk '{print $1}')
for target in $targets; do
  name=w4fuzz_$target
  mkdir -p "seeds/$target"
  (cd "seeds/$target" && cmake -E tar xf "../../${name}_seed_corpus.zip")
  diff -r "seeds/$target" "$root/fuzz/corpus/$target"
  grep -q '^\[libfuzzer\]' "$name.options"
  "./$name" -runs=0 "seeds/$target" 2>&1 | grep -q 'Done\|DONE'
done
diff w4fuzz_case_line.dict "$root/fuzz/case.dict"
[ "$(find . -maxdepth 1 -name 'w4fuzz_*' -perm -u+x -type f | wc -l)" = "$(wc -w <<<"$targets")" ]
