#include "rdna/executed.h"

#include <set>

#include "rdna/code_object.h"
#include "rdna/mutation.h"
#include "rdna/reach.h"
#include "rdna/source_lines.h"

namespace w4::rdna {

Executed::Executed(std::shared_ptr<const CodeObject> object, size_t kernel)
    : object_(std::move(object)), kernel_(kernel) {
  const CodeObject::Impl& code = object_->impl();
  program_ = std::make_unique<Program>(code, code.descriptors[kernel].vgprs(), true);
  place(code.descriptors[kernel].entry);
}
Executed::~Executed() = default;
Executed::Executed(Executed&&) noexcept = default;

const KernelInfo& Executed::info() const { return object_->kernels()[kernel_]; }

const Executed::Place& Executed::place(uint64_t pc) {
  if (const auto known = places_.find(pc); known != places_.end()) return known->second;
  for (const auto& [at, r] : reach(*program_, {pc}))
    places_.try_emplace(at, Place{r.op->size, r.control});
  return places_.at(pc);
}

std::vector<uint64_t> Executed::of(const KernelCounts& counts) {
  std::set<uint64_t> ran;
  const auto block = [&](uint64_t pc) {
    while (ran.insert(pc).second) {
      const Place& p = place(pc);
      if (p.control != Control::straight || p.size == 0) return;
      pc += p.size;
    }
  };
  if (counts.waves > 0) block(object_->impl().descriptors[kernel_].entry);
  counts.edges.each([&](uint64_t, uint64_t to, uint64_t) { block(to); });
  return {ran.begin(), ran.end()};
}

std::vector<uint64_t> Executed::reachable() const {
  std::vector<uint64_t> out;
  out.reserve(places_.size());
  for (const auto& [pc, p] : places_) out.push_back(pc);
  return out;
}

std::vector<Mutation> Executed::mutations(std::span<const uint64_t> pcs) {
  return enumerate_mutations(*program_, info().symbol, pcs);
}

std::string Executed::text(uint64_t pc) const { return object_->impl().text_at(pc); }
std::string Executed::source(uint64_t pc) const { return innermost(object_->impl().source_at(pc)); }

}  // namespace w4::rdna
