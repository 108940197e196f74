#!/usr/bin/env bash
# ci/bundle.sh PRESET|BUILD_DIR OUT.tar[.xz|.zst] [--zoo] [FILE|FOLDER…]: packs a built w4check and
# libw4hip.so with the libraries that they need into one archive, which runs where no package is
# installed. --zoo: the modules of zoo/quick.txt that are built, too. FILE, FOLDER: of the source tree,
# packed under their own path. docs/bundle.md.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() {
  echo "bundle: $1; usage: ci/bundle.sh PRESET|BUILD_DIR OUT.tar[.xz|.zst] [--zoo] [FILE|FOLDER…]" >&2
  exit 2
}
[ $# -ge 2 ] || usage "no build or no archive"
build=$1 out=$(realpath -m "$2")
shift 2
[ -d "$build" ] || build=build/$build
[ -x "$build/bin/w4check" ] || usage "'$build' has no bin/w4check"
case $out in
  *.tar.xz) pack=(xz -9e -T2) ;;
  *.tar) pack=(cat) ;;
  *.tar.zst) pack=(zstd -q -19 --long=27 -T2) ;;
  *) usage "'$out' is no .tar, .tar.xz or .tar.zst" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work/w4check
mkdir -p "$to/bin" "$to/lib"

cp "$build/bin/w4check" "$to/bin/"
[ ! -e "$build/lib/libw4hip.so" ] || cp -a "$build/lib/libw4hip.so" "$build/lib/w4hip" "$to/lib/"

# What the C library and the C++ runtime consist of is the machine's own: a GPU's driver library is
# loaded into the same process and may need newer ones.
needed() {
  # A library that links itself is no text of ldd's form.
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libstdc\+\+|libgcc_s|libw4hip)\.so'
}
programs=("$to/bin/w4check")
[ ! -e "$to/lib/libw4hip.so" ] || programs+=("$to/lib/libw4hip.so")
# Names of ldd's order are sonames, so that copies of links have the name that is looked for.
needed "${programs[@]}" | while read -r library; do cp -L "$library" "$to/lib/"; done

args=()
for arg in "$@"; do
  if [ "$arg" != --zoo ]; then
    args+=("$arg")
    continue
  fi
  mkdir -p "$to/zoo/modules"
  cp "$build/zoo/modules/clean.so" "$build/zoo/modules/libw4_zoo_objects.so" "$to/zoo/modules/"
  planted=$build/zoo/modules/reads_past_weights.so # ci/over_read.sh
  [ ! -e "$planted" ] || cp "$planted" "$to/zoo/modules/"
  echo "root sources" >"$to/zoo/zoo.txt"
  mkdir -p "$to/zoo/sources"
  cp zoo/quick.txt "$to/zoo/sources/"
  while read -r family id module stale; do
    [ "$family" != root ] || continue
    grep -qx "$family/$id" zoo/quick.txt || continue
    [ -e "$module" ] || usage "$module is not built (or build without --zoo)"
    cp "$module" "$to/zoo/modules/"
    mkdir -p "$to/zoo/sources/$family"
    cp "zoo/$family/$id".{edit,expect,case} "$to/zoo/sources/$family/"
    [ ! -e "$stale" ] || cp "$stale" "$to/zoo/sources/$family/$id.stale"
    echo "$family $id modules/$(basename "$module") sources/$family/$id.stale" >>"$to/zoo/zoo.txt"
  done <"$build/zoo/zoo.txt"
done
for arg in "${args[@]}"; do
  [ -e "$arg" ] || usage "'$arg' is not there"
  mkdir -p "$to/$(dirname "$arg")"
  cp -r "$arg" "$to/$(dirname "$arg")/"
done

find "$to" -type f \( -name '*.so*' -o -name w4check \) -exec chmod u+w {} + -exec strip --strip-unneeded {} +
cat >"$to/README" <<TEXT
$("$build/bin/w4check" --version)
bin/w4check --help; it finds its libraries in lib/. Nothing has to be installed but a C++ runtime
(libstdc++.so.6). lib/libw4hip.so: a HIP runtime on the emulator; bin/w4check loads a GPU's driver
library by itself.
TEXT
mkdir -p "$(dirname "$out")"
tar -C "$work" --sort=name --owner=0 --group=0 -c w4check | "${pack[@]}" >"$out.tmp"
mv "$out.tmp" "$out"
du -sh "$to"/* | sed "s#$work/##" >&2
echo "bundle: $(stat -c %s "$out") bytes, unpacked $(du -sm "$to" | cut -f1) MB: $out"
