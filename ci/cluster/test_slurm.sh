#!/usr/bin/env bash
# test_slurm.sh W4CHECK FOLDER: a real Slurm on this machine (munge, one controller, two node daemons, all of
# their own, in FOLDER) runs a campaign as an array of four shards; one is killed mid-way, one is requeued as
# a preemption would; the merged store must hold what an unsharded run holds. Exit code 77: skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
w4check=$(realpath "$1")
mkdir -p "$2"
# Sockets have short paths.
work=$(mktemp -d /tmp/w4slurm.XXXXXX)
keep=$(cd "$2" && pwd)
cases=2000 seed=7 shards=4

skip() {
  echo "cluster: skipped: $1"
  rm -rf "$work"
  exit 77
}
for tool in munged slurmctld slurmd sbatch scontrol squeue; do
  PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null ||
    skip "$tool is not installed; ci/setup.sh --cluster installs Slurm and munge where apt can"
done
PATH=$PATH:/usr/sbin

fail() {
  echo "cluster: $1" >&2
  for log in "$work"/slurmctld.log "$work"/out/*.log; do
    [ -f "$log" ] && { echo "== $log" && tail -n 15 "$log"; } >&2
  done
  exit 1
}
clean_up() {
  scancel --user="$(id -un)" >/dev/null 2>&1 || true
  for pid in "$work"/*.pid; do
    [ -f "$pid" ] && kill "$(cat "$pid")" 2>/dev/null
  done
  sleep 1
  rm -rf "$keep/last"
  mkdir -p "$keep/last"
  cp -r "$work"/out "$work"/*.log "$keep/last" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

# Runs until $1 seconds are over or the rest succeeds.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

start_slurm() {
  mkdir -m 711 "$work/socket"
  chmod 711 "$work"
  mkdir -m 700 "$work/key"
  mkdir "$work/state"
  head -c 1024 /dev/urandom >"$work/key/key"
  chmod 400 "$work/key/key"
  munged --socket="$work/socket/munge" --key-file="$work/key/key" --pid-file="$work/munged.pid" \
    --log-file="$work/key/log" --seed-file="$work/key/seed" || skip "munged does not start: $(tail -n 1 "$work/key/log")"
  export SLURM_CONF=$work/slurm.conf
  local host user base
  host=$(hostname -s)
  user=$(id -un)
  base=$((20000 + RANDOM % 20000))
  cat >"$SLURM_CONF" <<TEXT
ClusterName=w4check
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/socket/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=10
NodeName=w4n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=1
NodeName=w4n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=1
PartitionName=all Nodes=w4n1,w4n2 Default=YES MaxTime=INFINITE State=UP
TEXT
  slurmctld -c
  within 10 sinfo -h >/dev/null 2>&1 || fail "the controller does not answer"
  slurmd -N w4n1
  slurmd -N w4n2
  within 20 two_nodes || fail "the node daemons do not register: $(sinfo -h 2>&1)"
}
two_nodes() { [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; }

finished() { # cases of a shard whose verdict is in its store
  local log=$work/out/shard-$1.db.announced
  if [ -f "$log" ]; then grep -c '^F ' "$log" || true; else echo 0; fi
}
mid_way() { [ "$(finished "$1")" -ge 20 ]; }
over() { [ -z "$(squeue -h 2>/dev/null)" ]; }
# Slurm lets a requeued job wait two minutes by default.
over_soon() {
  for job in $(squeue -h -t PD -o '%i %r' | sed -n 's/ BeginTime$//p'); do
    scontrol update JobId="$job" StartTime=now >/dev/null 2>&1 || true
  done
  over
}
# What a store holds, without what differs between runs: number, line and kind of verdict.
contents() {
  "$w4check" export "$1" --json - | sed -E 's/.*"kind":"([a-z_]+)","line":"([^"]*)".*/\1 \2/' | sort
}

start_slurm
campaign=(--cases "$cases" --seed "$seed" --suite random --device gfx1151)
"$w4check" campaign "${campaign[@]}" --db "$work/one.db" >"$work/one.log" 2>&1 || fail "the unsharded campaign: $(tail -n 5 "$work/one.log")"
"$here/submit.sh" --shards $shards --out "$work/out" --w4check "$w4check" -- "${campaign[@]}"

within 120 mid_way 2 || fail "shard 2 does not come mid-way"
pkill -KILL -f -- "campaign .*$work/out/shard-2.db" || fail "shard 2 was over before it could be killed"
killed_at=$(finished 2)
within 120 mid_way 3 || fail "shard 3 does not come mid-way"
array=$(squeue -h -o %F | sort -n | head -n 1)
scontrol requeue "${array}_3" || fail "shard 3 was over before it could be requeued"
within 300 over_soon || fail "jobs do not end: $(squeue -h)"

for shard in 2 3; do
  grep -q 'restart 1' "$work/out/shard-$shard.log" || fail "shard $shard was not started again"
done
[ -f "$work/out/all.db" ] || fail "there is no merged store: $(cat "$work/out/merge.log")"
contents "$work/one.db" >"$work/one.txt"
contents "$work/out/all.db" >"$work/all.txt"
[ "$(wc -l <"$work/one.txt")" = "$cases" ] || fail "the unsharded run holds $(wc -l <"$work/one.txt") of $cases cases"
cmp "$work/one.txt" "$work/all.txt" || fail "merged shards and the unsharded run differ"
echo "cluster: $cases cases in $shards shards on 2 nodes, shard 2 killed after $killed_at of its cases and shard 3 requeued: the merged store equals the unsharded run's"
