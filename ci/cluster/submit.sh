#!/usr/bin/env bash
# A campaign as a Slurm job array, one shard a task, merged at the end; see --help.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

help() {
  cat <<'TEXT'
ci/cluster/submit.sh --shards N --out DIR [--w4check FILE] [--sbatch "OPTIONS"] -- CAMPAIGN OPTIONS

Submits N tasks of `w4check campaign CAMPAIGN OPTIONS --shard I/N --db DIR/shard-I.db` and, after the last
of them, `w4check merge` into DIR/all.db. Prints the numbers of both jobs.

  --shards N          tasks, 1 to 1000
  --out DIR           folder that every node sees, made where missing: stores, logs. The same folder and
                      options again continue what is there.
  --w4check FILE      the binary (default: build/release/bin/w4check beside these scripts)
  --sbatch "OPTIONS"  further options of sbatch for the tasks, split at blanks: "--partition=long --time=8:00:00"

  ci/cluster/submit.sh --shards 16 --out /scratch/w4 -- --for 8h --suite random --suite laws --jobs 4

A task that is preempted, killed or at the end of its time is put back into the queue and goes on where its
store ends, W4_RESTARTS times at most (20).
TEXT
}

usage() {
  echo "submit: $1" >&2
  exit 2
}

shards='' out='' w4check="$here/../../build/release/bin/w4check" options=()
while [ $# -gt 0 ]; do
  word=$1
  shift
  case $word in
    --help | -h)
      help
      exit 0
      ;;
    --) break ;;
    --shards | --out | --w4check | --sbatch)
      [ $# -gt 0 ] || usage "$word needs a value"
      case $word in
        --shards) shards=$1 ;;
        --out) out=$1 ;;
        --w4check) w4check=$1 ;;
        --sbatch) read -ra options <<<"$1" ;;
      esac
      shift
      ;;
    *) usage "'$word'; legal: --shards, --out, --w4check, --sbatch, --help, then -- and options of w4check campaign" ;;
  esac
done
[[ $shards =~ ^[1-9][0-9]{0,3}$ && $shards -le 1000 ]] || usage "--shards: '$shards'; legal: 1 to 1000"
[ -n "$out" ] || usage "--out: missing; legal: a folder that every node sees"
[ -x "$w4check" ] || usage "--w4check: '$w4check' is no program; build it: ci/build.sh release"
[ $# -gt 0 ] || usage "no options of w4check campaign after --; for example: -- --for 8h --suite random"
for word in "$@"; do
  case $word in
    --db | --db=* | --shard | --shard=*) usage "$word: the tasks set it" ;;
  esac
done
command -v sbatch >/dev/null || usage "sbatch is not there: run this where Slurm's commands are"

mkdir -p "$out"
out=$(cd "$out" && pwd)
w4check=$(realpath "$w4check")
array=$(sbatch --parsable "${options[@]}" --array="1-$shards" --output="$out/shard-%a.log" \
  "$here/shard.sbatch" "$w4check" "$out" "$shards" "$@")
array=${array%%;*}
merge=$(sbatch --parsable --dependency="afterany:$array" --output="$out/merge.log" \
  "$here/merge.sbatch" "$w4check" "$out" "$shards")
echo "shards: job $array; merge: job ${merge%%;*}; logs and stores: $out"
