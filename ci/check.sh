#!/usr/bin/env bash
# ci/check.sh [BASE]: format and clang-tidy on the files changed since BASE (default: the upstream
# main or the whole tree), and the direction of includes between rooms on the whole tree.
set -euo pipefail
cd "$(dirname "$0")/.."
base=${1:-}
status=0

if [ -n "$base" ]; then
  mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- '*.h' '*.cpp')
else
  mapfile -t files < <(git ls-files '*.h' '*.cpp')
fi

if [ ${#files[@]} -gt 0 ] && ! clang-format-19 --dry-run -Werror "${files[@]}"; then
  echo "check: clang-format differs; run: clang-format-19 -i FILES" >&2
  status=1
fi

# Each room may include itself and the rooms on its line (ARCHITECTURE.md, "Rooms").
declare -A may=(
  [core]=""
  [rdna]="core"
  [devices]="core rdna kernels/module.h"
  [kernels]="core devices"
  [intake]="core rdna devices kernels"
  [reference]="core"
  [verify]="core rdna devices kernels intake reference"
  [oracles]="core rdna devices kernels reference verify"
  [results]="core"
  [reports]="core results"
  [props]="core devices kernels reference verify"
  [fuzz]="core rdna devices kernels intake reference verify"
  [zoo]="core kernels verify"
  [campaign]="core rdna devices kernels intake reference verify oracles results reports zoo"
)
for room in "${!may[@]}"; do
  while IFS=: read -r file line text; do
    target=$(sed -E 's/.*#include "([^"]+)".*/\1/' <<<"$text")
    top=${target%%/*}
    [ -n "${may[$top]+x}" ] || continue
    [ "$top" = "$room" ] && continue
    ok=0
    for allowed in ${may[$room]}; do
      if [ "$allowed" = "$top" ] || [ "$allowed" = "$target" ]; then ok=1; fi
    done
    if [ $ok = 0 ]; then
      echo "check: $file:$line: room $room may not include $target" >&2
      status=1
    fi
  done < <(grep -rn --include='*.h' --include='*.cpp' --include='*.hip' '#include "' "$room" || true)
done

# What makes cases or judges them knows no mutant: of campaign/ only `w4check zoo` does.
while IFS=: read -r file line text; do
  case $file in
    campaign/zoo.cpp | campaign/zoo/*) continue ;;
  esac
  echo "check: $file:$line: only campaign/zoo.cpp and campaign/zoo/ may include $text" >&2
  status=1
done < <(grep -rn --include='*.h' --include='*.cpp' '#include "zoo/' campaign || true)

if [ -n "$base" ] && [ -f build/dev/compile_commands.json ]; then
  mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep '\.cpp$' || true)
  if [ ${#sources[@]} -gt 0 ]; then
    clang-tidy-19 -p build/dev --quiet "${sources[@]}" || status=1
  fi
fi
[ $status = 0 ] && echo "check: clean"
exit $status
