#include "tests/verify/law_breakers.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "core/dtypes.h"
#include "tests/verify/fake_device.h"
#include "tests/verify/fake_kernel.h"

namespace w4::test {
namespace {

// One element on its way to the output.
struct At {
  FakeDevice& d;
  const w4_call& c;
  const LaunchOptions& options;
  int64_t m, n;
  uint16_t before;  // what the output holds
};

using Plant = uint16_t (*)(const At& at);

DType type_of(const At& at) { return at.c.act->dtype == W4_F16 ? DType::f16 : DType::bf16; }
uint16_t right(const At& at) { return fake_element(at.d, at.c, at.m, at.n); }

// The right element, one representable number off where `condition` holds.
uint16_t off_where(const At& at, bool condition) {
  return condition ? step_toward(type_of(at), right(at), 1) : right(at);
}

bool any_nan(const At& at) {
  for (int64_t m = 0; m < at.c.act->dim[0]; ++m) {
    for (int64_t k = 0; k < at.c.act->dim[1]; ++k) {
      if (std::isnan(fake_act(at.d, at.c, m, k))) return true;
    }
  }
  return false;
}

uint16_t fixed_point(const At& at) {
  const double y = fake_sum(at.d, at.c, at.m, at.n, at.c.act->dim[1]);
  return from_f64(type_of(at), std::nearbyint(y * 0x1p10) * 0x1p-10);
}

uint16_t without_tail(const At& at) {
  return from_f64(type_of(at), fake_sum(at.d, at.c, at.m, at.n, 16));
}

// Named after the law that it breaks; two break one law in different ways.
struct Row {
  const char* name;
  Plant plant;
};
constexpr Row kRows[] = {
    {"right", right},
    {"prefill", right},  // for law=routes
    {"power_act", fixed_point},
    {"power_scale", fixed_point},
    {"permute_n", [](const At& at) { return off_where(at, at.n == 0); }},
    {"row_alone", [](const At& at) { return off_where(at, at.c.act->dim[0] > 1); }},
    {"row_isolation", [](const At& at) { return off_where(at, any_nan(at)); }},
    {"zero_shift",
     [](const At& at) {
       return step_toward(type_of(at), right(at),
                          static_cast<int>(fake_zero_point(at.d, at.c, at.n, 0)));
     }},
    {"implicit_8", [](const At& at) { return off_where(at, at.c.zp != nullptr); }},
    {"zero_form",
     [](const At& at) { return off_where(at, at.c.zp && at.c.zp->layout == W4_ZP_PACKED); }},
    {"unused_zeros", right},  // its preparation is not
    {"split_groups", [](const At& at) { return off_where(at, at.c.group_size == 32); }},
    {"no_bias", [](const At& at) { return off_where(at, at.c.bias != nullptr); }},
    {"bias_adds",
     [](const At& at) {
       w4_call bare = at.c;
       bare.bias = nullptr;
       return fake_element(at.d, bare, at.m, at.n);
     }},
    {"extend_k", [](const At& at) { return off_where(at, at.c.act->dim[1] > 128); }},
    {"tail_act", without_tail},
    {"repeat",
     [](const At& at) { return off_where(at, at.before == 0x3C00 || at.before == 0x3F80); }},
    {"schedule", [](const At& at) { return off_where(at, at.options.sched.order != Order::rr); }},
    {"cu_count", [](const At& at) { return off_where(at, at.c.cu_count != 20); }},
    {"addresses", [](const At& at) { return off_where(at, at.c.act->device % 256 != 0); }},
    {"addresses_wei", [](const At& at) { return off_where(at, at.c.wei->device % 256 != 0); }},
    // Whatever lies before it moves it by a whole buffer.
    {"addresses_neighbour", [](const At& at) { return off_where(at, at.c.act->device >> 36 & 1); }},
    {"other_word", right},  // says so where there are several rows
    {"one_hot", [](const At& at) { return off_where(at, at.m == 1 && at.n == 3); }},
    {"routes", [](const At& at) { return step_toward(type_of(at), right(at), 99); }},
    {"k_shards",
     [](const At& at) { return at.c.act->dim[1] < 128 ? from_f64(type_of(at), 8) : right(at); }},
};

struct Args {
  Plant plant;
  const w4_call* call;
};

LaunchResult compute(FakeDevice& d, const w4_launch& what, const LaunchOptions& options) {
  Args args;
  std::memcpy(&args, what.args, sizeof args);
  const w4_call& c = *args.call;
  for (int64_t m = 0; m < c.out->dim[0]; ++m) {
    for (int64_t n = 0; n < c.out->dim[1]; ++n) {
      const uint64_t to = c.out->device + static_cast<uint64_t>(2 * (m * c.out->stride[0] + n));
      uint16_t before = 0;
      if (!d.read(to, std::as_writable_bytes(std::span(&before, 1)))) continue;
      d.store16(to, args.plant({d, c, options, m, n, before}));
    }
  }
  return {};
}
constexpr FakeKernel kCompute = compute;

int accept(const w4_kernel*, const w4_call* c, const w4_device* d) { return fake_check(c, d); }

int run(const w4_kernel* self, const w4_call* c, const w4_device* d) {
  if (const int refused = fake_check(c, d)) return refused;
  const Args args{static_cast<const Row*>(self->data)->plant, c};
  const w4_launch launch{.object = &kCompute,
                         .object_bytes = sizeof kCompute,
                         .symbol = "fake",
                         .grid = {1, 1, 1},
                         .block = {32, 1, 1},
                         .dynamic_lds = 0,
                         .args = &args,
                         .arg_bytes = sizeof args};
  if (const int stopped = d->launch(d->self, &launch)) return stopped;
  const bool other = std::string_view(self->name) == "other_word" && c->act->dim[0] > 1;
  const auto text =
      fmt::format("m{} g{} {}{} {}", c->act->dim[0], c->group_size, other ? "wide " : "narrow ",
                  c->act->dtype == W4_F16 ? "f16" : "bf16",
                  c->zp == nullptr                  ? "symmetric"
                  : c->zp->layout == W4_ZP_UNPACKED ? "unpacked"
                                                    : "packed");
  d->ran(d->self, text.c_str());
  return 0;
}

// Takes zero points that mean nothing for a reason to change the first scale.
int misled(const w4_kernel* self, const w4_source* s, const w4_device* d, w4_prepared* out) {
  if (const int refused = fake_prepare(self, s, d, out)) return refused;
  if (s->symmetric != 0 && s->zp != nullptr) *static_cast<uint16_t*>(out->scale.host) += 1;
  return 0;
}

constexpr const char* kLaws[] = {"power_act",     "power_scale",  "permute_n",  "row_alone",
                                 "row_isolation", "zero_shift",   "implicit_8", "zero_form",
                                 "unused_zeros",  "split_groups", "no_bias",    "bias_adds",
                                 "extend_k",      "tail_act",     "repeat",     "schedule",
                                 "cu_count",      "addresses",    "one_hot",    nullptr};

}  // namespace

const w4_module& law_breakers() {
  static const std::vector<w4_kernel> kernels = [] {
    std::vector<w4_kernel> out;
    for (const Row& r : kRows) {
      w4_kernel k = fake_kernel(r.name);
      k.laws = kLaws;
      k.data = &r;
      k.accept = accept;
      k.run = run;
      if (std::string_view(r.name) == "unused_zeros") k.prepare = misled;
      out.push_back(k);
    }
    w4_kernel quiet = out[0];
    quiet.name = "promises_nothing";
    quiet.laws = nullptr;
    out.push_back(quiet);
    return out;
  }();
  static const w4_module module{W4_MODULE_VERSION, sizeof(w4_kernel), "law breakers",
                                kernels.data(), static_cast<int32_t>(kernels.size())};
  return module;
}

}  // namespace w4::test
