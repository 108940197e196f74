#include "props/run_props.h"

#include <fmt/format.h>
#include <rapidcheck/detail/Configuration.h>

#include <array>
#include <cstdlib>
#include <iostream>

namespace w4 {
namespace {

constexpr std::array<std::string_view, 3> kDevices{"gfx1151", "gfx1201", "gfx1100"};

int factor() {
  const char* text = std::getenv("W4_PROPS_CASES");
  const int value = text ? std::atoi(text) : 1;
  return value > 0 ? value : 1;
}

}  // namespace

int RapidChooser::pick(int count) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count));
}

rc::Gen<Case> legal_decode_case() {
  return rc::gen::exec([] {
    RapidChooser choose;
    return choose_case(choose, {.devices = kDevices}, "decode");
  });
}

rc::Gen<Case> legal_case(std::string_view row) {
  return rc::gen::exec([row] {
    RapidChooser choose;
    return choose_case(choose, {.devices = kDevices}, row);
  });
}

bool check_property(const char* name, int cases, const std::function<void()>& property) {
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = name;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = cases * factor();
  // Every run of the suite sees the same cases unless the caller asks for others.
  if (std::getenv("RC_PARAMS") == nullptr) params.seed = 1;
  const rc::detail::TestResult result =
      rc::detail::checkProperty(rc::detail::toProperty(property), metadata, params);
  rc::detail::SuccessResult success;
  if (result.match(success)) return true;
  rc::detail::printResultMessage(result, std::cerr);
  std::cerr << std::endl;
  return false;
}

void showValue(const Case& c, std::ostream& out) { out << to_string(c); }

}  // namespace w4
