#include "campaign/figure_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/runner.h"
#include "core/contract.h"
#include "kernels/chunked_tile.h"
#include "kernels/decode_tile.h"
#include "kernels/moe_tile.h"
#include "kernels/table.h"
#include "results/text.h"

namespace w4 {
namespace {

// One layer's worth of rows at a real K: enough tiles that the ends do not show.
constexpr int64_t kN = 1024, kK = 4096, kG = 128;
// Rows with many M: a smaller layer, for minutes matter.
constexpr int64_t kManyN = 256, kManyK = 1024;
constexpr int64_t kExperts = 8, kTopk = 2, kExpertK = 2048;

double over(double x, double least) { return least > 0 ? x / least : 0; }

Case default_case(std::string_view kernel, int64_t m, int64_t n, int64_t k) {
  Case c;
  c.kernel = kernel;
  c.problem.m = m;
  c.problem.n = n;
  c.problem.k = k;
  c.problem.g = kG;
  c.problem.zp = ZpMode::packed;
  c.checks = *parse_checks("none");
  return c;
}

void add_tiles(std::vector<Case>& out, const Case& c, const std::vector<Tile>& tiles) {
  for (const Tile& t : tiles) {
    out.push_back(c);
    out.back().problem.tile = t;
  }
}

Case default_experts(std::string_view kernel, int64_t tokens, int64_t n, int64_t k,
                     int64_t block_m) {
  Case c = default_case(kernel, tokens, n, k);
  c.problem.experts = kExperts;
  c.problem.topk = kTopk;
  c.problem.blockm = block_m;
  return c;
}

// Two experts with one full block each, which compares with decode; then blocks with padding, and
// the fused silu.
void add_moe(std::vector<Case>& out, bool every_tile) {
  std::vector<Case> cases;
  for (int64_t m = 1; m <= kMaxDecodeM; ++m) {
    cases.push_back(default_experts("moe", m, kN, kExpertK, m));
    cases.back().problem.route = Routing::single;
  }
  cases.push_back(default_experts("moe", 5, kN, kExpertK, 2));
  cases.push_back(default_experts("moe", 1, kN, kExpertK, 1));
  cases.back().problem.silu = true;
  for (const Case& c : cases) {
    const Problem& p = c.problem;
    if (every_tile) {
      add_tiles(out, c, moe_tiles(p.blockm, p.k, p.silu));
    } else {
      out.push_back(c);
    }
  }
}

// Full blocks of every block_m, and blocks with padding.
void add_moe_prefill(std::vector<Case>& out) {
  for (const int64_t block_m : {16, 32, 64}) {
    out.push_back(default_experts("moe_prefill", 64, kManyN, kManyK, block_m));
    out.back().problem.route = Routing::single;
  }
  out.push_back(default_experts("moe_prefill", 64, kManyN, kManyK, 16));
}

void add_default(std::vector<Case>& out, std::string_view kernel, bool every_tile) {
  if (kernel == "decode" || kernel == "chunked") {
    for (int64_t m = 1; m <= 5; ++m) {
      const Case c = default_case(kernel, m, kN, kK);
      if (!every_tile) {
        out.push_back(c);
      } else if (kernel == "decode") {
        add_tiles(out, c, decode_tiles(m));
      } else {
        add_tiles(out, c, chunked_tiles(m, kK, false));
      }
    }
  } else if (kernel.starts_with("prefill")) {
    for (const int64_t m : {64, 512}) out.push_back(default_case(kernel, m, kManyN, kManyK));
  } else if (kernel == "hybrid") {
    for (const int64_t m : {1, 5}) out.push_back(default_case(kernel, m, kN, kK));
    out.push_back(default_case(kernel, 64, kManyN, kManyK));
  } else if (kernel == "moe") {
    add_moe(out, every_tile);
  } else if (kernel == "moe_prefill") {
    add_moe_prefill(out);
  }
}

rdna::Figures::Memory global_of(const FigureRow& r) {
  const rdna::Figures& f = r.counted;
  rdna::Figures::Memory sum;
  for (const rdna::Figures::Memory* m : {&f.load, &f.store, &f.scalar_load}) {
    sum.accesses += m->accesses;
    sum.wide += m->wide;
    sum.asked += m->asked;
    sum.bytes += m->bytes;
    sum.lines += m->lines;
    sum.least_lines += m->least_lines;
  }
  return sum;
}

nlohmann::json json_of(const rdna::Figures::Memory& m) {
  return {{"accesses", m.accesses}, {"accesses_of_16_bytes", m.wide},
          {"bytes_asked", m.asked}, {"bytes", m.bytes},
          {"lines", m.lines},       {"least_lines", m.least_lines}};
}

}  // namespace

double FigureRow::instructions_per_weight() const {
  return over(static_cast<double>(counted.wave_instructions), least.weights);
}
double FigureRow::bytes_over_least() const {
  return over(static_cast<double>(global_of(*this).bytes), static_cast<double>(least.bytes));
}
double FigureRow::lines_over_least() const {
  const rdna::Figures::Memory all = global_of(*this);
  return over(static_cast<double>(all.lines), static_cast<double>(all.least_lines));
}
double FigureRow::footprint_over_least() const {
  return over(static_cast<double>(counted.distinct_lines()),
              static_cast<double>((least.bytes + rdna::kLineBytes - 1) / rdna::kLineBytes));
}
double FigureRow::lds_cycles_over_least() const {
  return over(static_cast<double>(counted.lds.cycles),
              static_cast<double>(counted.lds.least_cycles));
}
double FigureRow::barriers_per_wave() const {
  return over(static_cast<double>(counted.barriers), static_cast<double>(counted.waves));
}
double FigureRow::dot2_over_least() const {
  return over(static_cast<double>(counted.dot2) * 64, least.products);
}
double FigureRow::wmma_over_least() const {
  return over(static_cast<double>(counted.wmma) * 4096, least.products);
}

std::vector<Case> default_figure_cases(bool every_tile) {
  std::vector<Case> out;
  const w4_module& module = builtin_module();
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    add_default(out, module.kernels[i].name, every_tile);
  }
  return out;
}

