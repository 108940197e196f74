#!/usr/bin/env bash
# Kills a campaign with SIGKILL at random moments, resumes it each time, and holds its store against its
# announced log; see --help.
set -euo pipefail
cd "$(dirname "$0")/.."

help() {
  cat <<'TEXT'
ci/campaign_kill.sh [--minutes N] [--kills N] [--jobs N] [--w4check FILE] [--out DIR]

  --minutes N      length of the campaign, without what lies between a kill and its resumption (30)
  --kills N        SIGKILLs at random moments (5)
  --jobs N         workers (all cores)
  --w4check FILE   (build/release/bin/w4check)
  --out DIR        store, logs (build/campaign_kill; what is there is removed)

Ends with 1 where a case that the log calls finished is not in the store, where a number of a numbered source
is missing, or where the command held more than 256 MiB or a worker more than 2 GiB.
TEXT
}

minutes=30 kills=5 jobs=$(nproc) w4check=build/release/bin/w4check out=build/campaign_kill
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h)
      help
      exit 0
      ;;
    --minutes | --kills | --jobs | --w4check | --out)
      [ $# -gt 1 ] || { echo "campaign_kill: $1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"
      shift 2
      ;;
    *)
      echo "campaign_kill: '$1'; legal: --minutes, --kills, --jobs, --w4check, --out, --help" >&2
      exit 2
      ;;
  esac
done
for number in "$minutes" "$kills" "$jobs"; do
  [[ $number =~ ^[1-9][0-9]{0,4}$ ]] || { echo "campaign_kill: '$number'; legal: 1 to 99999" >&2; exit 2; }
done
[ -x "$w4check" ] || { echo "campaign_kill: --w4check: '$w4check' is no program" >&2; exit 2; }
w4check=$(realpath "$w4check")
rm -rf "$out"
mkdir -p "$out"
db=$out/runs.db

resident() { # KiB of a process
  sed -n 's/^VmRSS:[ \t]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null || true
}
parent_most=0 worker_most=0 all_most=0
watch_memory() { # of the campaign, until it ends or the time is over
  local end=$((SECONDS + $1)) kib all child
  while [ $SECONDS -lt $end ] && kill -0 "$campaign" 2>/dev/null; do
    kib=$(resident "$campaign") all=${kib:-0}
    [ "${kib:-0}" -le "$parent_most" ] || parent_most=$kib
    for child in $(pgrep -P "$campaign" || true); do
      kib=$(resident "$child")
      all=$((all + ${kib:-0}))
      [ "${kib:-0}" -le "$worker_most" ] || worker_most=$kib
    done
    [ "$all" -le "$all_most" ] || all_most=$all
    sleep 0.5
  done
}

# Every case that a log ever called finished.
collect() { sed -n 's/^F \([^ ]*\) \([0-9]*\) .*/\1 \2/p' "$db".announced* >>"$out/finished.txt"; }

options=(--for "${minutes}m" --suite random --suite laws --suite sweep --suite guided --jobs "$jobs")
part=$((minutes * 60 / (kills + 1)))
for kill in $(seq "$kills"); do
  "$w4check" campaign "${options[@]}" --db "$db" >>"$out/log.txt" 2>&1 &
  campaign=$!
  watch_memory $((part / 2 + RANDOM % part))
  kill -KILL "$campaign" || { echo "campaign_kill: it ended by itself before kill $kill" >&2; tail -n 5 "$out/log.txt" >&2; exit 1; }
  wait "$campaign" 2>/dev/null || true
  collect
  echo "kill $kill: $(sort -u "$out/finished.txt" | wc -l) cases finished so far"
done
"$w4check" campaign "${options[@]}" --db "$db" >>"$out/log.txt" 2>&1 &
campaign=$!
watch_memory $((minutes * 120 + 600))
code=0
wait "$campaign" || code=$?
[ "$code" -le 1 ] || { echo "campaign_kill: exit code $code" >&2; tail -n 20 "$out/log.txt" >&2; exit 1; }
collect

"$w4check" export "$db" --json "$out/all.jsonl" >/dev/null
sed -E 's/.*"number":([0-9]+),.*"source":"([a-z_]+)".*/\2 \1/' "$out/all.jsonl" | sort -u >"$out/stored.txt"
sort -u -o "$out/finished.txt" "$out/finished.txt"
comm -23 "$out/finished.txt" "$out/stored.txt" >"$out/missing.txt"
# Numbered sources have no gaps.
for source in random laws; do
  sed -n "s/^$source //p" "$out/stored.txt" | sort -n >"$out/$source.txt"
  last=$(tail -n 1 "$out/$source.txt")
  seq 0 "${last:--1}" | cmp -s - "$out/$source.txt" || echo "$source has gaps" >>"$out/missing.txt"
done
"$w4check" campaign status --db "$db" || true
echo "campaign_kill: $kills kills; $(wc -l <"$out/finished.txt") cases called finished, $(wc -l <"$out/stored.txt") stored, $(wc -l <"$out/missing.txt") missing"
echo "campaign_kill: resident at most: campaign $((parent_most / 1024)) MiB, a worker $((worker_most / 1024)) MiB, together $((all_most / 1024)) MiB; store $(($(stat -c %s "$db") >> 20)) MiB"
if [ "$parent_most" -gt $((256 << 10)) ] || [ "$worker_most" -gt $((2048 << 10)) ]; then
  echo "campaign_kill: over the bound" >&2
  exit 1
fi
[ ! -s "$out/missing.txt" ] || { head "$out/missing.txt" >&2; exit 1; }
