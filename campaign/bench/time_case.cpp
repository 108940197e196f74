#include "campaign/bench/time_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "verify/call.h"
#include "verify/judge.h"
#include "verify/setup.h"
#include "verify/trial.h"

namespace w4::bench {
namespace {

using Bytes = std::vector<std::byte>;

constexpr uint32_t kMostRounds = 1'000'000;

// `once(rounds)`: seconds of one of so many rounds, each of `calls` calls.
Result<Samples> sampled(const Clock& clock, double calls,
                        const std::function<Result<double>(uint32_t)>& once) {
  double round = 0;
  // The first loads code and fills caches; the second says how long a round is.
  for (int i = 0; i < 2; ++i) {
    const auto t = once(1);
    if (!t) return std::unexpected(t.error());
    round = *t;
  }
  const double wanted = std::ceil(clock.floor / clock.samples / std::max(round, 1e-7));
  const auto rounds = static_cast<uint32_t>(std::clamp<double>(wanted, 1, kMostRounds));
  Samples out;
  for (int i = 0; i < clock.samples; ++i) {
    const auto t = once(rounds);
    if (!t) return std::unexpected(t.error());
    if (!(*t > 0)) return fail("the device's clock says {} seconds", *t);
    out.seconds.push_back(*t / calls);
  }
  return out;
}

// The call, once for each copy of its operands.
struct Copies {
  std::vector<std::vector<w4_launch>> launches;  // of each
  std::vector<w4_tensor> outputs;
};

Result<Bytes> read_output(Device& device, const w4_tensor& out) {
  Bytes bytes(static_cast<size_t>(out.bytes));
  if (auto done = device.read(out.device, bytes); !done) return std::unexpected(done.error());
  return bytes;
}

// Until there are `wanted`, or no room for more; the launches of those that are added did not run.
Result<void> add_copies(Call& call, const Arrays& x, const SourceTensors& source,
                        RecordedDevice& device, int64_t wanted, Copies& to) {
  if (std::ssize(to.launches) >= wanted) return {};
  const Prepared prepared = call.prepare(&source);
  if (prepared.refusal || !prepared.trouble.empty())
    return fail("prepared again: {}", prepared.trouble);
  while (std::ssize(to.launches) < wanted) {
    if (const auto placed = call.place(&x, &prepared.tensors); !placed) return {};
    device.take();
    device.pretend(true);
    const Run run = call.run();
    device.pretend(false);
    if (!run.trouble.empty() || run.refusal || run.launches.empty())
      return fail("called again over other addresses: {}",
                  run.refusal ? run.refusal->message : run.trouble);
    to.launches.push_back(device.take());
    to.outputs.push_back(call.operands().out.desc);
  }
  return {};
}

std::vector<w4_launch> in_turn(const Copies& copies) {
  std::vector<w4_launch> out;
  for (const auto& one : copies.launches) out.insert(out.end(), one.begin(), one.end());
  return out;
}

Result<Samples> time_round(RecordedDevice& device, const Clock& clock,
                           const std::vector<w4_launch>& round, size_t calls) {
  return sampled(clock, static_cast<double>(calls),
                 [&](uint32_t rounds) { return device.time_launches(round, rounds); });
}

Result<void> measure(Call& call, const Arrays& x, const SourceTensors& source,
                     RecordedDevice& device, const Clock& clock, Row& row) {
  Copies copies;
  copies.launches.push_back(device.take());
  copies.outputs.push_back(call.operands().out.desc);
  const auto judged = read_output(device, copies.outputs.front());
  if (!judged) return std::unexpected(judged.error());
  const auto wanted = static_cast<int64_t>((clock.cold + row.least.bytes - 1) /
                                           std::max<uint64_t>(row.least.bytes, 1));
  if (auto done = add_copies(call, x, source, device,
                             std::clamp<int64_t>(wanted, 1, clock.most_copies), copies);
      !done)
    return done;
  row.copies = std::ssize(copies.launches);
  const uint64_t footprint = row.least.bytes * static_cast<uint64_t>(row.copies);
  auto warm = time_round(device, clock, copies.launches.front(), 1);
  if (!warm) return std::unexpected(warm.error());
  // All copies run in any case: their outputs are looked at below.
  auto cold = time_round(device, clock, in_turn(copies), copies.launches.size());
  if (!cold) return std::unexpected(cold.error());
  for (const w4_tensor& out : copies.outputs) {
    const auto now = read_output(device, out);
    if (!now) return std::unexpected(now.error());
    if (*now != *judged) return fail("an output after the timed launches is not the one judged");
  }
  row.warm = std::move(*warm);
  if (footprint > 2 * static_cast<uint64_t>(device.cache_bytes())) {
    row.cold = std::move(*cold);
  } else {
    row.why = fmt::format(
        "cached: {} copies of the operands, {} bytes, do not exceed twice the cache of {} bytes",
        row.copies, footprint, device.cache_bytes());
  }
  return {};
}

}  // namespace

Row time_case(const Wanted& wanted, Context& context, RecordedDevice& device, const Clock& clock) {
  Row row{.of = wanted};
  const Case& c = wanted.value;
  const auto judge = [&](std::vector<Outcome> outcomes) {
    const Verdict v = make_verdict(to_string(c), std::move(outcomes), {});
    row.green = v.kind() == VerdictKind::pass;
    row.skipped = v.kind() == VerdictKind::skipped;
    if (!row.green) row.verdict = to_string(v.primary());
    return row.green;
  };
  const auto setup = make_setup(c, context);
  if (!setup) {
    judge({setup.error()});
    return row;
  }
  if (!setup->broken.empty()) {
    row.skipped = true;
    row.verdict = fmt::format("the kernel does not take it: {}: {}", setup->broken.front(),
                              setup->message_of(setup->broken.front()));
    return row;
  }
  Call call(*setup);
  const auto material = context.material(c);
  const Arrays x = arrays_of(*setup, material->weights);
  const Trial trial = try_call(*setup, call, x, material->source);
  row.instantiation = trial.run.instantiation;
  if (!judge(trial.outcomes)) return row;
  row.least = least_of(c, setup->kernel->dense_weights != 0, setup->kernel->reads_carrier != 0);
  if (const auto done = measure(call, x, material->source, device, clock, row); !done) {
    row.green = false;
    row.cold.reset(), row.warm.reset();
    row.verdict = done.error().text;
  }
  return row;
}

Result<DeviceCopy> time_copy(Device& device, const Clock& clock) {
  Result<Samples> said = fail("no room");
  for (uint64_t bytes = clock.copy; bytes >= std::max<uint64_t>(clock.copy / 16, 1); bytes /= 2) {
    said = sampled(clock, 1, [&](uint32_t repeat) { return device.time_copy(bytes, repeat); });
    if (said) return DeviceCopy{bytes, std::move(*said)};
  }
  return std::unexpected(said.error());
}

}  // namespace w4::bench
