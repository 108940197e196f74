#include "oracles/upstream_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "core/layout.h"
#include "kernels/lookup.h"
#include "oracles/upstream_data.h"
#include "reference/twin.h"
#include "verify/call.h"

namespace w4 {
namespace {

using What = UpstreamTest::What;
using Status = RecipeTest::Status;

// A hang: many times what the longest of these calls takes.
constexpr uint64_t kMostSteps = 100'000'000;

struct Answer {
  Status status = Status::passed;
  std::string why;
};
Answer failed(std::string why) { return {Status::failed, std::move(why)}; }

std::string quoted(const Refusal& r) { return fmt::format("refused: {}: {}", r.clause, r.message); }

// A refusal, which is a kernel's right where the call breaks a clause that it declares.
Answer refused(const Setup& setup, const Refusal& r) {
  return {setup.breaks(r.clause) ? Status::not_run : Status::failed, quoted(r)};
}

Answer of_launches(const std::vector<LaunchResult>& launches) {
  for (const LaunchResult& l : launches) {
    switch (l.end) {
      case LaunchResult::End::completed:
        break;
      case LaunchResult::End::unsupported:
        return {Status::not_run, "the emulator does not know: " + l.why};
      case LaunchResult::End::step_limit:
        return failed("the launch does not end");
      case LaunchResult::End::refused:
        return failed("the launch fails: " + l.why);
      case LaunchResult::End::findings:  // with checks off: nobody can go on
        return failed("the launch does not end: " +
                      (l.findings.empty() ? "stuck" : to_string(l.findings.front())));
    }
  }
  return {};
}

Answer product(const Setup& setup, const UpstreamTest& test, uint64_t seed) {
  const Problem& p = test.problem;
  const Arrays x = upstream_data(p, seed);
  const SourceTensors source = make_source(p, x.wei.get());
  Call call(setup);
  const Prepared prepared = call.prepare(&source);
  if (!prepared.trouble.empty()) return failed(prepared.trouble);
  if (prepared.refusal) return refused(setup, *prepared.refusal);
  if (const auto placed = call.place(&x, &prepared.tensors); !placed)
    return failed(placed.error().text);
  const Run run = call.run_over_zeros(kMostSteps);
  if (!run.trouble.empty()) return failed(run.trouble);
  if (run.refusal) return refused(setup, *run.refusal);
  if (Answer a = of_launches(run.launches); a.status != Status::passed) return a;
  const std::vector<uint16_t> y = call.output(), r = eigen_reference(x);
  if (y.size() != r.size()) return failed("there is no output");
  const NotClose off = not_close(p.act, y, r, test.rtol, test.atol);
  if (off.count == 0) return {};
  const auto at = static_cast<size_t>(off.first);
  return failed(fmt::format("{} of {} elements are not close, first out[{},{}]: {} for {}",
                            off.count, y.size(), off.first / p.n, off.first % p.n,
                            to_f64(p.act, y[at]), to_f64(p.act, r[at])));
}

// A prepared matrix of 32-bit words whose codes lie as `place` says; nullopt: it is.
template <class Place>
std::optional<std::string> wrong_codes(const char* what, const w4_tensor& t, int64_t bytes,
                                       int64_t words_per_row, const std::vector<uint8_t>& codes,
                                       int64_t columns, Place place) {
  const auto size = static_cast<int64_t>(t.bytes);
  if (t.host == nullptr || size != bytes)
    return fmt::format("{} has {} bytes for {}", what, size, bytes);
  std::vector<uint32_t> words(static_cast<size_t>(bytes / 4));
  std::memcpy(words.data(), t.host, static_cast<size_t>(bytes));
  for (size_t i = 0; i < codes.size(); ++i) {
    const int64_t row = static_cast<int64_t>(i) / columns, col = static_cast<int64_t>(i) % columns;
    const uint32_t got = get_nibble(words.data(), words_per_row, place(row, col));
    if (got != codes[i]) {
      return fmt::format("{}[{},{}] is {} for {}", what, row, col, got, codes[i]);
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrong_numbers(const char* what, const w4_tensor& t, DType act,
                                         const std::vector<double>& right) {
  if (t.host == nullptr || t.bytes != 2 * right.size() || t.dtype != to_module(act))
    return fmt::format("{} is not of {} elements of {}", what, right.size(), name_of(act));
  std::vector<uint16_t> bits(right.size());
  std::memcpy(bits.data(), t.host, t.bytes);
  for (size_t i = 0; i < right.size(); ++i) {
    if (to_f64(act, bits[i]) != right[i])
      return fmt::format("{}: flat index {} is {} for {}", what, i, to_f64(act, bits[i]), right[i]);
  }
  return std::nullopt;
}

Answer preparation(const Setup& setup, const UpstreamTest& test, uint64_t seed) {
  const Problem& p = test.problem;
  const Arrays x = upstream_data(p, seed);
  const SourceTensors source = make_source(p, x.wei.get());
  Call call(setup);
  const Prepared prepared = call.prepare(&source);
  if (!prepared.trouble.empty()) return failed(prepared.trouble);
  if (prepared.refusal) return refused(setup, *prepared.refusal);
  const w4_prepared& got = prepared.tensors;
  const auto shuffled = [](int64_t n, int64_t k) { return wei_shuffled({n, k}); };
  if (auto wrong =
          wrong_codes("the weights", got.wei, p.n * p.k / 2, p.k / 8, x.wei->q, p.k, shuffled)) {
    return failed(std::move(*wrong));
  }
  if (test.what == What::layout) return {};
  const int64_t g = groups(p);
  std::vector<double> scales, zeros;
  for (int64_t i = 0; i < p.n * g; ++i) {
    scales.push_back(x.wei->scale(i / g, i % g));
    zeros.push_back(x.wei->zero(i / g, i % g));
  }
  if (p.zp == ZpMode::none) {  // of symmetric weights they look at the scales
    auto wrong = wrong_numbers("the scales", got.scale, p.act, scales);
    return wrong ? failed(std::move(*wrong)) : Answer{};
  }
  const auto along_n = [](int64_t n, int64_t group) { return zp_packed({n, group}); };
  auto wrong = p.zp == ZpMode::packed ? wrong_codes("the zero points", got.zp, p.n / 8 * g * 4, g,
                                                    x.wei->z, g, along_n)
                                      : wrong_numbers("the zero points", got.zp, p.act, zeros);
  return wrong ? failed(std::move(*wrong)) : Answer{};
}

Answer can_implement(const Setup& setup, const UpstreamTest& test, const SelectionTable* table) {
  const Problem& p = test.problem;
  if (table != nullptr) {
    const Layer layer{.act = std::string(name_of(p.act)), .g = p.g, .k = p.k, .n = p.n};
    for (const Entry& e : table->entries) {
      if (e.kernel != setup.kernel->name) continue;
      const auto why = declined(e, layer);
      if (why.has_value() == test.legal)
        return failed(fmt::format("selection: {} {}", e.name, why.value_or("takes the layer")));
    }
  }
  Call call(setup);
  if (const auto placed = call.place(nullptr); !placed) return failed(placed.error().text);
  const auto refusal = call.accept();
  if (refusal.has_value() != test.legal) return {};
  return refusal ? failed(quoted(*refusal)) : failed("the group size is accepted");
}

// The encoding that the tests are run with: `wanted` where the kernel declares it.
ZpMode encoding(const w4_kernel* kernel, ZpMode wanted) {
  if (kernel == nullptr) return wanted;
  const std::span all(kernel->zp_layouts, static_cast<size_t>(kernel->zp_layout_count));
  const auto declares = [&](w4_layout l) { return std::ranges::find(all, l) != all.end(); };
  const bool packed = declares(W4_ZP_PACKED), unpacked = declares(W4_ZP_UNPACKED);
  if (packed == unpacked) return wanted;
  return packed ? ZpMode::packed : ZpMode::unpacked;
}

Answer run_test(const UpstreamTest& test, const Case& line, const RecipeOptions& options,
                Context& context) {
  const auto setup = make_setup(line, context);
  if (!setup) return {Status::not_run, to_string(setup.error())};
  switch (test.what) {
    case What::apply:
    case What::direct:
      return product(*setup, test, options.seed);
    case What::layout:
    case What::weights:
      return preparation(*setup, test, options.seed);
    case What::can_implement:
      return can_implement(*setup, test, options.selection);
  }
  return {};
}

}  // namespace

int64_t RecipeResult::count(Status s) const {
  return std::ranges::count(tests, s, &RecipeTest::status);
}

Result<RecipeResult> run_upstream_recipe(const std::string& module, Context& context,
                                         const RecipeOptions& options) {
  const auto opened = context.module(module);
  if (!opened) return std::unexpected(opened.error());
  if (const auto device = context.device(options.device); !device)
    return std::unexpected(device.error());
  RecipeResult out;
  for (UpstreamTest& test :
       upstream_tests(encoding(find_kernel(**opened, options.apply), options.zp))) {
    if (options.stop && options.stop()) break;
    RecipeTest ran;
    ran.line.kernel = test.what == What::direct ? options.direct : options.apply;
    ran.line.problem = test.problem;
    ran.line.device = options.device;
    ran.line.checks.mask = 0;
    ran.line.module = module;
    Answer answer = run_test(test, ran.line, options, context);
    ran.line.checks = {};
    ran.name = std::move(test.name);
    ran.status = answer.status, ran.why = std::move(answer.why);
    out.tests.push_back(std::move(ran));
    if (options.fail_fast && out.caught()) break;
  }
  return out;
}

}  // namespace w4
