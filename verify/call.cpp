#include "verify/call.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "intake/in_module.h"
#include "intake/open_module.h"
#include "verify/elements.h"
#include "verify/rules.h"

namespace w4 {
namespace {

LaunchOptions options_of(const Setup& s, bool trace) {
  Checks checks = s.line.checks;
  // The waits of inline assembly are the programmer's.
  if (s.kernel->inline_assembly && (checks.mask & kAllChecks) == kAllChecks) checks.mask |= kWaits;
  const Mutation& mutate = s.line.mutate;
  return {.checks = checks,
          .sched = s.line.sched,
          .fp = s.fp,
          .trace = trace,
          .step_limit = mutate.none() ? 0 : kMutatedSteps,
          .threads = s.threads,
          .placement = s.line.place,
          .mutate = mutate.none() ? nullptr : &mutate,
          .figures = s.figures};
}

// The module by the path that names it in the line.
std::string_view named(const std::string& path) { return path.empty() ? kBuiltIn : path; }

}  // namespace

Call::Call(const Setup& setup, bool trace)
    : setup_(setup), table_(*setup.device, setup.reported, options_of(setup, trace)) {
  setup.device->reset();
  if (setup.line.problem.tile) tile_ = to_string(*setup.line.problem.tile);
}

Prepared Call::prepare(const SourceTensors* source) {
  const Problem& p = setup_.line.problem;
  if (!source) {
    zeros_ = make_source(p, nullptr);
    source = &zeros_;
  }
  const w4_source from = source_of(p, *source);
  table_.begin();
  Prepared out;
  const Case& line = setup_.line;
  const std::string& path = line.prep.empty() ? line.module : line.prep;
  // Ours is trusted: a checksum of every checkpoint costs more than a small case.
  const ReadOnly kept(from, !path.empty() && path != kBuiltIn);
  int returned = 0;
  {
    const InModule here("prepare()", setup_.preparer->name, named(path));
    returned = setup_.preparer->prepare(setup_.preparer, &from, table_.table(), &out.tensors);
  }
  out.refusal = refusal_of(table_, *setup_.preparer, "prepare()", returned);
  out.trouble = breach_of(table_, "prepare()", returned);
  if (const std::string what = kept.changed(); !what.empty()) {
    out.trouble = fmt::format("prepare() changed {}, which it may only read", what);
  }
  if (!out.refusal && out.trouble.empty()) {
    out.trouble = stray_tensors(table_, from, out.tensors);
  }
  return out;
}

Result<void> Call::place(const Arrays* x, const w4_prepared* prepared) {
  operands_ = plan_operands(setup_.line.problem, *setup_.kernel, x);
  if (prepared) {
    const bool foreign = !setup_.line.prep.empty();
    const auto done = (foreign ? hand_over : use_prepared)(operands_, *prepared);
    if (!done) return done;
  }
  if (auto done = w4::place(operands_, *setup_.device, setup_.line.place); !done) return done;
  return poison_output(operands_, *setup_.device);
}

std::optional<std::string> Call::no_room(const Arrays* x) const {
  const uint64_t most = setup_.device->memory();
  if (most == 0) return std::nullopt;
  const uint64_t all = total_bytes(plan_operands(setup_.line.problem, *setup_.kernel, x));
  if (all <= most) return std::nullopt;
  return fmt::format("the operands are {} bytes; device={} has room for {}", all,
                     setup_.line.device, most);
}

w4_call Call::arguments() const {
  return operands_.call(setup_.line.problem, setup_.reported, tile_);
}

std::optional<Refusal> Call::accept() {
  const w4_call call = arguments();
  table_.begin();
  const ReadOnly kept(call);
  int returned = 0;
  {
    const InModule here("accept()", setup_.kernel->name, named(setup_.line.module));
    returned = setup_.kernel->accept(setup_.kernel, &call, table_.table());
  }
  breach_ = breach_of(table_, "accept()", returned);
  if (const std::string what = kept.changed(); !what.empty()) {
    breach_ = fmt::format("accept() changed {}, which it may only read", what);
  }
  return refusal_of(table_, *setup_.kernel, "accept()", returned);
}

std::optional<std::string> Call::wrong_shape() {
  if (setup_.kernel->shape == nullptr) return std::nullopt;
  w4_call call = arguments();
  std::array<w4_tensor, 7> bare{};
  size_t used = 0;
  for (const w4_tensor** t :
       {&call.act, &call.wei, &call.scale, &call.zp, &call.bias, &call.out, &call.carrier}) {
    if (*t == nullptr) continue;
    bare[used] = **t;
    bare[used].device = 0, bare[used].host = nullptr, bare[used].bytes = 0;
    *t = &bare[used++];
  }
  table_.begin();
  w4_tensor said{};
  int returned = 0;
  {
    const InModule here("shape()", setup_.kernel->name, named(setup_.line.module));
    returned = setup_.kernel->shape(setup_.kernel, &call, table_.table(), &said);
  }
  if (const auto refused = refusal_of(table_, *setup_.kernel, "shape()", returned)) {
    return fmt::format("the shape-only form refuses a legal call: {}: {}", refused->clause,
                       refused->message);
  }
  if (!table_.launches().empty()) return "the shape-only form launches";
  const w4_tensor& out = operands_.out.desc;
  const auto text = [](const w4_tensor& t) {
    return fmt::format(
        "dtype {} [{}]", static_cast<int>(t.dtype),
        fmt::join(std::span(t.dim, static_cast<size_t>(std::clamp(t.rank, 0, 3))), ","));
  };
  if (text(said) == text(out)) return std::nullopt;
  return fmt::format("the shape-only form says {}; the output is {}", text(said), text(out));
}

Run Call::run(bool confirm) { return launch(confirm, poison_output(operands_, *setup_.device)); }

Run Call::run_over_ones() { return launch(false, dirty_output(operands_, *setup_.device)); }

Run Call::run_over_zeros(uint64_t step_limit) {
  table_.options().step_limit = step_limit;
  Run out = launch(false, blank_output(operands_, *setup_.device));
  table_.options().step_limit = 0;
  return out;
}

Run Call::launch(bool confirm, Result<void> ready) {
  const w4_call call = arguments();
  table_.begin();
  table_.options().confirm = confirm;
  Run out;
  if (!ready) {
    out.trouble = ready.error().text;
    return out;
  }
  const ReadOnly kept(call);
  int returned = 0;
  {
    const InModule here("run()", setup_.kernel->name, named(setup_.line.module));
    returned = setup_.kernel->run(setup_.kernel, &call, table_.table());
  }
  out.refusal = refusal_of(table_, *setup_.kernel, "run()", returned);
  out.launches = table_.launches();
  for (LaunchResult& l : out.launches) {
    for (Finding& f : l.findings) name_element(operands_, f);
  }
  out.instantiation = table_.instantiation();
  out.symbols = table_.symbols();
  out.trouble = breach_.empty() ? table_.trouble() : breach_;
  if (const std::string what = kept.changed(); !what.empty() && out.trouble.empty()) {
    out.trouble = fmt::format("run() changed {}, which it may only read", what);
  }
  if (out.refusal && returned == 0 && out.trouble.empty()) {
    out.trouble = "the module refused (" + out.refusal->clause + ") and returned success";
  }
  if (setup_.witness != nullptr && !confirm) {
    setup_.witness->add(raw_output());
    for (const LaunchResult& l : out.launches) setup_.witness->mutated += l.mutated;
  }
  last_ = out;
  return out;
}

std::vector<std::byte> Call::raw_output() const {
  const w4_tensor& t = operands_.out.desc;
  std::vector<std::byte> bytes(static_cast<size_t>(t.bytes));
  if (t.bytes == 0 || t.device == 0) return bytes;
  if (!setup_.device->read(t.device, bytes)) bytes.clear();
  return bytes;
}

bool Call::output_untouched() const {
  const std::vector<std::byte> bytes = raw_output();
  if (bytes.size() != operands_.out.desc.bytes) return false;
  const uint16_t poison = poison_bits(operands_.out.desc.dtype);
  std::byte pattern[2];
  std::memcpy(pattern, &poison, 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != pattern[i % 2]) return false;
  }
  return true;
}

