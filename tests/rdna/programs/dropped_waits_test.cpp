// Every wait of compiled programs dropped in turn: a wait that some register needs is missed by the
// check `waits`. Whether a wait runs at all is asked by a trap in its place.
#include <algorithm>
#include <cstdio>
#include <map>

#include "rdna/code_object.h"
#include "tests/rdna/programs/run_program.h"

namespace w4::rdna::programs {
namespace {

constexpr uint32_t kNop = 0xbf800000, kTrap = 0xbf900002;

struct Wait {
  size_t at = 0;  // byte of the object
  std::string text;
  bool orders = false;  // for stores alone, or right before a barrier: it may serve other waves
};

bool is_wait(std::string_view m) {
  return m.starts_with("s_wait") && m != "s_wait_alu" && m != "s_waitcnt_depctr";
}

// The waits of a kernel's code, from its entry up to the next kernel or the padding at the end.
std::vector<Wait> waits_of(const CodeObject::Impl& code, uint64_t entry) {
  std::vector<Wait> out;
  size_t open = 0;  // waits from here on have nothing but waits behind them
  uint64_t end = ~uint64_t{0};
  for (const Descriptor& d : code.descriptors) {
    if (d.entry > entry) end = std::min(end, d.entry);
  }
  for (uint64_t pc = entry; pc < end;) {
    const std::span<const std::byte> bytes = code.code_at(pc);
    const auto d = code.mc->decode(bytes.first(std::min<size_t>(bytes.size(), 20)), pc);
    if (d.size == 0) break;
    const std::string m = code.mc->mnemonic(d), text = code.mc->text(d, pc);
    if (m == "s_code_end") break;
    if (is_wait(m) && d.size == 4) {
      const bool stores = m.find("storecnt") != m.npos || m.find("vscnt") != m.npos;
      out.push_back({static_cast<size_t>(bytes.data() - code.bytes.data()), text, stores});
    } else {
      for (; open < out.size(); ++open) out[open].orders |= m.starts_with("s_barrier");
    }
    pc += d.size;
  }
  return out;
}

LaunchReport with_word(std::vector<std::byte> bytes, const Wait& wait, uint32_t word,
                       const Program& p, uint32_t checks) {
  std::memcpy(&bytes[wait.at], &word, sizeof word);
  Rig rig(bytes, p.name);
  LaunchConfig how;
  how.checks = checks;
  how.step_limit = 50'000'000;
  return launch_program(rig, p.name, p.setup(), how).report;
}

struct Tally {
  int waits = 0, executed = 0, orders = 0, found = 0;
  std::map<std::string, int> survivors;  // executed, not found, no such order
};

void drop_each(const std::vector<std::byte>& bytes, const CodeObject::Impl& code, const Program& p,
               Tally& tally) {
  const auto k = std::ranges::find(code.kernels, p.name, &KernelInfo::symbol);
  ASSERT_NE(k, code.kernels.end());
  const auto kernel = static_cast<size_t>(k - code.kernels.begin());
  for (const Wait& w : waits_of(code, code.descriptors[kernel].entry)) {
    ++tally.waits;
    if (with_word(bytes, w, kTrap, p, 0).end != LaunchReport::End::unsupported) continue;
    ++tally.executed;
    const LaunchReport r = with_word(bytes, w, kNop, p, kWaits);
    if (std::ranges::find(r.findings, FindingKind::wait_counter, &Finding::kind) !=
        r.findings.end()) {
      ++tally.found;
      continue;
    }
    EXPECT_EQ(r.end, LaunchReport::End::completed) << p.name << what(r);
    if (w.orders) {
      ++tally.orders;
    } else {
      ++tally.survivors[std::string(p.name) + ": " + w.text];
    }
  }
}

class DroppedWaits : public testing::TestWithParam<std::string> {};

TEST_P(DroppedWaits, AreFoundWhereARegisterNeedsThem) {
  const Family* family = family_of(GetParam());
  ASSERT_NE(family, nullptr);
  const std::vector<std::byte> bytes = file_bytes(GetParam());
  const Rig rig(bytes, GetParam());
  Tally t;
  for (const Program& p : family->programs) drop_each(bytes, rig.object().impl(), p, t);
  std::printf("%s: %d waits, %d executed, %d found, %d of the others serve order\n",
              GetParam().c_str(), t.waits, t.executed, t.found, t.orders);
  for (const auto& [text, n] : t.survivors) std::printf("  survives: %s x%d\n", text.c_str(), n);
  // What survives beyond waits of order: loads whose value nobody uses, LDS stores before an
  // atomic.
  EXPECT_GE(t.executed, 40);
  EXPECT_GE(t.found, (t.executed - t.orders) * 95 / 100);
}

INSTANTIATE_TEST_SUITE_P(All, DroppedWaits, testing::ValuesIn(paths(W4_DROPPED)), test_name);

}  // namespace
}  // namespace w4::rdna::programs
