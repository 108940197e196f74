#include "results/verdict_json.h"

#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "results/text.h"

namespace w4 {
namespace {

using nlohmann::json;

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

// The members of each type, once for both directions.
void members(Is<Party> auto& p, auto&& f) {
  f("workgroup", p.workgroup), f("wave", p.wave), f("lane", p.lane), f("pc", p.pc);
  f("instruction", p.instruction), f("source", p.source);
}
void members(Is<Finding> auto& x, auto&& f) {
  f("kind", x.kind), f("kernel", x.kernel), f("at", x.at), f("other", x.other);
  f("buffer", x.buffer), f("offset", x.offset), f("bytes", x.bytes), f("detail", x.detail);
  f("born", x.born), f("trace", x.trace);
}
void members(Is<Worst> auto& w, auto&& f) {
  f("m", w.m), f("n", w.n), f("got", w.got), f("low", w.low), f("high", w.high);
  f("twin", w.twin), f("bound", w.bound), f("ratio", w.ratio);
}
void members(Is<Drift> auto& d, auto&& f) {
  f("outputs", d.outputs), f("columns", d.columns), f("sum", d.sum), f("squares", d.squares);
  f("products", d.products), f("counts", d.counts), f("open", d.open);
}
void members(Is<Pass> auto& o, auto&& f) {
  f("worst", o.worst), f("headroom", o.headroom), f("exposure", o.exposure), f("drift", o.drift);
}
void members(Is<Mismatch> auto& o, auto&& f) {
  f("worst", o.worst), f("count", o.count), f("total", o.total), f("pattern", o.pattern);
}
void members(Is<LawBroken> auto& o, auto&& f) {
  f("law", o.law), f("first_line", o.first_line), f("second_line", o.second_line);
  f("m", o.m), f("n", o.n), f("detail", o.detail);
}
void members(Is<Found> auto& o, auto&& f) { f("findings", o.findings); }
void members(Is<Accepted> auto& o, auto&& f) { f("clause", o.clause), f("message", o.message); }
void members(Is<Refused> auto& o, auto&& f) {
  f("clause", o.clause), f("message", o.message), f("expected", o.expected);
  f("untouched", o.untouched);
}
void members(Is<Mistrusted> auto& o, auto&& f) { f("why", o.why); }
void members(Is<Skipped> auto& o, auto&& f) { f("reason", o.reason), f("detail", o.detail); }
void members(Is<Unsupported> auto& o, auto&& f) {
  f("instruction", o.instruction), f("pc", o.pc), f("detail", o.detail), f("trace", o.trace);
}
void members(Is<Crash> auto& o, auto&& f) {
  f("signal", o.signal), f("stderr_tail", o.stderr_tail), f("where", o.where);
}
void members(Is<Timeout> auto& o, auto&& f) {
  f("seconds", o.seconds), f("steps", o.steps), f("detail", o.detail), f("trace", o.trace);
}
void members(Is<HarnessError> auto& o, auto&& f) { f("what", o.what); }
void members(Is<Provenance> auto& p, auto&& f) {
  f("build_id", p.build_id), f("object_hash", p.object_hash), f("fp", p.fp);
  f("evidence", p.evidence), f("instantiation", p.instantiation), f("symbols", p.symbols),
      f("resolved", p.resolved);
  f("wave_instructions", p.wave_instructions), f("seconds", p.seconds);
  f("outputs", p.outputs), f("relation", p.relation);
}
void members(Is<Relation> auto& r, auto&& f) {
  f("exact", r.exact), f("within", r.within), f("why", r.why);
}

// Of a trace: there is none unless someone asked for it, and then its member is left out. So is
// that of a relation where the case has no law.
using Lines = std::vector<std::string>;
using Judged = std::optional<Relation>;

template <class T>
json value(const T& v) {
  if constexpr (std::same_as<T, std::string>) {
    return printable_utf8(v);
  } else if constexpr (std::same_as<T, double>) {
    return number_to_json(v);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return v;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(v));
  } else if constexpr (std::same_as<T, std::optional<Party>>) {
    return v ? value(*v) : json();
  } else if constexpr (std::same_as<T, Judged>) {
    return value(*v);
  } else if constexpr (std::same_as<T, std::vector<Finding>>) {
    json out = json::array();
    for (const Finding& x : v) out.push_back(value(x));
    return out;
  } else if constexpr (std::same_as<T, Lines>) {
    json out = json::array();
    for (const std::string& x : v) out.push_back(value(x));
    return out;
  } else {
    json out = json::object();
    members(v, [&]<class M>(const char* key, const M& member) {
      if constexpr (std::same_as<M, Lines>) {
        if (member.empty()) return;
      } else if constexpr (std::same_as<M, Judged>) {
        if (!member) return;
      } else if constexpr (std::same_as<M, std::string>) {
        if (member.empty() && std::string_view(key) == "outputs") return;
      } else if constexpr (std::same_as<M, Drift>) {
        if (member.outputs == 0) return;
      }
      out[key] = value(member);
    });
    return out;
  }
}

// Reading throws this room's own type inwards only: verdict_from_text catches it.
struct Bad {
  std::string text;
};

template <class E>
E enum_from(const json& j, std::string_view key, E last) {
  const auto& name = j.get_ref<const std::string&>();
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (name_of(static_cast<E>(i)) == name) return static_cast<E>(i);
  }
  throw Bad{fmt::format("'{}' is '{}', which is not one of its names", key, name)};
}

