#!/usr/bin/env bash
# ci/bundle_test.sh BUILD_DIR: a bundle of the build runs in an empty folder with an empty environment and,
# where this user may make a root of its own, without any library of the machine's but the C library and
# the C++ runtime.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ci/bundle.sh "$build" "$work/bundle.tar" bench/cases_small.txt
mkdir "$work/there"
tar -C "$work/there" -xf "$work/bundle.tar"
there=$work/there/w4check
awk '!/^#/ && n++ < 24' "$there/bench/cases_small.txt" >"$there/few.cases"

env -i "$there/bin/w4check" --version
env -i "$there/bin/w4check" run --cases "$there/few.cases" --device gfx1151 --jobs 2
# The emulator as a GPU, in a process that has its own copy too.
env -i W4_HIP_LIBRARY="$there/lib/libw4hip.so" "$there/bin/w4check" run --cases "$there/few.cases" --device hip --jobs 2

# A root with nothing but the bundle and what the machine has to have.
root=$work/root
mkdir -p "$root/proc" "$root/tmp" "$root/dev"
: >"$root/dev/null"
# What is not found in the bundle shows as "not found".
mapfile -t own < <(LD_LIBRARY_PATH= ldd "$there/bin/w4check" "$there"/lib/*.so* | grep -oE '/[^ ]*/(ld-linux-x86-64|libc|libm|libpthread|libdl|librt|libresolv|libstdc\+\+|libgcc_s)\.so[^ ]*' | sort -u)
for library in "${own[@]}"; do
  mkdir -p "$root/$(dirname "$library")"
  cp -L "$library" "$root/$library"
done
cp -r "$there" "$root/w4check"
inside() { unshare -rmp --fork sh -c 'mount -t proc proc "$1/proc" && mount --bind /dev/null "$1/dev/null" && shift 1 && exec chroot "$@"' sh "$root" "$root" "$@"; }
if ! unshare -rmp --fork sh -c 'mount -t proc proc "$1/proc"' sh "$root" 2>/dev/null; then
  echo "bundle: the root of its own is left out: this user may not make one"
  exit 0
fi
inside /w4check/bin/w4check --version
inside /w4check/bin/w4check run --cases /w4check/few.cases --device gfx1151 --jobs 2
echo "bundle: runs in a root of its own with $(printf '%s\n' "${own[@]}" | sed 's#.*/##' | tr '\n' ' ')"
