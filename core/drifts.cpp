#include "core/drifts.h"

#include <fmt/format.h>

namespace w4 {
namespace {

// What the outputs depend on but M and N, which only say how many there are.
std::string data_of(const Case& c) {
  const Problem& p = c.problem;
  // A bias has the same values in each form with as many rows and columns.
  const auto bias = bias_dims(p);
  const int rows = p.bias.rank == 0 ? 0 : bias[0] > 1 ? 2 : 1;
  const int columns = p.bias.rank == 0 ? 0 : bias[1] > 1 ? 2 : 1;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", name_of(c.fill), c.seed,
                     p.k, p.g, name_of(p.zp), rows, columns, to_string(c.only), p.n0, p.k0,
                     name_of(p.gidx), p.experts, p.topk, name_of(p.route), p.silu, p.blockm,
                     name_of(c.law));
}

}  // namespace

void Drifts::add(const Case& c, const Verdict& v) {
  const auto* pass = std::get_if<Pass>(&v.primary());
  if (pass == nullptr || pass->drift.outputs == 0) return;
  const std::string kernel = c.module.empty() ? c.kernel : c.kernel + " of " + c.module;
  Drift& kept =
      by_group_[{kernel, c.device, v.ran.fp, std::string(name_of(c.problem.act))}][data_of(c)];
  if (pass->drift.outputs > kept.outputs) kept = pass->drift;
}

std::vector<Drifts::Group> Drifts::groups() const {
  std::vector<Group> out;
  for (const auto& [key, cases] : by_group_) {
    Group g{key[0], key[1], key[2], key[3], {}};
    for (const auto& [data, drift] : cases) g.drift += drift;
    g.allowed = allowed_drift(g.drift, g.fp == "ieee");
    g.sigmas = drift_sigmas(g.drift, g.allowed);
    out.push_back(std::move(g));
  }
  return out;
}

std::string to_string(const Drifts::Group& g) {
  return fmt::format(
      "{} on {}, fp {}, {}: err sign(y) is {:+.5f} ulp of the output in the mean over {} outputs "
      "of {} columns, {:.1f} sigma outside {}",
      g.kernel, g.device, g.fp, g.dtype, g.drift.mean(), g.drift.outputs, g.drift.columns, g.sigmas,
      g.allowed == 0 ? "0" : fmt::format("+-{:.5f}", g.allowed));
}

}  // namespace w4
