#include "verify/setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/contract.h"
#include "kernels/lookup.h"
#include "verify/module_numerics.h"

namespace w4 {
namespace {

std::unexpected<Outcome> stop(Outcome o) { return std::unexpected(std::move(o)); }

std::unexpected<Outcome> skip(SkipReason reason, std::string detail) {
  return stop(Skipped{reason, std::move(detail)});
}

}  // namespace

bool Setup::breaks(std::string_view clause) const {
  return std::find(broken.begin(), broken.end(), clause) != broken.end();
}

bool Setup::only_source_broken() const {
  return std::all_of(broken.begin(), broken.end(), of_source);
}

std::string Setup::message_of(std::string_view clause) const {
  const Clause* found = find_clause(clause);
  return found ? found->broken(line.problem, reported).value_or("") : "";
}

std::expected<Setup, Outcome> make_setup(const Case& c, Context& context) {
  const auto module = context.module(c.module);
  if (!module) return stop(HarnessError{module.error().text});
  Setup s;
  s.line = c;
  s.kernel = find_kernel(**module, c.kernel);
  if (!s.kernel) {
    return stop(
        HarnessError{fmt::format("kernel '{}' is not in module {}", c.kernel, (*module)->name)});
  }
  s.preparer = s.kernel;
  if (!c.prep.empty()) {
    const auto prep = context.module(c.prep);
    if (!prep) return stop(HarnessError{prep.error().text});
    s.preparer = find_kernel(**prep, c.kernel);
    if (!s.preparer) {
      return stop(
          HarnessError{fmt::format("kernel '{}' is not in module {}", c.kernel, (*prep)->name)});
    }
  }
  const auto device = context.device(c.device);
  if (!device) return skip(SkipReason::no_device, device.error().text);
  s.device = *device;
  const GpuModel& gpu = s.device->gpu();
  if (!c.mutate.none() && is_native_device(c.device)) {
    return stop(HarnessError{
        fmt::format("mutate: device={} is not emulated; legal: emulated devices", c.device)});
  }
  if (c.fp != "auto" && is_native_device(c.device) && c.device != "host") {
    return skip(SkipReason::not_supported_by_kernel,
                fmt::format("fp: device={} computes as its chip does, not as '{}'; legal: auto",
                            c.device, c.fp));
  }
  if (!has_code(*s.kernel, gpu.arch)) {
    return skip(SkipReason::no_code_object,
                fmt::format("kernel '{}' has no code for {} in this build", c.kernel, gpu.arch));
  }
  if (auto why = too_large(c.problem, s.kernel->dense_weights != 0))
    return skip(SkipReason::too_large, std::move(*why));
  s.threads = context.threads();
  s.figures = context.figures();
  if (!c.mutate.none() || context.witnesses_outputs()) s.witness = &context.witness();
  s.reported = resolve_reported(c.problem, gpu);
  s.fp = c.fp == "auto" ? std::string(default_fp(gpu.arch)) : c.fp;
  s.arithmetic = arithmetic_from(s.fp);
  std::vector<std::string> declared;
  for (const char* const* name = s.kernel->clauses; *name; ++name) {
    if (!find_clause(*name)) {
      return stop(
          HarnessError{fmt::format("kernel '{}' declares clause '{}', which core/contract.h "
                                   "does not know",
                                   c.kernel, *name)});
    }
    // What a checkpoint has to be is said by whoever prepares it.
    if (s.preparer == s.kernel || !of_source(routed_name(*name).clause))
      declared.emplace_back(*name);
  }
  for (const char* const* name = s.preparer->clauses; *name && s.preparer != s.kernel; ++name) {
    if (find_clause(*name) && of_source(routed_name(*name).clause)) declared.emplace_back(*name);
  }
  s.broken = broken_clauses(declared, c.problem, s.reported);
  const auto declares = [&](std::string_view name) {
    return std::ranges::any_of(declared,
                               [&](const std::string& d) { return routed_name(d).clause == name; });
  };
  if (s.broken.empty() && c.problem.lead && !declares("act.leading") && !declares("act.rank")) {
    return skip(SkipReason::not_supported_by_kernel,
                fmt::format("the kernel '{}' does not say what it does with a leading dimension",
                            c.kernel));
  }
  if (s.broken.empty() && !has_meaning(c.problem)) {
    return skip(SkipReason::not_supported_by_kernel,
                fmt::format("the kernel '{}' declares no clause against this problem, which has no "
                            "answer",
                            c.kernel));
  }
  if (s.broken.empty()) {
    if (auto wrong = wrong_numerics(*s.kernel, c.problem, s.reported.cus)) {
      return stop(HarnessError{fmt::format("kernel '{}': {}", c.kernel, *wrong)});
    }
  }
  if (s.broken.empty() && c.problem.silu && c.problem.experts > 0 &&
      !declared_numerics(*s.kernel, c.problem).gate) {
    return skip(SkipReason::not_supported_by_kernel,
                fmt::format("the kernel '{}' declares no numerics of a fused silu", c.kernel));
  }
  return s;
}

}  // namespace w4
