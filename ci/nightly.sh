#!/usr/bin/env bash
# What is too long for CI: every property at 100 times its cases, a soak, every small shape, the zoo, a campaign
# that is killed.
set -euo pipefail
cd "$(dirname "$0")/.."

help() {
  cat <<'TEXT'
ci/nightly.sh [--props] [--soak] [--small] [--zoo] [--kill] [--help]: builds the preset release for all eight archs, then

  --props  ctest -L props at 100 times the cases (or W4_PROPS_CASES), on gfx1151 and the other arch
           of the night (W4_PROPS_ARCH where it is set, otherwise by the number of commits)
  --soak   w4soak: W4_SOAK_CASES random legal cases (1000000) of seed W4_SOAK_SEED (1)
  --small  ctest -L nightly: every small shape, the longer tests of the gate
  --zoo    w4check zoo: every mutant by every oracle and generator, W4_ZOO_BUDGET seconds each (20), the
           clean kernels the same way; then the random campaign alone with W4_ZOO_SEEDS seeds (10)
  --kill   ci/campaign_kill.sh: a campaign of W4_KILL_MINUTES (30), killed five times: nothing is lost

Without an option: all five. Ends with 1 where one of them found something.
TEXT
}

props=0 soak=0 small=0 zoo=0 kill=0
for word in "$@"; do
  case $word in
    --props) props=1 ;;
    --soak) soak=1 ;;
    --small) small=1 ;;
    --zoo) zoo=1 ;;
    --kill) kill=1 ;;
    --help | -h)
      help
      exit 0
      ;;
    *)
      echo "nightly: '$word'; legal: --props, --soak, --small, --zoo, --kill, --help" >&2
      exit 2
      ;;
  esac
done
[ $((props + soak + small + zoo + kill)) = 0 ] && props=1 soak=1 small=1 zoo=1 kill=1

# The demo leaves the preset without tests.
./ci/build.sh release -DW4_ALL_ARCHS=ON -DW4_BUILD_TESTS=ON
tests=(ctest --test-dir build/release --no-tests=error --output-on-failure -j"$(nproc)")
status=0
if [ $props = 1 ]; then
  W4_PROPS_ARCH=${W4_PROPS_ARCH:-$(./ci/props_arch.sh)}
  export W4_PROPS_ARCH
  W4_PROPS_CASES=${W4_PROPS_CASES:-100} "${tests[@]}" -L props || status=1
fi
if [ $small = 1 ]; then
  "${tests[@]}" -L nightly || status=1
fi
if [ $soak = 1 ]; then
  build/release/bin/w4soak --cases "${W4_SOAK_CASES:-1000000}" --seed "${W4_SOAK_SEED:-1}" \
    --threads "$(nproc)" || status=1
fi
if [ $zoo = 1 ]; then
  cmake --build --preset release --target w4_zoo_mutants -- -k 0 || status=1
  build/release/bin/w4check zoo --budget "${W4_ZOO_BUDGET:-20}" || status=1
  build/release/bin/w4check zoo --budget "${W4_ZOO_BUDGET:-20}" --seeds "${W4_ZOO_SEEDS:-10}" || status=1
fi
if [ $kill = 1 ]; then
  ci/campaign_kill.sh --minutes "${W4_KILL_MINUTES:-30}" || status=1
fi
exit $status
