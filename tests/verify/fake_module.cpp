#include "tests/verify/fake_module.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "tests/verify/fake_device.h"
#include "tests/verify/fake_kernel.h"

namespace w4::test {
namespace {

enum class How {
  right,
  strided,
  wrong_value,
  unwritten,
  unchecked,
  refuses_legal,
  touches,
  false_alarm,
  true_alarm,
  lost_race,
  unsupported,
  step_limit,
  other_group,
  idle
};

struct Args {
  How how;
  const w4_call* call;
};

Finding alarm(FindingKind kind) {
  Finding f;
  f.kind = kind;
  f.kernel = "fake";
  return f;
}

LaunchResult compute(FakeDevice& d, const w4_launch& what, const LaunchOptions& options) {
  Args args;
  std::memcpy(&args, what.args, sizeof args);
  const w4_call& c = *args.call;
  LaunchResult result;
  for (int64_t m = 0; m < c.out->dim[0]; ++m) {
    for (int64_t n = 0; n < c.out->dim[1]; ++n) {
      if (args.how == How::unwritten && m == 0 && n == 1) continue;
      uint16_t y = args.how == How::unchecked ? 0 : fake_element(d, c, m, n);
      if (args.how == How::wrong_value && m == 0 && n == 3) y = static_cast<uint16_t>(y + 64);
      d.store16(c.out->device + static_cast<uint64_t>(2 * (m * c.out->stride[0] + n)), y);
    }
  }
  const auto found = [&](FindingKind kind) {
    result.end = LaunchResult::End::findings;
    result.findings.push_back(alarm(kind));
  };
  if (args.how == How::true_alarm) found(FindingKind::undefined_store);
  if (args.how == How::false_alarm && !options.confirm) found(FindingKind::undefined_store);
  if (args.how == How::lost_race && !options.confirm) found(FindingKind::lds_race);
  if (args.how == How::unsupported) {
    result.end = LaunchResult::End::unsupported;
    result.why = "v_fancy_f32 v0, v1";
  }
  if (args.how == How::step_limit) result.end = LaunchResult::End::step_limit;
  if (options.trace) {
    result.trace = {"a trace"};
    for (Finding& f : result.findings)
      f.trace = {options.confirm ? "a confirmed trace" : "a trace"};
  }
  return result;
}
constexpr FakeKernel kCompute = compute;

template <How H>
int check(const w4_kernel*, const w4_call* c, const w4_device* d) {
  if (H == How::unchecked) return 0;
  if (H == How::refuses_legal) return fake_refuse(d, "m.range", "no");
  return fake_check(c, d);
}

template <How H>
int run(const w4_kernel* self, const w4_call* c, const w4_device* d) {
  const Args args{H, c};
  const w4_launch launch{.object = &kCompute,
                         .object_bytes = sizeof kCompute,
                         .symbol = "fake",
                         .grid = {1, 1, 1},
                         .block = {32, 1, 1},
                         .dynamic_lds = 0,
                         .args = &args,
                         .arg_bytes = sizeof args};
  if (H == How::idle) return 0;
  if (const int refused = check<H>(self, c, d)) {
    if (H == How::touches) d->launch(d->self, &launch);
    return refused;
  }
  if (const int stopped = d->launch(d->self, &launch)) return stopped;
  const std::string ran =
      fmt::format("m{} g{} {}", c->act->dim[0], H == How::other_group ? 128 : c->group_size,
                  c->act->dtype == W4_F16 ? "f16" : "bf16");
  d->ran(d->self, ran.c_str());
  return 0;
}

template <How H>
w4_kernel kernel(const char* name, int32_t inline_assembly = 0) {
  w4_kernel k = fake_kernel(name);
  k.inline_assembly = inline_assembly;
  k.accept = check<H>;
  k.run = run<H>;
  return k;
}

}  // namespace

const w4_module& fake_module() {
  static const std::array kernels{kernel<How::right>("right"),
                                  kernel<How::right>("by_hand", 1),
                                  kernel<How::strided>("strided"),
                                  kernel<How::wrong_value>("wrong_value"),
                                  kernel<How::unwritten>("unwritten"),
                                  kernel<How::unchecked>("unchecked"),
                                  kernel<How::refuses_legal>("refuses_legal"),
                                  kernel<How::touches>("touches"),
                                  kernel<How::false_alarm>("false_alarm"),
                                  kernel<How::true_alarm>("true_alarm"),
                                  kernel<How::lost_race>("lost_race"),
                                  kernel<How::unsupported>("unsupported"),
                                  kernel<How::step_limit>("step_limit"),
                                  kernel<How::other_group>("other_group"),
                                  kernel<How::idle>("idle")};
  static const w4_module module{W4_MODULE_VERSION, sizeof(w4_kernel), "fake", kernels.data(),
                                static_cast<int32_t>(kernels.size())};
  return module;
}

}  // namespace w4::test
