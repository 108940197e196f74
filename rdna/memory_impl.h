// What the emulator sees of its memory: buffers found by one shift, with byte state where needed.
#pragma once

#include <array>
#include <utility>

#include "rdna/memory.h"

namespace w4::rdna {

inline constexpr int kSlotShift = 36;
inline constexpr uint64_t kSlots = 2048;
// Apertures of flat addresses: fixed slots that no buffer gets.
inline constexpr uint32_t kSharedApertureHi = 0x7000, kPrivateApertureHi = 0x7100;
inline constexpr uint64_t kLastSlot = (uint64_t{kSharedApertureHi} << 32 >> kSlotShift) - 1;
inline constexpr uint64_t kBaseInSlot = uint64_t{1} << 30;  // room below a buffer, also redzone

// Host code as a writer: no launch is 0.
inline constexpr uint64_t kHostWriter = 1;

struct RaceShadow;  // checks/global_race.h

struct Buffer {
  std::string name;
  Address base = 0;
  uint64_t bytes = 0;
  uint8_t* data = nullptr;      // host bytes
  uint8_t* state = nullptr;     // ByteState per byte; nullptr: every byte is defined
  uint64_t* writers = nullptr;  // per 2-byte element: launch << 32 | (owner + 1); 0: nobody yet
  std::unique_ptr<RaceShadow> races;  // check `globalrace`, once the kernel uses the buffer
  bool writable = false;
  bool system = false;  // kernarg, dispatch packet, code image: survives release_all()
  std::vector<std::pair<uint64_t, uint64_t>> gaps;  // [from, to) offsets, sorted, disjoint
  Buffer* next = nullptr;  // another buffer of the same slot (segments of one code image)

  bool holds(Address a, uint64_t n) const {
    return a >= base && n <= bytes && a - base <= bytes - n;
  }
  bool in_gap(uint64_t offset, uint64_t n) const;
  bool plain() const { return !state && gaps.empty(); }

  Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();
};

struct Memory::Impl {
  std::array<Buffer*, kSlots> slots{};
  std::vector<std::unique_ptr<Buffer>> buffers;

  // First buffer of the slot, whether or not it holds `a`: the one a finding names.
  Buffer* nearest(Address a) const {
    const uint64_t slot = a >> kSlotShift;
    return slot < kSlots ? slots[slot] : nullptr;
  }
  // Of the slot's buffer and the next slot's the one whose edge is nearer: a stray address was
  // meant for it.
  Buffer* closest(Address a) const {
    Buffer* here = nearest(a);
    Buffer* above = nearest(a + (Address{1} << kSlotShift));
    if (!here || !above) return here ? here : above;
    const Address end = here->base + here->bytes;
    return a > end && a - end > above->base - a ? above : here;
  }
  Buffer* find(Address a, uint64_t n) const {
    Buffer* b = nearest(a);
    while (b && !b->holds(a, n)) b = b->next;
    return b;
  }
  Result<Buffer*> add(const BufferSpec& spec, bool system);
  // Another buffer in the slot of `first` at an exact address.
  Result<Buffer*> add_at(Buffer* first, Address base, const BufferSpec& spec);
  Result<uint64_t> reserve_slot();
  void drop(Buffer* b);
  void give_state(Buffer& b);
};

}  // namespace w4::rdna