template <class T>
void read(const json& j, std::string_view key, T& v) {
  if constexpr (std::same_as<T, double>) {
    if (j.is_string()) {
      const auto& s = j.get_ref<const std::string&>();
      constexpr double kInf = std::numeric_limits<double>::infinity();
      if (s != "nan" && s != "inf" && s != "-inf") {
        throw Bad{fmt::format("'{}' is '{}': expected a number, inf, -inf or nan", key, s)};
      }
      v = s == "nan" ? std::numeric_limits<double>::quiet_NaN() : s == "inf" ? kInf : -kInf;
    } else {
      v = j.get<double>();
    }
  } else if constexpr (std::same_as<T, std::string> || std::is_arithmetic_v<T>) {
    if constexpr (std::same_as<T, bool>) {
      if (!j.is_boolean()) throw Bad{fmt::format("'{}' is not true or false", key)};
    } else if constexpr (std::integral<T>) {
      if (!j.is_number_integer()) throw Bad{fmt::format("'{}' is not an integer", key)};
    }
    v = j.get<T>();
  } else if constexpr (std::same_as<T, FindingKind>) {
    v = enum_from(j, key, FindingKind::device_fault);
  } else if constexpr (std::same_as<T, SkipReason>) {
    v = enum_from(j, key, SkipReason::interrupted);
  } else if constexpr (std::same_as<T, std::optional<Party>>) {
    if (j.is_null()) {
      v.reset();
    } else {
      read(j, key, v.emplace());
    }
  } else if constexpr (std::same_as<T, Judged>) {
    read(j, key, v.emplace());
  } else if constexpr (std::same_as<T, std::vector<Finding>>) {
    if (!j.is_array()) throw Bad{fmt::format("'{}' is not a list", key)};
    for (const json& x : j) read(x, key, v.emplace_back());
  } else if constexpr (std::same_as<T, Lines>) {
    if (!j.is_array()) throw Bad{fmt::format("'{}' is not a list", key)};
    for (const json& x : j) read(x, key, v.emplace_back());
  } else {
    members(v, [&]<class M>(const char* name, M& member) {
      const auto at = j.find(name);
      // What older stores lack as well.
      constexpr bool kOptional =
          std::same_as<M, Lines> || std::same_as<M, Drift> || std::same_as<M, Judged>;
      const std::string_view word = name;
      if (at == j.end() &&
          (kOptional || word == "exposure" || word == "where" || word == "outputs"))
        return;
      if (at == j.end()) throw Bad{fmt::format("'{}' has no member '{}'", key, name)};
      read(*at, name, member);
    });
  }
}

template <size_t I = 0>
Outcome outcome_from(VerdictKind kind, const json& j) {
  if constexpr (I == std::variant_size_v<Outcome>) {
    throw Bad{"'kind' names no outcome"};
  } else {
    Outcome o{std::in_place_index<I>};
    if (kind_of(o) != kind) return outcome_from<I + 1>(kind, j);
    read(j, "outcome", std::get<I>(o));
    return o;
  }
}

Verdict read_verdict(const json& j) {
  Verdict v;
  read(j.at("line"), "line", v.line);
  for (const json& o : j.at("outcomes")) {
    const auto& name = o.at("kind").get_ref<const std::string&>();
    const auto kind = verdict_kind_from(name);
    if (!kind) throw Bad{fmt::format("'kind' is '{}', which is not a verdict", name)};
    v.outcomes.push_back(outcome_from(*kind, o));
  }
  if (v.outcomes.empty()) throw Bad{"'outcomes' is empty"};
  read(j.at("ran"), "ran", v.ran);
  return make_verdict(std::move(v.line), std::move(v.outcomes), std::move(v.ran));
}

}  // namespace

json number_to_json(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return v;
}

json verdict_to_json(const Verdict& v) {
  json outcomes = json::array();
  for (const Outcome& o : v.outcomes) {
    json one = std::visit([](const auto& x) { return value(x); }, o);
    one["kind"] = std::string(name_of(kind_of(o)));
    outcomes.push_back(std::move(one));
  }
  return {{"line", printable_utf8(v.line)},
          {"kind", std::string(name_of(v.kind()))},
          {"green", v.green()},
          {"outcomes", std::move(outcomes)},
          {"ran", value(v.ran)}};
}

std::string verdict_to_text(const Verdict& v) { return verdict_to_json(v).dump(); }

Result<Verdict> verdict_from_text(std::string_view text) {
  try {
    return read_verdict(json::parse(text));
  } catch (const Bad& e) {
    return fail("not a verdict: {}", e.text);
  } catch (const json::exception& e) {
    return fail("not a verdict: {}", e.what());
  }
}

}  // namespace w4
