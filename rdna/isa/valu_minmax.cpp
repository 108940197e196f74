// gfx12's minima and maxima of three values; in most of them a NaN wins.
#include "rdna/isa/float_in.h"
#include "rdna/isa/float_math.h"
#include "rdna/isa/float_out.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;

template <Track T, auto F>
void run_f32(Wave& w, const Op& op) {
  Lanes t[3], r;
  const FloatBits* p[3];
  u32 d = ~0u;
  for (int i = 0; i < 3; ++i) {
    p[i] = read_f32(w, op.src[i], t[i]);
    if constexpr (T == Track::on) d &= read_def(w, op.src[i]).all();
  }
  for (int l = 0; l < kLanes; ++l)
    r.v[l] = one_nan(bits_of(F(float{p[0][l]}, float{p[1][l]}, float{p[2][l]})));
  put_f32<T>(w, op, r, d);
}

template <Track T, auto F>
void run_f16(Wave& w, const Op& op) {
  Floats f[3], r;
  u32 d = ~0u;
  for (int i = 0; i < 3; ++i) {
    read_f16(w, op.src[i], f[i]);
    if constexpr (T == Track::on) d &= half_def(w, op.src[i]);
  }
  for (int l = 0; l < kLanes; ++l) r.v[l] = F(f[0].v[l], f[1].v[l], f[2].v[l]);
  put_f16<T>(w, op, r, d);
}

template <auto F>
constexpr Row f32(std::string_view m) {
  return {m, {run_f32<Track::off, F>, run_f32<Track::on, F>}, Flow::mix, "valu_minmax"};
}
template <auto F>
constexpr Row f16(std::string_view m) {
  return {m, {run_f16<Track::off, F>, run_f16<Track::on, F>}, Flow::half, "valu_minmax"};
}

using namespace fmath;
constexpr auto kMinMax = [](float a, float b, float c) { return max_num(min_num(a, b), c); };
constexpr auto kMaxMin = [](float a, float b, float c) { return min_num(max_num(a, b), c); };
constexpr auto kMinimum3 = [](float a, float b, float c) { return minimum(minimum(a, b), c); };
constexpr auto kMaximum3 = [](float a, float b, float c) { return maximum(maximum(a, b), c); };
constexpr auto kMinimumMax = [](float a, float b, float c) { return maximum(minimum(a, b), c); };
constexpr auto kMaximumMin = [](float a, float b, float c) { return minimum(maximum(a, b), c); };

constexpr Row kRows[] = {
    f16<kMinMax>("v_minmax_num_f16"),         f16<kMaxMin>("v_maxmin_num_f16"),
    f16<kMinimum3>("v_minimum3_f16"),         f16<kMaximum3>("v_maximum3_f16"),
    f16<kMinimumMax>("v_minimummaximum_f16"), f16<kMaximumMin>("v_maximumminimum_f16"),
    f32<kMinimum3>("v_minimum3_f32"),         f32<kMaximum3>("v_maximum3_f32"),
    f32<kMinimumMax>("v_minimummaximum_f32"), f32<kMaximumMin>("v_maximumminimum_f32"),
};

}  // namespace

std::span<const Row> valu_minmax_rows() { return kRows; }

}  // namespace w4::rdna
