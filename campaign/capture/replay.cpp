#include "campaign/capture/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/gpu.h"

namespace w4::capture {
namespace {

class Comparison {
 public:
  Comparison(const Probe& p, int family, const Operands& operands, Replayed& out)
      : p_(p), family_(family), operands_(operands), out_(out) {}

  void exact(size_t i, uint32_t expected, uint32_t got) {
    if (expected == got) return;
    if (same_result(p_.result, expected, got)) {
      ++out_.payloads;
    } else if (p_.within_ulp() && within_one_ulp(p_.result, expected, got)) {
      ++out_.within_ulp;
    } else {
      add(i, show(p_.result, expected), got);
    }
  }
  // One block of 32 words from `first` on.
  void digests(size_t first, const uint8_t* bytes, uint64_t block, const uint32_t* got) {
    bool found = false;
    for (size_t i = 0; i < 32; ++i) {
      if (digest_of(p_.result, got[i]) == bytes[i]) continue;
      found = true;
      add(first + i,
          fmt::format("another value (its digest is {:02x}, not {:02x})", bytes[i],
                      digest_of(p_.result, got[i])),
          got[i]);
    }
    if (found || block_of(p_.result, got) == block) return;
    ++out_.differing;
    if (out_.differences.size() < kShown) {
      out_.differences.push_back(
          {std::string(p_.name), std::string(p_.instruction), std::string(p_.form),
           fmt::format("one of the 32 values from number {} on, the first of which has {}", first,
                       describe(p_, family_, operands_, first)),
           fmt::format("hash {:016x}", block),
           fmt::format("hash {:016x}", block_of(p_.result, got))});
    }
  }

 private:
  void add(size_t i, std::string expected, uint32_t got) {
    ++out_.differing;
    if (out_.differences.size() >= kShown) return;
    out_.differences.push_back({std::string(p_.name), std::string(p_.instruction),
                                std::string(p_.form), describe(p_, family_, operands_, i),
                                std::move(expected), show(p_.result, got)});
  }

  const Probe& p_;
  int family_;
  const Operands& operands_;
  Replayed& out_;
};

}  // namespace

std::string to_string(const Difference& d) {
  return fmt::format("{}{}{}{}\n  operands: {}\n  expected: {}\n  got:      {}", d.instruction,
                     d.form.empty() ? "" : " (", d.form, d.form.empty() ? "" : ")", d.operands,
                     d.expected, d.got);
}

Replayed replay_probe(const ProbeRecord& r, int operands_version, Bench& bench) {
  Replayed out;
  out.probe = r.name, out.instruction = r.instruction;
  const Probe* p = find_probe(r.name);
  if (p == nullptr || p->instruction != r.instruction || p->form != r.form ||
      !p->on(bench.family())) {
    out.left_out = "this w4check has no such probe";
    return out;
  }
  if (!r.failed.empty()) {
    out.left_out = fmt::format("the capture has no results: {}", r.failed);
    const size_t least = 32 * static_cast<size_t>(p->registers_out(bench.family()));
    out.unsupported =
        !bench.run(*p, make_operands(*p, bench.family(), least)) && bench.unsupported();
    return out;
  }
  const size_t each = 32 * static_cast<size_t>(p->registers_out(bench.family()));
  if (operands_version != kOperands || r.words == 0 || r.words % each != 0) {
    out.left_out =
        fmt::format("captured with operands of version {}; this w4check makes those of {}",
                    operands_version, kOperands);
    return out;
  }
  const Operands operands = make_operands(*p, bench.family(), r.words);
  if (operands.hash() != r.operands) {
    out.left_out = fmt::format("captured with operands {:016x}; this w4check makes {:016x} of them",
                               r.operands, operands.hash());
    return out;
  }
  const auto got = bench.run(*p, operands);
  if (!got && bench.unsupported()) {
    out.unsupported = true;
    out.left_out = fmt::format("the emulator does not carry it out: {}", got.error().text);
    return out;
  }
  if (!got) {
    out.differing = 1;
    out.differences.push_back({r.name, r.instruction, r.form, "all of them", "results",
                               fmt::format("none: {}", got.error().text)});
    return out;
  }
  out.values = r.words;
  Comparison compare(*p, bench.family(), operands, out);
  for (size_t i = 0; i < r.exact.size(); ++i) compare.exact(i, r.exact[i], (*got)[i]);
  for (size_t b = 0; b < r.blocks.size(); ++b) {
    const size_t first = r.exact.size() + 32 * b;
    compare.digests(first, &r.bytes[32 * b], r.blocks[b], got->data() + first);
  }
  return out;
}

std::vector<Replayed> replay_probes(const Capture& c, Bench& bench) {
  std::vector<Replayed> out;
  for (const ProbeRecord& r : c.probes) out.push_back(replay_probe(r, c.operands, bench));
  return out;
}

std::vector<std::string> agreeing_instructions(const Capture& c, const std::vector<Replayed>& all) {
  const GpuModel* gpu = find_gpu(c.arch);
  if (gpu == nullptr) return {};
  std::map<std::string, bool, std::less<>> agrees;
  for (const Probe& p : probes()) {
    if (!p.on(gpu->family)) continue;
    const auto r = std::ranges::find(all, p.name, &Replayed::probe);
    if (r != all.end() && r->unsupported) continue;
    const bool good = r != all.end() && r->agrees();
    const auto [at, fresh] = agrees.try_emplace(std::string(p.instruction), good);
    if (!fresh) at->second = at->second && good;
  }
  std::vector<std::string> out;
  for (const auto& [instruction, good] : agrees)
    if (good) out.push_back(instruction);
  return out;
}

}  // namespace w4::capture