std::vector<uint16_t> Call::output() const {
  const Operand& o = operands_.out;
  const std::vector<std::byte> bytes = raw_output();
  std::vector<uint16_t> out(static_cast<size_t>(o.rows * o.row_bytes / 2));
  if (bytes.size() != o.desc.bytes) return {};
  auto* to = reinterpret_cast<std::byte*>(out.data());
  for (int64_t r = 0; r < o.rows; ++r) {
    std::memcpy(to + r * o.row_bytes, bytes.data() + r * o.stride_bytes,
                static_cast<size_t>(o.row_bytes));
  }
  return out;
}

std::vector<uint64_t> Call::unwritten(size_t limit) const {
  const Operand& o = operands_.out;
  // Overlapping rows have no owner per element.
  if (o.desc.bytes == 0 || o.stride_bytes < o.row_bytes) return {};
  std::vector<uint64_t> out;
  for (uint64_t at : setup_.device->unwritten(o.desc.device, limit)) {
    const uint64_t row = at / static_cast<uint64_t>(o.stride_bytes);
    const uint64_t within = at % static_cast<uint64_t>(o.stride_bytes);
    if (within >= static_cast<uint64_t>(o.row_bytes)) continue;  // a gap
    out.push_back(row * static_cast<uint64_t>(o.row_bytes / 2) + within / 2);
  }
  return out;
}

}  // namespace w4
