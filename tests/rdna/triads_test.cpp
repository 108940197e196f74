// Runs every triad on every object: the fault must be found where it is, by its own check alone and
// in the fast run too; the twin must be silent, write all of its output, and stay so in other
// orders.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tests/rdna/rig.h"
#include "tests/rdna/triad.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

const std::array kFolders{&kAlignTriads,      &kBarrierTriads, &kBoundsTriads,  &kGemmTriads,
                          &kGlobalRaceTriads, &kLanesTriads,   &kLdsRaceTriads, &kLimitTriads,
                          &kUninitTriads,     &kWritersTriads};

struct Row {
  const Triads* folder;
  const Triad* triad;
  std::string object;
};
void PrintTo(const Row& r, std::ostream* out) { *out << r.folder->folder << '/' << r.triad->name; }

struct Mark {
  std::string what, name, place;  // "FOUND", "tail_m", "bounds.hip:12"
};

// The marks in the device code of a folder.
const std::vector<Mark>& marks_of(std::string_view folder) {
  static std::map<std::string_view, std::vector<Mark>> known;
  const auto [it, fresh] = known.try_emplace(folder);
  if (!fresh) return it->second;
  const std::regex mark("// (FOUND|OTHER|BORN) ([a-z_0-9]+)");
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(W4_TRIAD_SOURCES) / folder)) {
    if (file.path().extension() == ".cpp") continue;
    std::ifstream source(file.path());
    int number = 0;
    for (std::string line; std::getline(source, line);) {
      ++number;
      for (std::sregex_iterator i(line.begin(), line.end(), mark), end; i != end; ++i)
        it->second.push_back(
            {(*i)[1], (*i)[2], fmt::format("{}:{}", file.path().filename().string(), number)});
    }
  }
  return it->second;
}

std::set<std::string> marked(std::string_view folder, std::string_view what,
                             std::string_view name) {
  std::set<std::string> out;
  for (const Mark& m : marks_of(folder)) {
    if (m.what == what && m.name == name) out.insert(m.place);
  }
  return out;
}

// Whether one of the calls that a report prints is at one of `places`.
bool at_one_of(const std::string& source, const std::set<std::string>& places) {
  return std::ranges::any_of(places, [&](const std::string& p) {
    return std::regex_search(source, std::regex(p + "( |$)"));
  });
}

bool same_party(Other other, const Party& a, const Party& b) {
  if (a.workgroup != b.workgroup) return false;
  if (other == Other::workgroup) return true;
  return a.wave == b.wave && (other == Other::wave || a.lane == b.lane);
}

class TriadTest : public testing::TestWithParam<Row> {
 protected:
  const Triads& folder_ = *GetParam().folder;
  const Triad& t_ = *GetParam().triad;
  Rig rig_{GetParam().object};
  Address out_ = 0;
  const std::set<std::string> found_ = marked(folder_.folder, "FOUND", t_.name),
                              other_ = marked(folder_.folder, "OTHER", t_.name);

  uint32_t check() const { return t_.check ? t_.check : folder_.check; }

  LaunchReport run(bool fault, bool confirm, uint32_t checks = kAllChecks, Schedule order = {});
  void expect_trace(const Finding& f, bool asked) const;
  std::string difference(const Finding& f, bool confirm, bool any_order) const;
  std::vector<uint32_t> output(const Launch& l) { return rig_.read<uint32_t>(out_, l.out / 4); }
  void expect_one(const LaunchReport& r, bool confirm, bool any_order) const;
  void expect_found(bool confirm, Schedule order = {});
  void expect_wrong_answer();
  void expect_unwritten();
  void expect_clean(bool confirm, Schedule order = {});
};

LaunchReport TriadTest::run(bool fault, bool confirm, uint32_t checks, Schedule order) {
  const Launch& l = fault && t_.faulty ? *t_.faulty : t_.launch;
  Memory& memory = rig_.emulator().memory();
  memory.release_all();
  const auto fill = [&](const char* name, uint64_t bytes, auto word) -> Address {
    if (bytes == 0) return 0;
    std::vector<uint32_t> words((bytes + 3) / 4);
    for (size_t i = 0; i < words.size(); ++i) words[i] = word(static_cast<uint32_t>(i));
    const Address a = rig_.allocate({.name = name, .bytes = bytes});
    EXPECT_TRUE(memory.write(a, std::as_bytes(std::span(words)).first(bytes)));
    return a;
  };
  struct {
    Address in, wei, scale, out, work;
    int m, n, k, g;
  } args{};
  args.in = fill("in", l.in, [](uint32_t i) { return i; });
  args.wei = fill("wei", l.wei, [](uint32_t i) { return (i + 1) * 0x9e3779b9u; });
  args.scale = fill("scale", l.scale, [](uint32_t) { return 0x3c003c00u; });
  args.out = out_ = rig_.output("out", l.out);
  if (l.work)
    args.work =
        rig_.allocate({.name = "work", .bytes = l.work, .writable = true, .initialised = !l.raw});
  if (l.pads) {
    const auto row = static_cast<uint64_t>(l.k) * 4;
    for (uint64_t at = row; at + 16 <= l.in; at += row + 16)
      EXPECT_TRUE(memory.mark_gap(args.in + at, 16));
  }
  args.m = l.m, args.n = l.n, args.k = l.k, args.g = l.g;
  std::vector<std::byte> bytes(sizeof args);
  std::memcpy(bytes.data(), &args, sizeof args);
  bytes.resize(static_cast<size_t>(static_cast<int>(sizeof args) - l.missing_argument_bytes));
  LaunchConfig c = config(l.grid, l.block);
  c.grid.y = l.grid_y;
  c.dynamic_lds = l.dynamic_lds;
  c.checks = checks;
  c.schedule = order;
  c.confirm = c.trace = confirm;
  c.step_limit = 50'000;
  const std::string symbol = fault ? fmt::format("{}_fault", t_.name)
                                   : fmt::format("{}_clean", t_.twin.empty() ? t_.name : t_.twin);
  return rig_.emulator().launch(rig_.object(), symbol, c, bytes);
}

