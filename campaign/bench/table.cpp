#include <fmt/format.h>

#include <algorithm>

#include "campaign/bench/shown.h"
#include "results/text.h"

namespace w4::bench {
namespace {

std::string microseconds(double seconds) { return fmt::format("{:.2f}", seconds * 1e6); }

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

// How far the samples lie from their median at most.
std::string spread(const Samples& s) {
  const double middle = s.median();
  return percent(std::max(s.high() - middle, middle - s.low()) / middle);
}

struct Call {
  std::string kernel, shape;
  int64_t m, n, k, g;
  std::string act, zp;
};

Call call_of(const Row& r) {
  const Problem& p = r.of.value.problem;
  return {r.of.value.kernel,         r.of.shape, p.m, p.n, p.k, p.g, std::string(name_of(p.act)),
          std::string(name_of(p.zp))};
}

std::string call_text(const Call& c) {
  return fmt::format("{:<12} {:<8} {:>4} {:>6} {:>6} {:>4} {:<4} {:<8}", printable_utf8(c.kernel),
                     printable_utf8(c.shape), c.m, c.n, c.k, c.g, c.act, c.zp);
}

std::string call_head() {
  return fmt::format("{:<12} {:<8} {:>4} {:>6} {:>6} {:>4} {:<4} {:<8}", "kernel", "shape", "m",
                     "n", "k", "g", "act", "zp");
}

std::string without_figure(const Row& r) {
  const std::string_view what = r.skipped ? "skipped" : r.green ? "no figure" : "not green";
  return fmt::format("{} {}: {}\n", call_text(call_of(r)), what,
                     printable_utf8(r.green ? r.why : r.verdict));
}

std::string counted_text(const Measured& result) {
  std::string out =
      fmt::format("{} {:>9} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7}  {}\n", call_head(), "instr/wt",
                  "bytes", "lines", "LDS", "barrier", "dot2", "wmma", "ran");
  for (const Row& r : result.rows) {
    if (!r.figure()) {
      out += without_figure(r);
      continue;
    }
    const FigureRow& f = *r.counted;
    out += fmt::format("{} {:>9.5f} {:>8.3f} {:>8.3f} {:>8.3f} {:>7.2f} {:>7.3f} {:>7.3f}  {}\n",
                       call_text(call_of(r)), *r.figure(), f.bytes_over_least(),
                       f.lines_over_least(), f.lds_cycles_over_least(), f.barriers_per_wave(),
                       f.dot2_over_least(), f.wmma_over_least(), r.instantiation);
  }
  return out +
         "instr/wt: wave-instructions per weight (waits and hints are none); an emulated device "
         "counts and has no clock.\n"
         "bytes, lines, LDS: over the least that the call needs; barrier: arrivals per wave; dot2, "
         "wmma: their products over M*N*K (w4check audit figures).\n";
}

std::string timed_text(const Measured& result) {
  std::string out = fmt::format("{} {:>9} {:>7} {:>9} {:>8} {:>9} {:>9} {:>9} {:>6}  {}\n",
                                call_head(), "cold us", "spread", "GB/s", "of copy", "TFLOP/s",
                                "warm us", "warm GB/s", "copies", "ran");
  std::string notes;
  for (const Row& r : result.rows) {
    if (!r.figure()) {
      out += without_figure(r);
      continue;
    }
    const double t = r.timed()->median();
    const auto part = r.cold ? of_copy(result, r) : std::nullopt;
    out +=
        fmt::format("{} {:>9} {:>7} {:>9} {:>8} {:>9} {:>9} {:>9} {:>6}  {}\n",
                    call_text(call_of(r)), r.cold ? microseconds(t) : "cached", spread(*r.timed()),
                    r.cold ? fmt::format("{:.1f}", gb_per_s(r.least, t)) : "-",
                    part ? percent(*part) : "-", fmt::format("{:.3f}", tflop_per_s(r.least, t)),
                    r.warm ? microseconds(r.warm->median()) : "-",
                    r.warm ? fmt::format("{:.1f}", gb_per_s(r.least, r.warm->median())) : "-",
                    r.copies, printable_utf8(r.instantiation));
    if (!r.why.empty()) notes += fmt::format("{}: {}\n", call_text(call_of(r)), r.why);
  }
  for (const Foreign& f : result.foreign) {
    const double rate = gb_per_s(f.least, f.seconds);
    const bool cold = f.state == "cold";
    const std::string us = microseconds(f.seconds), gb = fmt::format("{:.1f}", rate);
    out += fmt::format("{} {:>9} {:>7} {:>9} {:>8} {:>9} {:>9} {:>9} {:>6}  {}\n",
                       call_text({"(foreign)", f.shape, f.m, f.n, f.k, f.g, "", ""}),
                       cold ? us : "-", "-", cold ? gb : "-",
                       cold && result.copy ? percent(rate / result.copy->gb_per_s()) : "-",
                       fmt::format("{:.3f}", tflop_per_s(f.least, f.seconds)), cold ? "-" : us,
                       cold ? "-" : gb, "-", printable_utf8(f.who));
  }
  return out + notes +
         fmt::format(
             "us: of one call, the median of {} samples by the GPU's clock, launch to launch; "
             "spread: of the farthest sample. cold: over so many copies of all operands in turn; "
             "warm: over one.\nGB/s: bytes that must be moved (weights, scales, zero points, bias, "
             "act, out, each once); TFLOP/s: 2*M*N*K of the same time as spread.\n{}",
             result.samples,
             result.foreign.empty()
                 ? ""
                 : "(foreign): timed by somebody else (--with); GB/s of the bytes that our call "
                   "with packed zero points must move.\n");
}

}  // namespace

std::string text_of(const Measured& r) {
  std::string out = (r.about.empty() ? r.device : printable_utf8(r.about)) + "\n";
  if (r.cache > 0)
    out += fmt::format("last cache: {:.1f} MiB\n", static_cast<double>(r.cache) / (1 << 20));
  if (r.copy) {
    out += fmt::format("device copy of {} MiB: {:.1f} GB/s read and written, spread {}\n",
                       r.copy->bytes >> 20, r.copy->gb_per_s(), spread(r.copy->samples));
  } else if (!r.no_copy.empty()) {
    out += fmt::format("no device copy to compare with: {}\n", printable_utf8(r.no_copy));
  }
  if (!r.skipped.empty())
    return out + fmt::format("skipped: {}\nnothing was measured\n", printable_utf8(r.skipped));
  const bool counts = std::ranges::any_of(r.rows, &Row::emulated);
  return out + (counts ? counted_text(r) : timed_text(r));
}

}  // namespace w4::bench
