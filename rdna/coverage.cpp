#include "rdna/coverage.h"

#include <algorithm>
#include <utility>

#include "rdna/code_object.h"

namespace w4::rdna {
namespace {

constinit thread_local Coverage* current = nullptr;

}  // namespace

constinit thread_local KernelCounts* counting = nullptr;

CoverageScope::CoverageScope(Coverage& into) : before_(std::exchange(current, &into)) {}
CoverageScope::~CoverageScope() { current = before_; }

CountLaunch::CountLaunch(const CodeObject& object, size_t kernel, bool confirming) {
  if (current == nullptr || confirming) return;
  counting = &current->of(object, kernel);
  if (counting->launches++ == 0) current->launched_.push_back(counting);
}

uint64_t EdgeCounts::of(uint64_t from, uint64_t to) const {
  return slots_.empty() ? 0 : slots_[place(from, to)].count;
}

void EdgeCounts::grow() {
  std::vector<Slot> old(std::max<size_t>(64, 2 * slots_.size()));
  old.swap(slots_);
  for (const Slot& s : old) {
    if (s.count != 0) slots_[place(s.from, s.to)] = s;
  }
}

void EdgeCounts::clear() {
  std::ranges::fill(slots_, Slot{});
  used_ = 0;
}

KernelCounts& Coverage::of(const CodeObject& object, size_t kernel) {
  const auto key = [&](size_t i) {
    return std::tuple(std::string(object.arch()), object.text_hash(), object.kernels()[i].symbol);
  };
  auto it = counts_.find(key(kernel));
  if (it == counts_.end()) {
    const auto copy = *CodeObject::load(object.impl().bytes);  // it loaded before
    for (size_t i = 0; i < object.kernels().size(); ++i) {
      KernelCounts& k = counts_[key(i)];
      k.object = copy;
      k.index = i;
    }
    it = counts_.find(key(kernel));
  }
  return it->second;
}

void Coverage::clear() {
  for (auto& [key, k] : counts_) {
    if (k.launches == 0) continue;
    k.launches = k.waves = 0;
    k.edges.clear();
  }
  launched_.clear();
}

std::vector<const KernelCounts*> Coverage::kernels() const {
  std::vector<const KernelCounts*> out;
  for (const auto& [key, k] : counts_) out.push_back(&k);
  std::ranges::sort(out, {}, [](const KernelCounts* k) {
    return std::tuple(k->object->arch(), std::string_view(k->object->kernels()[k->index].demangled),
                      k->object->text_hash());
  });
  return out;
}

}  // namespace w4::rdna
