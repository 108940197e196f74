// The emulator's own 48-bit address space. One buffer = one 64 GiB slot, so one shift finds the
// buffer of an address; everything outside [base, base + size) of a buffer is its redzone.
// Addresses depend only on the order of allocation, size and requested offset: the same in every
// run. A buffer of more than 256 bytes lies across a multiple of 4 GiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace w4::rdna {

using Address = uint64_t;

// Byte state of a buffer that needs it (partly initialised, strided gaps, outputs).
enum ByteState : uint8_t {
  kDefined = 1,  // holds a value
  kGap = 2,      // between strided rows: belongs to nobody, any access is a finding
};

struct BufferSpec {
  std::string name;
  uint64_t bytes = 0;
  uint64_t offset = 0;  // added to the 256-byte aligned base: base % 256 == offset % 256
  bool writable = false;
  bool initialised = true;     // false: starts undefined and gets byte state
  bool track_writers = false;  // record who wrote each 2-byte element (double_write, coverage)
};

class Memory {
 public:
  Memory();
  ~Memory();
  // Address of the first byte. Backing pages are sparse: a huge buffer costs what is touched.
  Result<Address> allocate(const BufferSpec& spec);
  void release(Address base);
  void release_all();
  // Host access; the range must lie inside one buffer. write() marks the bytes defined.
  Result<void> write(Address to, std::span<const std::byte> from);
  Result<void> read(Address from, std::span<std::byte> to) const;
  // What [to, to+bytes) holds becomes what [from, from+bytes) holds, undefined bytes included,
  // whose old bits stay; on input the two do not overlap. Where writers are tracked, defined bytes
  // count as written and undefined ones as written by nobody.
  Result<void> copy(Address to, Address from, uint64_t bytes);
  // Counts [at, at+bytes) as written, by the host, where writers are tracked.
  Result<void> note_written(Address at, uint64_t bytes);
  // What kernels may change, as it is now; storage that `keep` has is used again. Error: more than
  // `most` bytes. What is allocated or released between the two is not restored.
  struct Snapshot {
    struct Part {
      Address base = 0;
      std::vector<uint8_t> data, state;  // state: empty where every byte is defined
    };
    std::vector<Part> parts;
  };
  Result<void> snapshot(Snapshot& keep, uint64_t most) const;
  void restore(const Snapshot& kept);
  // Fills with a repeating pattern without marking the bytes defined (poison).
  Result<void> poison(Address base, std::span<const std::byte> pattern);
  // Declares [from, from+bytes) a strided gap.
  Result<void> mark_gap(Address from, uint64_t bytes);
  // Elements (2 bytes) of a track_writers buffer that nobody wrote, as byte offsets; at most
  // `limit`.
  std::vector<uint64_t> unwritten(Address base, size_t limit) const;

  struct Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4::rdna
