#include "campaign/capture/record.h"

#include "campaign/capture/order.h"

namespace w4::capture {

uint64_t record_probes(Bench& device, Bench& emulator, Capture& c,
                       const std::function<bool(size_t done, size_t of)>& step) {
  std::vector<const Probe*> all;
  for (const Probe& p : probes())
    if (p.on(device.family())) all.push_back(&p);
  uint64_t words = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!step(i, all.size())) break;
    const Probe& p = *all[i];
    const Extent extent = extent_of(p, device.family(), c.quick);
    const Operands operands = make_operands(p, device.family(), extent.all);
    // A runtime that emulates a GPU is lost to the process after an instruction it does not have.
    auto results = c.silicon ? Result<std::vector<uint32_t>>() : emulator.run(p, operands);
    if (results) results = device.run(p, operands);
    if (!results) {
      ProbeRecord failed{.name = std::string(p.name),
                         .instruction = std::string(p.instruction),
                         .form = std::string(p.form)};
      failed.failed = results.error().text;
      c.probes.push_back(std::move(failed));
      continue;
    }
    words += results->size();
    c.probes.push_back(record_of(p, operands.hash(), *results, extent.exact));
    if (!has_order(p)) continue;
    if (auto order = order_of(p, device, emulator, operands, *results))
      c.order.push_back(std::move(*order));
  }
  return words;
}

}  // namespace w4::capture
