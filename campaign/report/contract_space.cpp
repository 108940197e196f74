#include "campaign/report/contract_space.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "core/classes.h"
#include "core/contract.h"
#include "core/gpu.h"
#include "kernels/lookup.h"
#include "kernels/table.h"

namespace w4 {
namespace {

using nlohmann::json;

constexpr size_t kDimensions = kContractDimensions.size();

BiasShape bias(int rank, Extent::Of first, Extent::Of second = Extent::Of::n) {
  const auto extent = [](Extent::Of of) {
    return Extent{.of = of, .value = of == Extent::Of::literal ? 1 : 0};
  };
  return {.rank = rank, .dim = {extent(first), extent(second)}};
}

// One K of each class for so many rows: around every edge on a multiple of every group, whole steps
// of 512 and not.
std::vector<int64_t> depths(int64_t rows) {
  std::vector<int64_t> out{128, 512};
  for (const int64_t edge : {kMoeElements, kLdsElements}) {
    const int64_t most = edge / std::max<int64_t>(rows, 1);
    for (const int64_t step : {int64_t{128}, int64_t{512}}) {
      const int64_t fits = most / step * step;
      for (const int64_t k : {fits, fits + step}) {
        if (k > 0) out.push_back(k);
      }
    }
    if (most > 0) out.push_back(most);
  }
  std::ranges::sort(out);
  const auto [first, last] = std::ranges::unique(out);
  out.erase(first, last);
  return out;
}

std::string class_of(size_t dimension, const Problem& p) {
  switch (dimension) {
    case 0:
      return std::string(name_of(p.act));
    case 1:
      return std::to_string(p.g);
    case 2:
      return std::string(name_of(p.zp));
    case 3:
      return to_string(p.bias);
    case 4:
      return std::string(rows_class(p));
    case 5:
      return std::string(name_of(lds_side(p)));
    default:
      return std::string(tail_class(p));
  }
}

// The names of the classes, as they come up; a problem's classes as indices into them.
class Names {
 public:
  uint8_t of(size_t dimension, const Problem& p) {
    std::vector<std::string>& names = names_.at(dimension);
    const std::string name = class_of(dimension, p);
    const auto found = std::ranges::find(names, name);
    const auto index = static_cast<uint8_t>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    return index;
  }
  const std::string& name(size_t dimension, size_t index) const {
    return names_.at(dimension).at(index);
  }

 private:
  std::array<std::vector<std::string>, kDimensions> names_;
};
using Classes = std::array<uint8_t, kDimensions>;

// Calls that stand for every combination of classes, each with its classes. What a loop does not
// change is not looked up again: there are some hundred thousand of them.
template <class F>
void each_problem(bool experts, Names& names, F&& take) {
  using Of = Extent::Of;
  const std::array<BiasShape, 6> biases{bias(0, Of::n),
                                        bias(1, Of::n),
                                        bias(2, Of::literal, Of::n),
                                        bias(2, Of::m, Of::n),
                                        bias(2, Of::literal, Of::literal),
                                        bias(2, Of::m, Of::literal)};
  const std::vector<int64_t> blocks =
      experts ? std::vector<int64_t>{1, 2, 3, 4, 5, 16, 32, 64} : std::vector<int64_t>{1};
  Problem p;
  if (experts) p.experts = 4;
  Classes c{};
  const auto formats = [&] {
    for (const int64_t g : {32, 64, 128}) {
      p.g = g;
      c[1] = names.of(1, p);
      for (const DType act : {DType::f16, DType::bf16}) {
        p.act = act;
        c[0] = names.of(0, p);
        for (const ZpMode zp : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
          p.zp = zp;
          c[2] = names.of(2, p);
          for (const BiasShape& b : biases) {
            p.bias = b;
            c[3] = names.of(3, p);
            take(p, c);
          }
        }
      }
    }
  };
  for (const int64_t m : {0, 1, 2, 3, 4, 5, 6, 16, 17, 64, 65, 128}) {
    p.m = m;
    c[4] = names.of(4, p);
    for (const int64_t block : blocks) {
      p.blockm = block;
      for (const int64_t k : depths(staged_rows(p))) {
        p.k = k;
        c[5] = names.of(5, p);
        for (const int64_t n : {64, 65}) {
          p.n = n;
          c[6] = names.of(6, p);
          formats();
        }
      }
    }
  }
}

// Pairs of classes that some legal call has: a bit a class of the second dimension.
class Known {
 public:
  bool has_all(const Classes& c) const {
    for (size_t a = 0; a < kDimensions; ++a) {
      for (size_t b = a; b < kDimensions; ++b) {
        if ((bits_[a][b][c[a]] >> c[b] & 1) == 0) return false;
      }
    }
    return true;
  }
  void add(const Classes& c) {
    for (size_t a = 0; a < kDimensions; ++a) {
      for (size_t b = a; b < kDimensions; ++b) bits_[a][b].at(c[a]) |= 1u << c[b];
    }
  }
  json to_json(const Names& names) const {
    json out = json::object();
    for (size_t a = 0; a < kDimensions; ++a) {
      for (size_t b = a; b < kDimensions; ++b) {
        json list = json::array();
        for (size_t i = 0; i < kMost; ++i) {
          for (size_t j = 0; j < kMost; ++j) {
            if ((bits_[a][b][i] >> j & 1) != 0)
              list.push_back({names.name(a, i), names.name(b, j)});
          }
        }
        out[std::string(kContractDimensions[a]) + "|" + std::string(kContractDimensions[b])] =
            std::move(list);
      }
    }
    return out;
  }

 private:
  static constexpr size_t kMost = 16;  // classes of a dimension
  std::array<std::array<std::array<uint32_t, kMost>, kDimensions>, kDimensions> bits_{};
};

json pairs_of(const w4_kernel& kernel) {
  const std::vector<std::string> clauses = names_in(kernel.clauses);
  const std::span<const std::string> all(clauses);
  const bool experts = std::ranges::find(clauses, "experts.positive") != clauses.end();
  const GpuModel& gpu = *find_gpu("gfx1151");
  Names names;
  Known known;
  size_t last = 0;  // a clause that the call before broke: its neighbour mostly does, too
  each_problem(experts, names, [&](const Problem& p, const Classes& c) {
    if (known.has_all(c)) return;
    const Reported r = resolve_reported(p, gpu);
    if (!broken_clauses(all.subspan(last, 1), p, r).empty()) return;
    for (size_t i = 0; i < all.size(); ++i) {
      if (broken_clauses(all.subspan(i, 1), p, r).empty()) continue;
      last = i;
      return;
    }
    known.add(c);
  });
  return known.to_json(names);
}

}  // namespace

std::array<std::string, kDimensions> contract_classes(const Problem& p) {
  std::array<std::string, kDimensions> out;
  for (size_t d = 0; d < kDimensions; ++d) out.at(d) = class_of(d, p);
  return out;
}

json contract_space() {
  json out = json::object();
  const w4_module& table = builtin_module();
  for (const w4_kernel& k : std::span(table.kernels, static_cast<size_t>(table.kernel_count))) {
    out[k.name] = pairs_of(k);
  }
  return out;
}

}  // namespace w4
