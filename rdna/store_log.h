// Stores of workgroups that run before their turn, kept aside until every workgroup before them in
// the schedule's order is done. A workgroup may run so only while what it does cannot depend on the
// others: it reads no buffer that the kernel may write, and has no global atomic. And its stores
// may be applied later only if nothing but they touches their bytes, so that no check can alarm.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "rdna/workgroup.h"

namespace w4::rdna {

class StoreLog {
 public:
  // What a store of n bytes a lane was. Its active lanes' offsets from the buffer's base follow,
  // and then their bytes, n each.
  struct Store {
    const Op* op;
    Buffer* buffer;
    uint32_t lanes;
    uint16_t n;
    uint16_t wave;
  };
  void add(const Wave& w, const Op& op, Buffer& b, const uint64_t* offset, int n, int shift,
           const Lanes* rows, uint32_t lanes);
  size_t bytes() const { return bytes_.size(); }

  // Calls f(store, offsets by lane, bytes of the active lanes) for what lies in [from, to) of
  // bytes() until it says false.
  template <class F>
  bool each(size_t from, size_t to, F f) const;

 private:
  std::vector<std::byte> bytes_;
};

// The bytes that the workgroups of one launch have stored to so far.
class StoredBytes {
 public:
  // False: some byte was stored to before, a store lies across 2-byte elements, or the host has no
  // room to tell.
  bool claim(const StoreLog& log, size_t from, size_t to);

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  std::map<const Buffer*, std::unique_ptr<uint8_t[], Free>> claimed_;  // a bit a byte
};

// Applies [from, to) of a log to memory and to the shadows of the checks, as `group` of the launch.
void apply_stores(const StoreLog& log, size_t from, size_t to, Workgroup& group);

}  // namespace w4::rdna
