#!/usr/bin/env bash
# ci/setup.sh [--cluster] [--browser]: installs what w4check needs from Debian's packages; with --cluster
# also what `ctest -L cluster` runs, Slurm and munge, with --browser what `ctest -R report_browser` looks at
# the report's pages with, Chromium. Idempotent; quick when nothing is missing.
set -euo pipefail
more=()
for word in "$@"; do
  case $word in
    --cluster) more+=(slurm-wlm munge) ;;
    --browser) command -v chromium >/dev/null || more+=(chromium fonts-dejavu-core) ;;
    *)
      echo "setup: '$word'; legal: --cluster, --browser" >&2
      exit 2
      ;;
  esac
done

packages=(
  clang-19 lld-19 llvm-19 llvm-19-dev libclang-rt-19-dev libfuzzer-19-dev
  clang-format-19 clang-tidy-19
  cmake ninja-build ccache git
  hipcc libamdhip64-dev rocm-device-libs
  libeigen3-dev librapidcheck-dev libgtest-dev libgmock-dev libbenchmark-dev
  libboost-context-dev libfmt-dev libcli11-dev nlohmann-json3-dev libsqlite3-dev libmpfr-dev
)
# The report's pages are bundled by npm. Debian's own where there is none (its npm is large).
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
packages+=("${more[@]}")

missing=()
for p in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$p")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: missing packages: ${missing[*]}" >&2
    echo "setup: install them as root: apt-get install ${missing[*]}" >&2; exit 1; }
  sudo=(sudo)
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
