#!/usr/bin/env bash
# docs/measurements/h200.sh OUT [DEVICE]: everything that a record of an NVIDIA GPU holds, in one go of
# at most W4_SECONDS (default 530). OUT: a folder for the raw output; summary.txt in it has a line a
# step: name, exit code (124: over its time), seconds. A step that fails does not stop the others.
# DEVICE: cuda; another for a dry run (gfx1151). Of the environment: W4CHECK (the program; default: the
# bundle's that this script is in), W4_JOBS (default: cores less two), W4_VOTES (10000), W4_SUBSET (cases
# of compute-sanitizer, 3000), W4_STEPS (words: only these).
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { echo "usage: h200.sh OUT [DEVICE]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd) device=${2:-cuda}
w4=${W4CHECK:-$root/bin/w4check}
cores=$(nproc)
jobs=${W4_JOBS:-$((cores > 4 ? cores - 2 : cores))}
votes=${W4_VOTES:-10000}
subset=${W4_SUBSET:-3000}
voters=gfx1151,gfx1201,host
case ,$voters, in *,$device,*) ;; *) voters+=,$device ;; esac
deadline=$((SECONDS + ${W4_SECONDS:-530}))
: >"$out/summary.txt"

milliseconds() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

# step NAME LIMIT COMMAND…: a command, or a function of this script; standard output to NAME.txt, errors
# to NAME.err, in a process group that ends with it.
step() {
  local name=$1 limit=$2 left=$((deadline - SECONDS)) start rc
  shift 2
  case " ${W4_STEPS:-$name} " in *" $name "*) ;; *) return ;; esac
  if [ "$left" -lt 3 ]; then
    echo "$name not run: no time left" | tee -a "$out/summary.txt"
    return
  fi
  [ "$limit" -lt "$left" ] || limit=$left
  printf '%q ' "$@" >"$out/$name.command"
  start=$(milliseconds)
  # shellcheck disable=SC2016
  timeout -k 5 "$limit" bash -c '"$@"' step "$@" >"$out/$name.txt" 2>"$out/$name.err" </dev/null
  rc=$?
  echo "$name rc=$rc seconds=$(awk -v a="$start" -v b="$(milliseconds)" 'BEGIN {printf "%.1f", (b - a) / 1000}')" |
    tee -a "$out/summary.txt"
}

machine_facts() {
  date -u
  uname -srm
  echo "cores $cores"
  free -g | head -2
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,power.limit,ecc.mode.current,mig.mode.current,compute_mode --format=csv
  nvidia-smi
  nvcc --version | tail -2
  compute-sanitizer --version | head -2
  python3 -c 'import torch; print("torch", torch.__version__, torch.version.cuda)'
  sha256sum "$w4"
  "$w4" --version
}

# The frozen list, so many times, each time on other data.
small_lines() {
  local i
  for ((i = 1; i <= $1; i++)); do
    grep -v '^#' "$root/bench/cases_small.txt" | sed -E "s/ seed=([0-9]+)/ seed=$i\1/"
  done
}

# rate NAME ARGUMENTS… of `w4check run`: verdicts to NAME.jsonl, and cases per second.
rate() {
  local name=$1 start rc
  shift
  start=$(milliseconds)
  "$w4" run "$@" --json "$out/$name.jsonl"
  rc=$?
  python3 - "$out/$name.jsonl" "$start" "$(milliseconds)" <<'PY'
import collections, json, sys
kinds = collections.Counter()
for line in open(sys.argv[1]):
    kinds[json.loads(line)["kind"]] += 1
seconds, total = (int(sys.argv[3]) - int(sys.argv[2])) / 1000, sum(kinds.values())
print(f"rate: {total} cases in {seconds:.3f} s, {total / seconds:.0f} cases/s, {dict(kinds)}")
PY
  return $rc
}

# The same cases in one process after the other: what a tool costs is the ratio of the two.
# plainly CASES DEVICE, sanitized TOOL CASES.
plainly() { "$w4" run --cases "$out/$1.cases" --device "$2" --jobs 1; }
sanitized() {
  compute-sanitizer --tool "$1" --target-processes all --error-exitcode 9 --print-limit 20 \
    "$w4" run --cases "$out/$2.cases" --device "$device" --jobs 1
}

bench() {
  local with=()
  ! grep -q '"seconds"' "$out/torch.txt" 2>/dev/null || with=(--with "$out/torch.txt")
  [[ $device != gfx* ]] || with=() # counts, no times
  "$w4" bench --device "$device" --act f16,bf16 "${with[@]}" --json "$out/bench.json"
}

export here root out device w4 cores jobs
export -f milliseconds machine_facts rate plainly sanitized bench
small_lines 200 >"$out/small.cases"
small_lines 25 | head -"$subset" >"$out/subset.cases"
# A missing barrier, each time on other data.
race=$root/zoo/modules/tile_overwritten_early.so
for ((i = 1; i <= 200; i++)); do
  echo "prefill m=33 n=64 k=128 g=64 seed=$i module=$race"
  echo "moe_prefill m=40 n=64 k=128 g=64 experts=2 blockm=32 seed=$i module=$race"
done >"$out/race.cases"
head -2 "$out/race.cases" >"$out/race_once.cases"

step machine 40 machine_facts
step smoke 60 rate smoke --suite smoke --device "$device" --jobs "$jobs"
step small 90 rate small --cases "$out/small.cases" --device "$device" --jobs "$jobs"
step over_read 40 "$root/ci/over_read.sh" "$w4" "$root/zoo/modules/reads_past_weights.so" "$device"
step boundary 90 rate boundary --suite boundary --device "$device" --jobs "$jobs"
step torch 70 python3 "$here/torch_int4.py" --seconds 0.15
step bench 70 bench
step zoo 80 "$w4" zoo --quick --device "$device" --budget 8 --jobs "$jobs" --list "$root/zoo/zoo.txt" --json "$out/zoo.jsonl"
step vote 150 "$w4" vote --devices "$voters" --cases "$votes" --largest 1000000 --jobs "$jobs" --json "$out/vote.json"
step models 120 rate models --suite models --device "$device" --jobs "$jobs"
step plainly 40 plainly subset "$device"
step memcheck 90 sanitized memcheck subset
step racecheck 120 sanitized racecheck subset
# What each says of a planted over-read in ordinary memory, and of a planted race. The emulator's
# finding beside it.
read=$root/zoo/modules/reads_past_weights.so
echo "decode n=1024 k=4096 place=plain module=$read" >"$out/read.cases"
step read_memcheck 40 sanitized memcheck read
step race 40 plainly race "$device"
step race_racecheck 60 sanitized racecheck race_once
step race_emulated 40 plainly race_once gfx1151
# What the emulator's own checks cost, on the same cases, one after the other.
step checks_all 30 rate checks_all --cases "$out/subset.cases" --device gfx1151 --checks all --jobs 1
step checks_none 30 rate checks_none --cases "$out/subset.cases" --device gfx1151 --checks none --jobs 1
cat "$out"/*.txt 2>/dev/null | grep -h '^rate:' || true
echo "raw output in $out"
