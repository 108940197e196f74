#!/usr/bin/env bash
# gpu_smoke.sh W4CHECK DEVICE: the suite smoke on hip or cuda. Exits with 77 where a case is skipped
# there (no GPU, no driver, no code in this build), and says why.
set -euo pipefail
w4check=$1 device=$2
said=$("$w4check" rerun "decode device=$device" 2>&1) || true
echo "$said"
if grep -q '^ *skipped\|: skipped' <<< "$said"; then
  echo "gpu_smoke.sh: skipped: $device cannot run decode here"
  exit 77
fi
exec "$w4check" run --suite smoke --device "$device" --jobs "$(nproc)"