// What of f is not as the row says; empty: nothing. `any_order`: in another schedule another party
// of a race may be the late one, at another place.
std::string TriadTest::difference(const Finding& f, bool confirm, bool any_order) const {
  if (f.kind != (confirm ? *t_.kind : t_.fast_kind.value_or(*t_.kind))) return "kind";
  if (f.kernel != fmt::format("{}_fault(Args)", t_.name) &&
      f.kernel != fmt::format("{}_fault", t_.name))
    return "kernel " + f.kernel;
  if (!t_.says.empty() && !f.detail.contains(t_.says)) return "detail";
  if (*t_.kind == FindingKind::limit) return "";
  std::set<std::string> here = found_;
  if (any_order) here.insert(other_.begin(), other_.end());
  if (!at_one_of(f.at.source, here)) return "source line";
  if (f.at.workgroup < 0 || f.at.wave < 0 || f.at.instruction.empty()) return "incomplete party";
  if (!any_order) {
    if (t_.wave >= 0 && f.at.wave != t_.wave) return "wave";
    if (t_.lane >= 0 && f.at.lane != t_.lane) return "lane";
    if (!t_.buffer.empty() && f.buffer != t_.buffer) return "buffer";
    if (t_.offset && f.offset != *t_.offset) return "offset";
  }
  if (t_.other != Other::none) {
    if (!f.other) return "no other party";
    // The fast run knows no place of LDS accesses, nobody that of a double write.
    const bool placed = f.other->pc != 0;
    if (confirm && !other_.empty() && !placed) return "other party without a place";
    std::set<std::string> there = other_;
    if (any_order) there.insert(found_.begin(), found_.end());
    if (placed && !at_one_of(f.other->source, there)) return "source line of the other party";
    if (same_party(t_.other, f.at, *f.other)) return "other party is the same";
  }
  if (confirm && !t_.born.empty()) {
    std::string born(t_.born);
    const std::set<std::string> places = marked(folder_.folder, "BORN", t_.name);
    if (const size_t at = born.find("{BORN}"); at != born.npos)
      born.replace(at, 6, fmt::format("({})[^;`]*", fmt::join(places, "|")));
    if (!std::regex_match(f.born, std::regex(born))) return "birth";
  }
  return "";
}

// One of the findings is the row's; else `what` says how they differ.
// Where it is asked for: the instruction found, with its line, and what the wave's registers hold.
void TriadTest::expect_trace(const Finding& f, bool asked) const {
  const std::string text = trace_text(f.trace);
  if (!asked || f.kind == FindingKind::limit) {
    EXPECT_EQ(text, "");
    return;
  }
  const std::string source = f.at.source.substr(0, f.at.source.find(' '));
  const std::string here = fmt::format("{:#x} `{}` at {}\n", f.at.pc, f.at.instruction, source);
  EXPECT_THAT(text, HasSubstr("\n    " + here));
  EXPECT_THAT(text, HasSubstr("\n  registers at " + here));
  EXPECT_THAT(text, HasSubstr("\n    exec 0x"));
  EXPECT_EQ(text.contains("\n  waves of workgroup"),
            f.kind == FindingKind::deadlock || f.kind == FindingKind::barrier_divergence)
      << text;
  // The undefined value of a store (of an atomic it may be in memory) is in a register, and shown
  // in the lane of the finding.
  if (f.kind == FindingKind::undefined_store && f.at.instruction.starts_with("global_store")) {
    const std::regex lane(fmt::format("\n +lane {} [^\n]*(\n    v[^\n]*)*[?]", f.at.lane));
    EXPECT_TRUE(std::regex_search(text, lane)) << text;
  }
}

void TriadTest::expect_one(const LaunchReport& r, bool confirm, bool any_order) const {
  std::string why = "no finding";
  for (const Finding& f : r.findings) {
    const std::string d = difference(f, confirm, any_order);
    if (d != "kind" || why == "no finding") why = d;
    if (d.empty()) return;
  }
  ADD_FAILURE() << "differs: " << why << what(r);
}

