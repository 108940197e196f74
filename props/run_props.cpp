#include "props/run_props.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck/detail/Configuration.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>

#include "core/gpu.h"
#include "kernels/table.h"

namespace w4 {
namespace {

constexpr std::string_view kFirstArch = "gfx1151", kUsualArch = "gfx1201";

// A mistake in the environment is nobody's failed property.
[[noreturn]] void refuse(std::string_view variable, std::string_view value,
                         std::string_view legal) {
  fmt::print(stderr, "props: {}={}; legal: {}\n", variable, value, legal);
  std::exit(2);
}

int factor() {
  const char* text = std::getenv("W4_PROPS_CASES");
  if (text == nullptr) return 1;
  const std::string_view word(text);
  int value = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), value);
  if (error != std::errc{} || end != word.end() || value < 1 || value > 1000000) {
    refuse("W4_PROPS_CASES", word, "1 to 1000000");
  }
  return value;
}

std::vector<std::string_view> archs_with_code() {
  std::vector<std::string_view> out;
  for (const char* const* a = builtin_module().kernels[0].archs; *a != nullptr; ++a) {
    if (find_gpu(*a) != nullptr) out.emplace_back(*a);
  }
  return out;
}

std::vector<std::string_view> choose_devices() {
  const char* text = std::getenv("W4_PROPS_ARCH");
  const std::string_view word = text == nullptr ? kUsualArch : text;
  const std::vector<std::string_view> legal = archs_with_code();
  const auto found = std::ranges::find(legal, word);
  if (found == legal.end()) {
    refuse("W4_PROPS_ARCH", word, fmt::format("{} (this build's)", fmt::join(legal, ", ")));
  }
  fmt::print("props on {} and {}; again: W4_PROPS_ARCH={}\n", kFirstArch, *found, *found);
  std::fflush(stdout);
  std::vector<std::string_view> out{kFirstArch};
  if (*found != kFirstArch) out.push_back(*found);
  return out;
}

}  // namespace

std::span<const std::string_view> props_devices() {
  static const std::vector<std::string_view> devices = choose_devices();
  return devices;
}

std::vector<std::string> declared_clauses(std::string_view row) {
  std::vector<std::string> out;
  const w4_module& module = builtin_module();
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    if (row != module.kernels[i].name) continue;
    for (const char* const* c = module.kernels[i].clauses; *c != nullptr; ++c) out.emplace_back(*c);
  }
  return out;
}

int RapidChooser::pick(int count) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count));
}

namespace {

rc::Gen<Case> cases_of(std::string_view row, const CaseLimits& limits) {
  return rc::gen::exec([row, limits] {
    RapidChooser choose;
    return choose_case(choose, limits, row);
  });
}

}  // namespace

rc::Gen<Case> legal_case(std::string_view row) {
  return cases_of(row, {.devices = props_devices()});
}

rc::Gen<Case> small_legal_case(std::string_view row) {
  return cases_of(row, {.n = 40, .large = false, .devices = props_devices()});
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
