#!/usr/bin/env bash
# over_read.sh W4CHECK MODULE DEVICE: the planted defect of zoo/pages, a read of one byte past the
# end of the weights. A finding on an emulated arch; on hip and cuda a finding where buffers end
# before unmapped memory and nothing at all in ordinary memory. MODULE: modules/reads_past_weights.so
# of the zoo's folder in the build tree. Exits with 77 where DEVICE cannot run it, and says why.
set -euo pipefail
w4check=$1 module=$2 device=$3
failed=0

# expect GREEN|RED WORDS LINE…
expect() {
  local want=$1 words=$2 said code=0
  shift 2
  said=$("$w4check" rerun "$* device=$device module=$module" 2>&1) || code=$?
  echo "$said"
  if grep -q '^ *skipped\|: skipped' <<< "$said"; then
    echo "over_read.sh: skipped: $device cannot run the module"
    exit 77
  fi
  case $want in
    GREEN) [ "$code" -eq 0 ] || { echo "over_read.sh: '$*' must be green"; failed=1; } ;;
    RED) [ "$code" -eq 1 ] && grep -q "$words" <<< "$said" ||
      { echo "over_read.sh: '$*' must be red with '$words'"; failed=1; } ;;
  esac
}

case $device in
  gfx*) expect RED 'finding' decode m=3 n=64 k=256 ;;
  *)
    expect GREEN '' decode m=3 n=64 k=256 place=plain
    expect GREEN '' decode m=3 n=64 k=256 place=beginning
    expect RED 'device_fault' decode m=3 n=64 k=256
    # In whole granules of the GPU's memory, and with a last row that three rows share.
    expect RED 'device_fault' decode m=1 n=1024 k=4096
    expect RED 'device_fault' decode m=5 n=72 k=512
    # Rows with a pad end before it.
    expect GREEN '' decode m=3 n=64 k=256 wpad=16
    ;;
esac
exit $failed