void TriadTest::expect_found(bool confirm, Schedule order) {
  const bool any_order = order.order != t_.only_in.value_or(Order::rr);
  const LaunchReport all = run(true, confirm, kAllChecks, order);
  for (const Finding& f : all.findings) expect_trace(f, confirm);
  if (t_.before) {
    EXPECT_EQ(std::ranges::count(all.findings, *t_.before, &Finding::kind), 1) << what(all);
  } else {
    expect_one(all, confirm, any_order);
  }
  if (check() == 0 || t_.always) return;
  // Its own check finds it alone, and nothing else; without the check nobody does.
  const LaunchReport alone = run(true, confirm, check(), order);
  expect_one(alone, confirm, any_order);
  for (const Finding& f : alone.findings) {
    EXPECT_EQ(f.kind, confirm ? *t_.kind : t_.fast_kind.value_or(*t_.kind)) << to_string(f);
  }
  if (!confirm) return;  // undefined and inactive are one and the same to the fast run
  const LaunchReport off = run(true, confirm, kAllChecks & ~check(), order);
  EXPECT_EQ(std::ranges::count(off.findings, *t_.kind, &Finding::kind), 0) << what(off);
}

void TriadTest::expect_wrong_answer() {
  const LaunchReport bad = run(true, true);
  EXPECT_EQ(bad.end, LaunchReport::End::completed) << what(bad);
  const std::vector<uint32_t> wrong = output(t_.launch);
  run(false, true);
  const std::vector<uint32_t> right = output(t_.launch);
  const auto [at, unused] = std::ranges::mismatch(wrong, right);
  ASSERT_NE(at, wrong.end()) << "the fault gives the right answer";
  if (t_.offset) EXPECT_EQ((at - wrong.begin()) * 4, *t_.offset);
}

void TriadTest::expect_unwritten() {
  const LaunchReport bad = run(true, true);
  EXPECT_EQ(bad.end, LaunchReport::End::completed) << what(bad);
  const std::vector<uint64_t> missing = rig_.emulator().memory().unwritten(out_, 1);
  ASSERT_FALSE(missing.empty());
  EXPECT_EQ(static_cast<int64_t>(missing[0]), *t_.offset);
}

void TriadTest::expect_clean(bool confirm, Schedule order) {
  const LaunchReport r = run(false, confirm, kAllChecks, order);
  EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_TRUE(rig_.emulator().memory().unwritten(out_, 1).empty())
      << "the twin leaves output unwritten";
}

constexpr Schedule kOrders[] = {{}, {Order::reversed, 0}, {Order::random, 3}};

TEST_P(TriadTest, FaultIsFound) {
  if (t_.only_clean) return;
  if (!t_.kind) return expect_wrong_answer();
  if (*t_.kind == FindingKind::unwritten_output) return expect_unwritten();
  for (const Schedule& order : kOrders) {
    if (t_.only_in && order.order != *t_.only_in) continue;
    for (bool confirm : {false, true}) {
      SCOPED_TRACE(fmt::format("confirm {}, order {}", confirm, static_cast<int>(order.order)));
      expect_found(confirm, order);
      if (*t_.kind == FindingKind::limit) return;
    }
  }
}

TEST_P(TriadTest, TwinIsClean) {
  for (const Schedule& order : kOrders) {
    for (bool confirm : {false, true}) {
      if (!confirm && t_.halves_may_alarm) continue;
      SCOPED_TRACE(fmt::format("confirm {}, order {}", confirm, static_cast<int>(order.order)));
      expect_clean(confirm, order);
    }
  }
}

bool runs_on(Arch a, std::string_view object) {
  return a == Arch::any || object.contains(a == Arch::gfx12 ? ".gfx12" : ".gfx11");
}

std::vector<Row> all_rows() {
  std::vector<Row> out;
  for (const std::string& path : paths(W4_TRIADS)) {
    const std::string file = path.substr(path.find_last_of('/') + 1);
    for (const Triads* folder : kFolders) {
      if (!file.starts_with(fmt::format("{}-", folder->folder))) continue;
      for (const Triad& t : folder->rows) {
        if (runs_on(t.arch, file)) out.push_back({folder, &t, path});
      }
    }
  }
  return out;
}

// "bounds_tail_m_O3_gfx1151"
std::string name_of_row(const testing::TestParamInfo<Row>& info) {
  std::string object = test_name({info.param.object, 0});
  object.erase(0, info.param.folder->folder.size());
  return fmt::format("{}_{}{}", info.param.folder->folder, info.param.triad->name, object);
}

INSTANTIATE_TEST_SUITE_P(Triads, TriadTest, testing::ValuesIn(all_rows()), name_of_row);

TEST(Triads, EveryMarkBelongsToARow) {
  for (const Triads* folder : kFolders) {
    for (const Mark& m : marks_of(folder->folder)) {
      EXPECT_TRUE(
          std::ranges::any_of(folder->rows, [&](const Triad& t) { return t.name == m.name; }))
          << m.place << ": " << m.name;
    }
  }
}

}  // namespace
}  // namespace w4::rdna
