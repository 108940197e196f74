#include "rdna/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "rdna/checks/global_race.h"
#include "rdna/memory_impl.h"

namespace w4::rdna {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{32} << 30;  // half a slot: the rest is redzone
// Above this, pages come straight from the kernel so that an untouched gigabyte costs nothing;
// below, the allocator's recycled pages are quicker.
constexpr uint64_t kSparseFrom = 1 << 20;

// Zeroed bytes. The size decides how they are freed.
void* take(uint64_t bytes) {
  if (bytes < kSparseFrom) return std::calloc(std::max<uint64_t>(bytes, 1), 1);
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

void give(void* p, uint64_t bytes) {
  if (!p) return;
  if (bytes < kSparseFrom) {
    std::free(p);
  } else {
    munmap(p, bytes);
  }
}

uint64_t writer_bytes(uint64_t bytes) { return (bytes + 1) / 2 * sizeof(uint64_t); }

}  // namespace

Buffer::Buffer() = default;

Buffer::~Buffer() {
  give(data, bytes);
  give(state, bytes);
  give(writers, writer_bytes(bytes));
}

bool Buffer::in_gap(uint64_t offset, uint64_t n) const {
  auto it = std::upper_bound(gaps.begin(), gaps.end(), offset,
                             [](uint64_t o, const auto& g) { return o < g.second; });
  return it != gaps.end() && it->first < offset + n;
}

void Memory::Impl::give_state(Buffer& b) {
  if (!b.state) b.state = static_cast<uint8_t*>(take(b.bytes));
}

Result<uint64_t> Memory::Impl::reserve_slot() {
  for (uint64_t s = 1; s < kLastSlot; ++s) {
    if (!slots[s]) return s;
  }
  return fail("more than {} buffers are allocated", kLastSlot - 1);
}

namespace {

// A buffer lies across a multiple of 4 GiB, half of it on either side, so that an address whose
// high word is computed wrong leaves it. At least kBaseInSlot is left below.
uint64_t base_in_slot(uint64_t bytes) {
  constexpr uint64_t kAlign = 256, kFour = uint64_t{4} << 30;
  if (bytes <= kAlign) return kFour;
  const uint64_t below = std::clamp(bytes / 2, kAlign, kFour - kBaseInSlot);
  return kFour - below / kAlign * kAlign;
}

}  // namespace

Result<Buffer*> Memory::Impl::add(const BufferSpec& spec, bool system) {
  auto slot = reserve_slot();
  if (!slot) return std::unexpected(slot.error());
  if (spec.offset > kBaseInSlot) {
    return fail("buffer {}: offset {} is above {}", spec.name, spec.offset, kBaseInSlot);
  }
  auto b = add_at(nullptr, (*slot << kSlotShift) + base_in_slot(spec.bytes) + spec.offset, spec);
  if (!b) return b;
  (*b)->system = system;
  slots[*slot] = *b;
  return b;
}

Result<Buffer*> Memory::Impl::add_at(Buffer* first, Address base, const BufferSpec& spec) {
  if (spec.bytes > kMaxBytes) {
    return fail("buffer {}: {} bytes are more than the {} of one buffer", spec.name, spec.bytes,
                kMaxBytes);
  }
  auto b = std::make_unique<Buffer>();
  b->name = spec.name;
  b->base = base;
  b->bytes = spec.bytes;
  b->writable = spec.writable;
  b->data = static_cast<uint8_t*>(take(spec.bytes));
  if (!spec.initialised) give_state(*b);
  if (spec.track_writers) b->writers = static_cast<uint64_t*>(take(writer_bytes(spec.bytes)));
  if (!b->data || (!spec.initialised && !b->state) || (spec.track_writers && !b->writers)) {
    return fail("buffer {}: the host has no address space for {} bytes", spec.name, spec.bytes);
  }
  if (first) {
    b->system = first->system;
    b->next = first->next;
    first->next = b.get();
  }
  buffers.push_back(std::move(b));
  return buffers.back().get();
}

void Memory::Impl::drop(Buffer* b) {
  Buffer*& head = slots[b->base >> kSlotShift];
  if (head == b) {
    head = b->next;
  } else {
    for (Buffer* p = head; p; p = p->next) {
      if (p->next == b) p->next = b->next;
    }
  }
  std::erase_if(buffers, [b](const auto& p) { return p.get() == b; });
}

Memory::Memory() : impl_(std::make_unique<Impl>()) {}
Memory::~Memory() = default;

Result<Address> Memory::allocate(const BufferSpec& spec) {
  auto b = impl_->add(spec, false);
  if (!b) return std::unexpected(b.error());
  return (*b)->base;
}

void Memory::release(Address base) {
  Buffer* b = impl_->nearest(base);
  if (b && b->base == base && !b->system) impl_->drop(b);
}

void Memory::release_all() {
  for (auto& s : impl_->slots) {
    if (s && !s->system) s = nullptr;
  }
  std::erase_if(impl_->buffers, [](const auto& p) { return !p->system; });
}

Result<void> Memory::write(Address to, std::span<const std::byte> from) {
  if (from.empty()) return {};
  Buffer* b = impl_->find(to, from.size());
  if (!b) return fail("host write of {} bytes at {:#x}: not inside one buffer", from.size(), to);
  std::memcpy(b->data + (to - b->base), from.data(), from.size());
  if (b->state) std::memset(b->state + (to - b->base), kDefined, from.size());
  return {};
}

Result<void> Memory::read(Address from, std::span<std::byte> to) const {
  if (to.empty()) return {};
  const Buffer* b = impl_->find(from, to.size());
  if (!b) return fail("host read of {} bytes at {:#x}: not inside one buffer", to.size(), from);
  std::memcpy(to.data(), b->data + (from - b->base), to.size());
  return {};
}

Result<void> Memory::copy(Address to, Address from, uint64_t bytes) {
  if (bytes == 0) return {};
  const Buffer* source = impl_->find(from, bytes);
  if (!source) return fail("host copy of {} bytes from {:#x}: not inside one buffer", bytes, from);
  Buffer* b = impl_->find(to, bytes);
  if (!b) return fail("host copy of {} bytes to {:#x}: not inside one buffer", bytes, to);
  const uint64_t at = to - b->base, source_at = from - source->base;
  if (b == source && at < source_at + bytes && source_at < at + bytes) {
    return fail("host copy of {} bytes from {:#x} to {:#x}: the two overlap", bytes, from, to);
  }
  if (source->state) {
    if (!b->state) {
      impl_->give_state(*b);
      if (b->state) std::memset(b->state, kDefined, b->bytes);
    }
    for (uint64_t i = 0; i < bytes; ++i) {
      const uint8_t state = source->state[source_at + i];
      if (b->state) b->state[at + i] = state;
      if (state == kDefined) b->data[at + i] = source->data[source_at + i];
    }
  } else {
    std::memcpy(b->data + at, source->data + source_at, bytes);
    if (b->state) std::memset(b->state + at, kDefined, bytes);
  }
  for (uint64_t e = at / 2; b->writers && e < (at + bytes + 1) / 2; ++e) {
    const uint64_t byte = std::max(e * 2, at);
    b->writers[e] = !b->state || b->state[byte] == kDefined ? kHostWriter : 0;
  }
  return {};
}

Result<void> Memory::note_written(Address at, uint64_t bytes) {
  if (bytes == 0) return {};
  Buffer* b = impl_->find(at, bytes);
  if (!b) return fail("{} bytes at {:#x}: not inside one buffer", bytes, at);
  const uint64_t from = at - b->base;
  for (uint64_t e = from / 2; b->writers && e < (from + bytes + 1) / 2; ++e) {
    b->writers[e] = kHostWriter;
  }
  return {};
}

Result<void> Memory::snapshot(Snapshot& keep, uint64_t most) const {
  uint64_t bytes = 0;
  for (const auto& b : impl_->buffers) bytes += b->writable ? b->bytes * (b->state ? 2 : 1) : 0;
  if (bytes > most) return fail("{} bytes are more than {}", bytes, most);
  size_t used = 0;
  for (const auto& b : impl_->buffers) {
    if (!b->writable) continue;
    if (used == keep.parts.size()) keep.parts.emplace_back();
    Snapshot::Part& part = keep.parts[used++];
    part.base = b->base;
    part.data.assign(b->data, b->data + b->bytes);
    part.state.clear();
    if (b->state) part.state.assign(b->state, b->state + b->bytes);
  }
  keep.parts.resize(used);
  return {};
}

void Memory::restore(const Snapshot& kept) {
  for (const Snapshot::Part& part : kept.parts) {
    Buffer* b = impl_->find(part.base, part.data.size());
    if (!b || part.data.empty()) continue;
    std::memcpy(b->data, part.data.data(), part.data.size());
    if (b->state && !part.state.empty()) {
      std::memcpy(b->state, part.state.data(), part.state.size());
    } else if (b->state) {
      std::memset(b->state, kDefined, b->bytes);
    }
  }
}

Result<void> Memory::poison(Address base, std::span<const std::byte> pattern) {
  Buffer* b = impl_->nearest(base);
  if (!b || b->base != base) return fail("poison at {:#x}: no buffer starts there", base);
  if (pattern.empty()) return fail("poison of {}: empty pattern", b->name);
  // Doubling copies: the filled prefix is always a whole number of patterns until the last one.
  uint64_t done = std::min<uint64_t>(pattern.size(), b->bytes);
  if (b->bytes) std::memcpy(b->data, pattern.data(), done);
  while (done < b->bytes) {
    const uint64_t n = std::min(done, b->bytes - done);
    std::memcpy(b->data + done, b->data, n);
    done += n;
  }
  return {};
}

Result<void> Memory::mark_gap(Address from, uint64_t bytes) {
  if (bytes == 0) return {};
  Buffer* b = impl_->find(from, bytes);
  if (!b) return fail("gap of {} bytes at {:#x}: not inside one buffer", bytes, from);
  std::pair<uint64_t, uint64_t> gap{from - b->base, from - b->base + bytes};
  // Rows come in order, so appending is the common case; overlapping gaps are merged.
  auto at = std::lower_bound(b->gaps.begin(), b->gaps.end(), gap.first,
                             [](const auto& g, uint64_t o) { return g.second < o; });
  auto end = at;
  while (end != b->gaps.end() && end->first <= gap.second) {
    gap.first = std::min(gap.first, end->first);
    gap.second = std::max(gap.second, end->second);
    ++end;
  }
  at = b->gaps.erase(at, end);
  b->gaps.insert(at, gap);
  return {};
}

std::vector<uint64_t> Memory::unwritten(Address base, size_t limit) const {
  std::vector<uint64_t> out;
  const Buffer* b = impl_->nearest(base);
  if (!b || b->base != base || !b->writers) return out;
  for (uint64_t e = 0; e < (b->bytes + 1) / 2 && out.size() < limit; ++e) {
    if (b->writers[e] == 0 && !b->in_gap(e * 2, 1)) out.push_back(e * 2);
  }
  return out;
}

}  // namespace w4::rdna
