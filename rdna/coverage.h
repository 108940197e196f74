// What ran: exact counts of the edges of control flow, per kernel, summed over launches. Counted at
// branches only; the counts of instructions follow from them (listing.h). Nothing is counted in
// confirming runs, which repeat a case.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "rdna/emulator.h"

namespace w4::rdna {

// (from, to) -> count, linked addresses of the branch and of where control went.
class EdgeCounts {
 public:
  void add(uint64_t from, uint64_t to) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& s = slots_[place(from, to)];
    if (s.count == 0) {
      s.from = from;
      s.to = to;
      ++used_;
    }
    ++s.count;
  }
  uint64_t of(uint64_t from, uint64_t to) const;
  void clear();
  template <class F>
  void each(F f) const {
    for (const Slot& s : slots_) {
      if (s.count != 0) f(s.from, s.to, s.count);
    }
  }

 private:
  struct Slot {
    uint64_t from = 0, to = 0, count = 0;  // count 0: free
  };
  // Where the edge is, or the free slot for it.
  size_t place(uint64_t from, uint64_t to) const {
    const size_t mask = slots_.size() - 1;
    size_t i = (from * 0x9e3779b97f4a7c15u ^ to * 0xc2b2ae3d27d4eb4fu) >> 32 & mask;
    while (slots_[i].count != 0 && (slots_[i].from != from || slots_[i].to != to))
      i = (i + 1) & mask;
    return i;
  }
  void grow();
  std::vector<Slot> slots_;  // a power of two, at most half full
  size_t used_ = 0;
};

struct KernelCounts {
  std::shared_ptr<const CodeObject> object;  // a copy: the caller's may go
  size_t index = 0;                          // of the kernel in object->kernels()
  uint64_t launches = 0, waves = 0;
  EdgeCounts edges;
};

// Equal code is one kernel, however often its object was loaded.
class Coverage {
 public:
  KernelCounts& of(const CodeObject& object, size_t kernel);
  // All kernels of every object of which one ran, by arch, then name.
  std::vector<const KernelCounts*> kernels() const;
  // Those that were launched since clear(), in the order in which they first were.
  std::span<const KernelCounts* const> launched() const { return launched_; }
  void clear();  // the counts; the kernels stay known

 private:
  friend class CountLaunch;
  std::vector<const KernelCounts*> launched_;
  std::map<std::tuple<std::string, uint64_t, std::string>, KernelCounts> counts_;
};

// While one lives, the launches of this thread count into `into`.
class CoverageScope {
 public:
  explicit CoverageScope(Coverage& into);
  ~CoverageScope();
  CoverageScope(const CoverageScope&) = delete;

 private:
  Coverage* before_;
};

// The launch that runs on this thread; nullptr: nobody counts. For the emulator.
extern constinit thread_local KernelCounts* counting;
class CountLaunch {
 public:
  CountLaunch(const CodeObject& object, size_t kernel, bool confirming);
  ~CountLaunch() { counting = nullptr; }
  CountLaunch(const CountLaunch&) = delete;
};

}  // namespace w4::rdna
