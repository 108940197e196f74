#include "verify/probe/rig.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/contract.h"
#include "verify/trial.h"

namespace w4::probe {
namespace {

LaunchOptions without_checks(const Setup& s) {
  LaunchOptions o;
  o.checks = Checks{0};
  o.fp = s.fp;
  return o;
}

// Room for groups of 8 in either encoding, and once more of everything else.
size_t roomy(Tensor t, const Problem& p, size_t exact) {
  const auto nk = static_cast<size_t>(p.n * p.k);
  if (t == Tensor::scale || t == Tensor::zp) return std::max(exact, nk / 8 * 2);
  if (t == Tensor::carrier) return std::max(exact, nk / 8 * 4);
  if (t == Tensor::bias) return 2 * static_cast<size_t>(std::max<int64_t>(p.m, 8) * p.n * 2);
  return t == Tensor::wei ? 2 * exact : exact;
}

}  // namespace

Rig::Rig(Setup setup, LaunchOptions options)
    : setup_(std::move(setup)), table_(*setup_.device, setup_.reported, std::move(options)) {}

Operand* Rig::operand(Tensor t) {
  const auto maybe = [](std::optional<Operand>& o) { return o ? &*o : nullptr; };
  switch (t) {
    case Tensor::act:
      return &ops_.act;
    case Tensor::wei:
      return &ops_.wei;
    case Tensor::scale:
      return &ops_.scale;
    case Tensor::zp:
      return maybe(ops_.zp);
    case Tensor::bias:
      return maybe(ops_.bias);
    case Tensor::carrier:
      break;
  }
  return maybe(ops_.carrier);
}

const w4_tensor* Rig::desc(Tensor t) const {
  Operand* o = const_cast<Rig*>(this)->operand(t);
  return o == nullptr ? nullptr : &o->desc;
}

std::span<std::byte> Rig::bytes(Tensor t) {
  changed_[static_cast<size_t>(t)] = true;
  return images_[static_cast<size_t>(t)];
}

Result<std::unique_ptr<Rig>> Rig::make(const Case& c, Context& context) {
  auto setup = make_setup(c, context);
  if (!setup) return fail("{}", to_string(setup.error()));
  if (!setup->broken.empty()) {
    return fail("clause {}: {}", setup->broken.front(), setup->message_of(setup->broken.front()));
  }
  const auto material = context.material(c);
  setup->device->reset();
  const LaunchOptions options = without_checks(*setup);
  std::unique_ptr<Rig> rig(new Rig(std::move(*setup), options));
  if (auto done = rig->place(arrays_of(rig->setup_, material->weights)); !done) {
    return std::unexpected(done.error());
  }
  return rig;
}

Result<void> Rig::place(const Arrays& x) {
  const Problem& p = setup_.line.problem;
  ops_ = plan_operands(p, *setup_.kernel, &x);
  for (size_t i = 0; i < kTensors; ++i) {
    const auto t = static_cast<Tensor>(i);
    Operand* o = operand(t);
    if (o == nullptr) continue;
    images_[i].assign(roomy(t, p, o->desc.bytes), std::byte{0});
    o->desc.bytes = images_[i].size();
    o->rows = 1;
    o->row_bytes = o->stride_bytes = static_cast<int64_t>(images_[i].size());
    o->pads_are_gaps = false;
    o->content = images_[i].data();
  }
  if (auto done = w4::place(ops_, *setup_.device, setup_.line.place); !done) return done;
  const w4_call call = ops_.call(p, setup_.reported, "");
  table_.begin();
  if (setup_.kernel->accept(setup_.kernel, &call, table_.table()) == 0) return {};
  const auto& why = table_.refusal();
  return fail("the kernel refuses what its clauses allow: {}: {}", why ? why->clause : "",
              why ? why->message : "no reason");
}

Result<std::vector<double>> Rig::run() {
  for (size_t i = 0; i < kTensors; ++i) {
    if (!changed_[i]) continue;
    changed_[i] = false;
    const Operand* o = operand(static_cast<Tensor>(i));
    if (o == nullptr) continue;
    if (auto done = setup_.device->write(o->desc.device, images_[i]); !done) {
      return std::unexpected(done.error());
    }
  }
  if (auto done = poison_output(ops_, *setup_.device); !done) return std::unexpected(done.error());
  const w4_call call = ops_.call(setup_.line.problem, setup_.reported, "");
  table_.begin();
  const int returned = setup_.kernel->run(setup_.kernel, &call, table_.table());
  if (!table_.trouble().empty()) return fail("{}", table_.trouble());
  if (table_.refusal()) return fail("{}: {}", table_.refusal()->clause, table_.refusal()->message);
  for (const LaunchResult& l : table_.launches()) {
    if (l.end == LaunchResult::End::completed) continue;
    return fail("the launch does not end: {}", !l.why.empty() ? l.why
                                               : l.findings.empty()
                                                   ? "step limit"
                                                   : to_string(l.findings.front()));
  }
  if (returned != 0 || table_.launches().empty()) return fail("the kernel launches nothing");
  const Operand& out = ops_.out;
  std::vector<std::byte> raw(static_cast<size_t>(out.desc.bytes));
  if (auto done = setup_.device->read(out.desc.device, raw); !done) {
    return std::unexpected(done.error());
  }
  std::vector<double> values;
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t at = 0; at < out.row_bytes; at += 2) {
      uint16_t bits = 0;
      std::memcpy(&bits, raw.data() + r * out.stride_bytes + at, 2);
      values.push_back(to_f64(setup_.line.problem.act, bits));
    }
  }
  return values;
}

}  // namespace w4::probe
