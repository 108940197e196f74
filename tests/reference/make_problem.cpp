#include "tests/reference/make_problem.h"

namespace w4::test {

Arrays make_problem(const Shape& p, Fill fill, uint64_t seed) {
  const Filler f(fill, seed, p.act, p.k, p.g);
  auto w = std::make_shared<Weights>();
  w->n = p.n, w->k = p.k, w->g = p.g, w->act = p.act;
  for (int64_t n = 0; n < p.n; ++n) {
    for (int64_t k = 0; k < p.k; ++k) w->q.push_back(f.code(n, k));
    for (int64_t g = 0; g < p.k / p.g; ++g) {
      w->s.push_back(f.scale(n, g));
      if (p.zero_points) w->z.push_back(f.zero(n, g));
    }
  }
  Arrays x;
  x.m = p.m;
  for (int64_t m = 0; m < p.m; ++m) {
    for (int64_t k = 0; k < p.k; ++k) x.a.push_back(f.act(m, k));
  }
  if (p.bias) {
    x.by = 1, x.bx = p.n;
    for (int64_t n = 0; n < p.n; ++n) x.bias.push_back(f.bias(0, n));
  }
  x.wei = std::move(w);
  return x;
}

}  // namespace w4::test
