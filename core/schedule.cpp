#include "core/schedule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace w4 {
namespace {

// The whole text as a number from low to high.
template <class T>
bool read(std::string_view text, T low, T high, T& v) {
  T parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  v = parsed;
  return low <= v && v <= high;
}

std::optional<Schedule> parse(std::string_view text) {
  const auto take = [&text]() -> std::optional<std::string_view> {
    if (text.empty()) return std::nullopt;
    text.remove_prefix(1);  // the colon
    const std::string_view part = text.substr(0, text.find(':'));
    text.remove_prefix(part.size());
    return part;
  };
  const std::string_view name = text.substr(0, text.find(':'));
  text.remove_prefix(name.size());
  Schedule s;
  constexpr std::array kOrders{Order::rr, Order::reversed, Order::random, Order::priority};
  const auto order = std::ranges::find(kOrders, name, name_of);
  if (order == kOrders.end()) return std::nullopt;
  s.order = *order;
  bool ok = true;
  if (s.order == Order::rr || s.order == Order::reversed) {
    if (const auto turn = take()) ok = read(*turn, 1u, Schedule::kMaxQuantum, s.quantum);
  } else {
    const auto seed = take();
    ok = seed && read(*seed, uint64_t{0}, ~uint64_t{0}, s.seed);
    if (s.order == Order::priority) {
      if (const auto changes = take())
        ok = ok && read(*changes, 0u, Schedule::kMaxChanges, s.changes);
    }
  }
  if (!ok || !text.empty()) return std::nullopt;
  return s;
}

}  // namespace

Result<Schedule> parse_schedule(std::string_view text) {
  if (const auto s = parse(text)) return *s;
  return fail("sched: '{}' is not a schedule; legal: {}", text, kLegalSchedules);
}

std::string_view name_of(Order o) {
  switch (o) {
    case Order::rr:
      return "rr";
    case Order::reversed:
      return "rev";
    case Order::random:
      return "random";
    case Order::priority:
      return "prio";
  }
  return "?";
}

std::string to_string(const Schedule& s) {
  std::string out(name_of(s.order));
  const bool turns = s.order == Order::rr || s.order == Order::reversed;
  if (!turns) out += fmt::format(":{}", s.seed);
  if (turns && s.quantum != Schedule::kQuantum) out += fmt::format(":{}", s.quantum);
  if (s.order == Order::priority && s.changes != Schedule::kChanges)
    out += fmt::format(":{}", s.changes);
  return out;
}

}  // namespace w4
