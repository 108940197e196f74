#!/usr/bin/env bash
# Builds every fuzz target for a fuzzing service, as OSS-Fuzz asks for it.
set -euo pipefail
cd "$(dirname "$0")/../.."

help() {
  cat <<'TEXT'
OUT=FOLDER ci/oss-fuzz/build.sh [--help]: builds into $OUT, for every target of w4fuzz --list

  w4fuzz_TARGET                  executable; its name says which target it is
  w4fuzz_TARGET_seed_corpus.zip  fuzz/corpus/TARGET
  w4fuzz_TARGET.options          what the engine is told
  w4fuzz_case_line.dict          words of the case grammar
  data/, lib/                    code objects that targets read; shared libraries

From the environment: OUT (required); CC, CXX (clang-19, clang++-19), CFLAGS, CXXFLAGS,
LIB_FUZZING_ENGINE (-fsanitize=fuzzer, or an archive), WORK (build), JOBS (all cores). Instrumentation
and sanitizers are those of the flags. -stdlib=libc++ is taken out: the packages that we link are
built with libstdc++ (ci/setup.sh lists them; node and npm are looked for, and not run).
TEXT
}

fail() {
  echo "oss-fuzz: $1" >&2
  exit 2
}

[ $# -le 1 ] || fail "'$2'; legal: --help"
case ${1:-} in
  '') ;;
  --help | -h)
    help
    exit 0
    ;;
  *) fail "'$1'; legal: --help" ;;
esac
[ -n "${OUT:-}" ] || fail "OUT is not set; legal: the folder to build into"
[ ! -e "$OUT" ] || [ -d "$OUT" ] || fail "OUT is '$OUT'; legal: a folder"
CC=${CC:-clang-19} CXX=${CXX:-clang++-19}
command -v "$CC" >/dev/null || fail "CC is '$CC'; legal: clang"
command -v "$CXX" >/dev/null || fail "CXX is '$CXX'; legal: clang++"
engine=${LIB_FUZZING_ENGINE:--fsanitize=fuzzer}
case $engine in
  -*) ;;
  *) [ -f "$engine" ] || fail "LIB_FUZZING_ENGINE is '$engine'; legal: a flag, or an archive" ;;
esac

mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
build=${WORK:-build}/oss-fuzz
cxxflags=${CXXFLAGS:-}
cxxflags=${cxxflags//-stdlib=libc++/}
cmake -S . -B "$build" -G Ninja \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_C_FLAGS="${CFLAGS:-}" -DCMAKE_CXX_FLAGS="$cxxflags" -DCMAKE_BUILD_TYPE= \
  -DCMAKE_EXE_LINKER_FLAGS='-Wl,-rpath,$ORIGIN/lib' -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON \
  -DW4_FUZZ_ENGINE="$engine" -DW4_BUILD_TESTS=OFF -DW4_BUILD_BENCH=OFF
cmake --build "$build" --target w4fuzz -j "${JOBS:-$(nproc)}"
built=$build/bin/w4fuzz

# Executables find these beside themselves (fuzz/data.h).
mkdir -p "$OUT/data" "$OUT/lib"
cp "$build"/fuzz/*.co tests/data/triton/*.hsaco "$OUT/data/"
ldd "$built" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
  grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' | xargs -r cp -L -t "$OUT/lib"

first=
while read -r target; do
  name=w4fuzz_$target
  rm -f "$OUT/$name" "$OUT/${name}_seed_corpus.zip"
  # One file under many names where the folder can have that.
  if [ -z "$first" ]; then cp "$built" "$OUT/$name" && first=$OUT/$name
  else ln "$first" "$OUT/$name" 2>/dev/null || cp "$built" "$OUT/$name"; fi
  (cd "fuzz/corpus/$target" && cmake -E tar cf "$OUT/${name}_seed_corpus.zip" --format=zip -- *)
  printf '[libfuzzer]\ntimeout = 60\nrss_limit_mb = 4096\n' >"$OUT/$name.options"
done < <("$built" --list | awk '{print $1}')
cp fuzz/case.dict "$OUT/w4fuzz_case_line.dict"
printf 'dict = w4fuzz_case_line.dict\n' >>"$OUT/w4fuzz_case_line.options"
echo "oss-fuzz: $(find "$OUT" -name 'w4fuzz_*' -perm -u+x -type f | wc -l) targets in $OUT"
