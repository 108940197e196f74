#include "campaign/vote/tally.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/dtypes.h"
#include "results/text.h"

namespace w4::vote {
namespace {

std::string on(const Case& c, const std::string& device) {
  Case other = c;
  other.device = device;
  return to_string(other);
}

std::string first_line(const Verdict& v) {
  const std::string text = to_string(v.primary());
  return text.substr(0, text.find('\n'));
}

std::string reason_of(const Verdict& v) {
  const auto* s = std::get_if<Skipped>(&v.primary());
  return s == nullptr ? "" : fmt::format("{}: {}", name_of(s->reason), s->detail);
}

std::string text_of(const Difference& d) {
  return d.ulps == std::numeric_limits<int64_t>::max() ? "a NaN against a number"
                                                       : fmt::format("{} ulp", d.ulps);
}

}  // namespace

Tally::Tally(const std::vector<std::string>& devices) {
  for (const std::string& d : devices) devices_.push_back({d});
  for (size_t a = 0; a < devices.size(); ++a) {
    for (size_t b = a + 1; b < devices.size(); ++b) pairs_.push_back({a, b});
  }
}

void Tally::complain_of_red(const Ballot& ballot) {
  std::vector<std::string> red, green, lines;
  for (size_t d = 0; d < devices_.size(); ++d) {
    const Voice& v = ballot.voices[d];
    if (v.skipped()) continue;
    if (v.counts()) {
      green.push_back(devices_[d].name);
      continue;
    }
    red.push_back(fmt::format("{} ({})", devices_[d].name, first_line(v.verdict)));
    lines.push_back(on(ballot.value, devices_[d].name));
  }
  if (red.empty()) return;
  complaints_.push_back(
      {fmt::format("red on {}; {}", fmt::join(red, ", "),
                   green.empty() ? "no device that ran it is green"
                                 : fmt::format("green on {}", fmt::join(green, ", "))),
       std::move(lines)});
}

void Tally::add(const Ballot& ballot) {
  ++cases_;
  const DType type = ballot.value.problem.act;
  for (size_t d = 0; d < devices_.size(); ++d) {
    const Voice& v = ballot.voices[d];
    DeviceCount& count = devices_[d];
    if (v.skipped()) {
      ++count.skipped;
      ++count.reasons[reason_of(v.verdict)];
    } else if (!v.counts()) {
      ++count.red;
    } else if (v.verdict.kind() == VerdictKind::mistrusted) {
      ++count.mistrusted;
    } else {
      ++count.green;
    }
  }
  complain_of_red(ballot);
  for (PairCount& pair : pairs_) {
    const Voice &a = ballot.voices[pair.a], &b = ballot.voices[pair.b];
    const Agreement agreement = agreement_of(a, b, type);
    ++pair.cases[static_cast<size_t>(agreement)];
    if (agreement < Agreement::instantiation) continue;
    Difference d;
    if (a.out.size() == b.out.size()) d = difference_of(a.out, b.out, type);
    if (agreement == Agreement::unexplained) {
      const std::string &first = devices_[pair.a].name, &second = devices_[pair.b].name;
      complaints_.push_back(
          {fmt::format("unexplained: {} and {} ran the same kernels as fp={}; {} of {} elements "
                       "differ, by {} at most",
                       first, second, a.verdict.ran.fp, d.differ, a.out.size(), text_of(d)),
           {on(ballot.value, first), on(ballot.value, second)}});
    }
    if (d.at < 0) continue;
    const auto at = static_cast<size_t>(d.at);
    Apart apart{ballot.value, d, to_f64(type, a.out[at]), to_f64(type, b.out[at])};
    apart.value.device = devices_[pair.a].name;
    const auto place = std::ranges::upper_bound(pair.farthest, d.ulps, std::ranges::greater{},
                                                [](const Apart& x) { return x.difference.ulps; });
    if (pair.farthest.size() == kKept && place == pair.farthest.end()) continue;
    pair.farthest.insert(place, std::move(apart));
    if (pair.farthest.size() > kKept) pair.farthest.pop_back();
  }
}

int64_t Tally::compared() const {
  int64_t out = 0;
  for (const PairCount& p : pairs_) {
    for (int a = static_cast<int>(Agreement::equal); a < kAgreements; ++a)
      out += p.cases[static_cast<size_t>(a)];
  }
  return out;
}

std::string to_text(const Tally& t) {
  constexpr size_t kShown = 20;
  size_t width = 6;
  for (const DeviceCount& d : t.devices()) width = std::max(width, d.name.size());
  std::string out = fmt::format("{:<{}}  {:>8}  {:>6}  {:>10}  {:>8}\n", "device", width, "green",
                                "red", "mistrusted", "skipped");
  for (const DeviceCount& d : t.devices()) {
    out += fmt::format("{:<{}}  {:>8}  {:>6}  {:>10}  {:>8}\n", d.name, width, d.green, d.red,
                       d.mistrusted, d.skipped);
    for (const auto& [reason, count] : d.reasons)
      out += fmt::format("  {} skipped: {}\n", count, reason);
  }
  const size_t two = 2 * width + 1;
  out += fmt::format("\n{:<{}}", "pair", two);
  for (int a = 0; a < kAgreements; ++a)
    out += fmt::format("  {:>13}", name_of(static_cast<Agreement>(a)));
  out += "  farthest apart\n";
  for (const PairCount& p : t.pairs()) {
    out += fmt::format("{:<{}}", fmt::format("{} {}", t.devices()[p.a].name, t.devices()[p.b].name),
                       two);
    for (const int64_t n : p.cases) out += fmt::format("  {:>13}", n);
    if (p.farthest.empty()) {
      out += "  -\n";
      continue;
    }
    const Apart& most = p.farthest.front();
    out += fmt::format("  {}", text_of(most.difference));
    double share = -1;
    for (const Apart& x : p.farthest) share = std::max(share, x.share.value_or(-1));
    if (share >= 0) out += fmt::format("; {:.3g} of an interval", share);
    out += '\n';
  }
  out += '\n';
  for (int a = 0; a < kAgreements; ++a) {
    out += fmt::format("{:<{}}  {}\n", name_of(static_cast<Agreement>(a)), 13,
                       says_of(static_cast<Agreement>(a)));
  }
  for (const PairCount& p : t.pairs()) {
    if (p.farthest.empty()) continue;
    const Apart& most = p.farthest.front();
    const int64_t n = std::max<int64_t>(most.value.problem.n, 1);
    out +=
        fmt::format("\nfarthest apart, {} {}: out[{},{}] is {:g} and {:g}\n  w4check rerun '{}'\n",
                    t.devices()[p.a].name, t.devices()[p.b].name, most.difference.at / n,
                    most.difference.at % n, most.first, most.second, to_string(most.value));
  }
  for (size_t i = 0; i < t.complaints().size() && i < kShown; ++i) {
    const Complaint& c = t.complaints()[i];
    out += fmt::format("\n{}\n", c.what);
    for (const std::string& line : c.lines) out += fmt::format("  w4check rerun '{}'\n", line);
  }
  if (t.complaints().size() > kShown)
    out += fmt::format("\n{} more; --json has them all\n", t.complaints().size() - kShown);
  return printable_utf8(out);
}

nlohmann::json to_json(const Tally& t) {
  using nlohmann::json;
  json devices = json::array(), pairs = json::array(), complaints = json::array();
  for (const DeviceCount& d : t.devices()) {
    json reasons = json::object();
    for (const auto& [reason, count] : d.reasons) reasons[printable_utf8(reason)] = count;
    devices.push_back({{"device", d.name},
                       {"green", d.green},
                       {"red", d.red},
                       {"mistrusted", d.mistrusted},
                       {"skipped", d.skipped},
                       {"reasons", std::move(reasons)}});
  }
  for (const PairCount& p : t.pairs()) {
    json counts = json::object(), farthest = json::array();
    for (int a = 0; a < kAgreements; ++a) {
      const auto x = static_cast<Agreement>(a);
      counts[std::string(name_of(x))] = p.of(x);
    }
    for (const Apart& x : p.farthest) {
      json one{{"line", to_string(x.value)},
               {"element", x.difference.at},
               {"ulps", x.difference.ulps},
               {"differ", x.difference.differ},
               {"first", fmt::format("{:.9g}", x.first)},
               {"second", fmt::format("{:.9g}", x.second)}};
      if (x.share) one["share_of_interval"] = *x.share;
      farthest.push_back(std::move(one));
    }
    pairs.push_back({{"first", t.devices()[p.a].name},
                     {"second", t.devices()[p.b].name},
                     {"cases", std::move(counts)},
                     {"farthest", std::move(farthest)}});
  }
  for (const Complaint& c : t.complaints())
    complaints.push_back({{"what", printable_utf8(c.what)}, {"rerun", c.lines}});
  return {{"cases", t.cases()},
          {"compared", t.compared()},
          {"devices", std::move(devices)},
          {"pairs", std::move(pairs)},
          {"complaints", std::move(complaints)}};
}

}  // namespace w4::vote