FigureRow count_case(const Case& c) {
  FigureRow row;
  row.value = c;
  row.line = to_string(c);
  Runner runner(1);
  runner.count_into(&row.counted);
  const Verdict v = runner.run(c);
  row.instantiation = v.ran.instantiation;
  row.green = v.green() && !v.ran.symbols.empty();
  if (row.green) {
    row.least = least_of(c);
  } else {
    row.idle = v.green();
    row.verdict = to_string(v);
  }
  return row;
}

std::string figures_text(const std::vector<FigureRow>& rows) {
  std::string out = fmt::format(
      "{:<15} {:<8} {:>4} {:>6} {:>6} {:>9} {:>8} {:>9} {:>9} {:>9} {:>8} {:>7} {:>6} {:>6}  {}\n",
      "kernel", "arch", "m", "n", "k", "instr/wt", "MB", "bytes", "lines", "footprint", "LDS",
      "barrier", "dot2", "wmma", "ran");
  for (const FigureRow& r : rows) {
    const Problem& p = r.value.problem;
    if (!r.green) {
      out += fmt::format("{}: {}\n", r.idle ? "launches nothing to count" : "not green",
                         printable_utf8(r.verdict));
      continue;
    }
    out += fmt::format(
        "{:<15} {:<8} {:>4} {:>6} {:>6} {:>9.5f} {:>8.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>8.3f} "
        "{:>7.2f} {:>6.3f} {:>6.3f}  {}\n",
        r.value.kernel, r.value.device, p.m, p.n, p.k, r.instructions_per_weight(),
        static_cast<double>(global_of(r).bytes) / 1e6, r.bytes_over_least(), r.lines_over_least(),
        r.footprint_over_least(), r.lds_cycles_over_least(), r.barriers_per_wave(),
        r.dot2_over_least(), r.wmma_over_least(), r.instantiation);
  }
  out +=
      "instr/wt: wave-instructions per weight (waits and hints are none). MB, bytes: different "
      "bytes of each access, summed; over weights, scales, zero points, act, bias, ids and out "
      "once. "
      "Of experts: those with a row, M their rows.\n"
      "lines: 128-byte lines of each access, over the fewest that could hold its bytes. footprint: "
      "different lines of the launch, over the fewest that could hold the tensors.\n"
      "LDS: cycles over the least, 32 banks of 4 bytes, groups of 32, 16 or 8 consecutive lanes "
      "for 4, 8 and 16 bytes. barrier: arrivals per wave. dot2, wmma: their products over M*N*K.\n";
  return out;
}

std::string figures_json(const std::vector<FigureRow>& rows) {
  nlohmann::json out = nlohmann::json::array();
  for (const FigureRow& r : rows) {
    const rdna::Figures& f = r.counted;
    out.push_back({{"line", r.line},
                   {"green", r.green},
                   {"idle", r.idle},
                   {"figures",
                    {{"instructions_per_weight", r.instructions_per_weight()},
                     {"bytes_over_least", r.bytes_over_least()},
                     {"lines_over_least", r.lines_over_least()},
                     {"footprint_over_least", r.footprint_over_least()},
                     {"lds_cycles_over_least", r.lds_cycles_over_least()},
                     {"barriers_per_wave", r.barriers_per_wave()},
                     {"dot2_over_least", r.dot2_over_least()},
                     {"wmma_over_least", r.wmma_over_least()}}},
                   {"verdict", printable_utf8(r.verdict)},
                   {"instantiation", printable_utf8(r.instantiation)},
                   {"least_bytes", r.least.bytes},
                   {"launches", f.launches},
                   {"workgroups", f.workgroups},
                   {"waves", f.waves},
                   {"wave_instructions", f.wave_instructions},
                   {"load", json_of(f.load)},
                   {"store", json_of(f.store)},
                   {"scalar_load", json_of(f.scalar_load)},
                   {"distinct_lines", f.distinct_lines()},
                   {"lds",
                    {{"accesses", f.lds.accesses},
                     {"accesses_of_16_bytes", f.lds.wide},
                     {"cycles", f.lds.cycles},
                     {"least_cycles", f.lds.least_cycles}}},
                   {"scratch", f.scratch},
                   {"barriers", f.barriers},
                   {"dot2", f.dot2},
                   {"wmma", f.wmma}});
  }
  return out.dump();
}

}  // namespace w4
