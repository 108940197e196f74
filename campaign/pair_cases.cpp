#include "campaign/pair_cases.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "core/contract.h"
#include "core/gpu.h"
#include "intake/open_module.h"
#include "kernels/lookup.h"

namespace w4 {
namespace {

// Clauses of the call's own tensors, which no preparation writes: they say nothing of the pair.
bool of_dtype(std::string_view clause) {
  return clause == "act.dtype" || clause == "act.f16" || clause == "scale.dtype";
}

// Small layers, one of which any kernel takes: G to 128, whole octets, N that is more than a tile.
constexpr std::array kDense{"m=2 n=24 k=256", "m=1 n=32 k=512", "m=16 n=32 k=256"};
constexpr std::array kMoe{"m=3 n=16 k=256 experts=3 topk=2",
                          "m=3 n=16 k=256 experts=3 topk=2 blockm=16"};

struct Declared {
  std::vector<std::string> clauses;
  const w4_kernel* kernel;
  std::vector<std::string> broken_by(const Case& c) const {
    const GpuModel* gpu = find_gpu(c.device);
    return broken_clauses(clauses, c.problem, resolve_reported(c.problem, *gpu));
  }
};

class Maker {
 public:
  Maker(const w4_kernel& preparer, const w4_kernel& op)
      : preparer_{names_in(preparer.clauses), &preparer}, op_{names_in(op.clauses), &op} {}

  std::vector<PairCase> cases(const Case& named) const {
    std::vector<PairCase> out;
    for (const DType act : {DType::f16, DType::bf16}) {
      for (const int64_t g : {32, 64, 128}) {
        for (const ZpMode zp : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
          for (const Source src :
               {Source::shuffled, Source::ct, Source::awq, Source::gptq1, Source::gptq2}) {
            Case c = named;
            c.problem.act = act, c.problem.g = g, c.problem.zp = zp, c.problem.src = src;
            if (auto made = make(c)) out.push_back(std::move(*made));
          }
        }
      }
    }
    return out;
  }

 private:
  // On the first layer that one of the two takes; nullopt: neither declares it.
  std::optional<PairCase> make(const Case& c) const {
    const bool moe = op_.kernel->moe != 0;
    const std::span<const char* const> layers = moe ? std::span<const char* const>(kMoe) : kDense;
    std::optional<PairCase> written;
    for (const char* layer : layers) {
      PairCase p;
      p.value = c;
      const Problem sized = parse_case(std::string("x ") + layer)->problem;
      Problem& to = p.value.problem;
      to.m = sized.m, to.n = sized.n, to.k = sized.k;
      to.experts = sized.experts, to.topk = sized.topk, to.blockm = sized.blockm;
      const auto by_op = op_.broken_by(p.value);
      p.written = preparer_.broken_by(p.value).empty();
      p.selected = std::ranges::none_of(by_op, of_dtype);
      if (by_op.empty()) return p;
      if (p.written && !written) written = std::move(p);
    }
    return written;
  }

  Declared preparer_, op_;
};

}  // namespace

std::vector<Pair> pairs_of(const std::vector<PairModule>& modules, const std::string& kernel,
                           const std::string& device) {
  std::set<std::string> names;
  for (const PairModule& m : modules) {
    if (m.path == kBuiltIn && modules.size() > 1) continue;
    for (int32_t i = 0; i < m.table->kernel_count; ++i) names.insert(m.table->kernels[i].name);
  }
  std::vector<Pair> out;
  for (const std::string& name : names) {
    if (!kernel.empty() && name != kernel) continue;
    for (const PairModule& p : modules) {
      for (const PairModule& o : modules) {
        const w4_kernel *prepares = find_kernel(*p.table, name),
                        *runs = find_kernel(*o.table, name);
        if (prepares == nullptr || runs == nullptr) continue;
        Case c;
        c.kernel = name, c.device = device;
        c.module = o.path == kBuiltIn ? "" : o.path;
        c.prep = p.path;
        out.push_back({name, p.path, o.path, Maker(*prepares, *runs).cases(c)});
      }
    }
  }
  return out;
}

}  // namespace w4
