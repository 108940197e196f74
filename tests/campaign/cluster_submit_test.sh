#!/usr/bin/env bash
# cluster_submit_test.sh SUBMIT W4CHECK: what submit.sh says to wrong arguments, and what it hands to sbatch.
set -euo pipefail
submit=$1 w4check=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

refused() { # TEXT ARGUMENTS…
  local text=$1 said code=0
  shift
  said=$("$submit" "$@" 2>&1) || code=$?
  if [ "$code" != 2 ] || [[ $said != *"$text"* ]]; then
    echo "submit.sh $*: exit code $code, expected 2 and '$text': $said" >&2
    exit 1
  fi
}
refused "--shards: ''; legal: 1 to 1000" --out "$work" -- --for 1m
refused "--shards: '0'" --shards 0 --out "$work" -- --for 1m
refused "--shards: '1001'" --shards 1001 --out "$work" -- --for 1m
refused "--out: missing" --shards 2 -- --for 1m
refused "--w4check: '/nowhere'" --shards 2 --out "$work" --w4check /nowhere -- --for 1m
refused "no options of w4check campaign" --shards 2 --out "$work" --w4check "$w4check"
refused "--db=x: the tasks set it" --shards 2 --out "$work" --w4check "$w4check" -- --db=x
refused "'--shard'; legal" --shard 2
refused "--out needs a value" --out

# A stand-in for sbatch keeps what it was given.
cat >"$work/sbatch" <<'TEXT'
#!/usr/bin/env bash
printf '%s\n' "$@" >>"$(dirname "$0")/given"
echo 41
TEXT
chmod +x "$work/sbatch"
PATH=$work:$PATH "$submit" --shards 3 --out "$work/out folder" --w4check "$w4check" \
  --sbatch "--partition=long --time=1:00:00" -- --for 1m --suite random >"$work/said"
for word in --array=1-3 --partition=long --time=1:00:00 --dependency=afterany:41 "$work/out folder" random; do
  grep -qxF -- "$word" "$work/given" || { echo "sbatch was not given '$word'" >&2; exit 1; }
done
grep -q "job 41" "$work/said"
echo "submit: 9 refusals, one submission"
