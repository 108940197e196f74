#include "campaign/shown.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "results/verdict_json.h"

namespace w4 {
namespace {

using nlohmann::json;

std::optional<Behaviour> behaviour_from(const json& j) {
  if (!j.is_array() || j.size() != 2 || !j[0].is_number_unsigned() || !j[1].is_string())
    return std::nullopt;
  const auto kind = j[0].get<uint64_t>();
  const auto& hex = j[1].get_ref<const std::string&>();
  Behaviour b;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), b.id, 16);
  if (kind > static_cast<uint64_t>(BehaviourKind::margin) || error != std::errc{} ||
      end != hex.data() + hex.size()) {
    return std::nullopt;
  }
  b.kind = static_cast<BehaviourKind>(kind);
  return b;
}

}  // namespace

bool Shown::told_twice(const Behaviour& b) {
  int& told = told_[b.id];
  if (told == 2) return true;
  ++told;
  return false;
}

std::string Shown::answer(const Case& c, Runner& runner, bool trace) {
  observer_.start();
  const Verdict v = runner.run(c, trace);
  json all = json::array();
  for (const Behaviour& b : observer_.of(c, v)) {
    if (told_twice(b)) continue;
    all.push_back({static_cast<unsigned>(b.kind), fmt::format("{:x}", b.id)});
  }
  json out = verdict_to_json(v);
  out["behaviour"] = std::move(all);
  return out.dump();
}

Result<std::vector<Behaviour>> shown_in(std::string_view answer) {
  const json j = json::parse(answer, nullptr, false);
  if (!j.is_object()) return fail("the answer is no JSON object");
  std::vector<Behaviour> out;
  const auto member = j.find("behaviour");
  if (member == j.end()) return out;
  for (const json& one : *member) {
    const auto b = behaviour_from(one);
    if (!b) return fail("'behaviour' holds {}; legal: [kind, \"id in hex\"]", one.dump());
    out.push_back(*b);
  }
  return out;
}

}  // namespace w4
