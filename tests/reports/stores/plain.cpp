// Runs that came to little.
#include "results/store.h"
#include "stores/stores.h"
#include "verify/build_id.h"

namespace w4::testing {
namespace {

Store begun(const std::string& path, int64_t planned) {
  Store store = must(Store::open(path, Store::Mode::write));
  must(store.begin_run(
      {.command = "w4check run --suite smoke", .build_id = build_id(), .planned = planned}));
  return store;
}

}  // namespace

void empty_store(const std::string& path) {
  Store store = begun(path, 0);
  must(store.end_run(1, RunState::complete));
}

void unfinished_store(const std::string& path) {
  Store store = begun(path, 1000);
  for (int m = 1; m <= 3; ++m) {
    Provenance ran;
    ran.build_id = build_id();
    ran.fp = "gfx1151";
    ran.seconds = 0.01;
    must(store.add(1, {"smoke", "decode", "gfx1151",
                       make_verdict(fmt::format("decode m={} g=64", m), {Pass{}}, ran)}));
  }
  must(store.end_run(1, RunState::interrupted));
}

}  // namespace w4::testing
