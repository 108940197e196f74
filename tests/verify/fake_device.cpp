#include "tests/verify/fake_device.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace w4::test {

Result<uint64_t> FakeDevice::allocate(const BufferRequest& r) {
  const uint64_t base = ((buffers_.size() + 1) << 36) + r.offset;
  Buffer b{r, std::vector<std::byte>(r.bytes), std::vector<bool>(r.bytes, r.initialised),
           std::vector<bool>(r.bytes), std::vector<bool>(r.bytes)};
  buffers_.emplace(base, std::move(b));
  return base;
}

std::pair<FakeDevice::Buffer*, size_t> FakeDevice::at(uint64_t address, uint64_t bytes) {
  auto it = buffers_.upper_bound(address);
  if (it == buffers_.begin()) throw std::logic_error("address below every buffer");
  --it;
  if (address + bytes > it->first + it->second.bytes.size())
    throw std::logic_error("beyond a buffer");
  return {&it->second, address - it->first};
}

Result<void> FakeDevice::write(uint64_t to, std::span<const std::byte> from) {
  const auto [b, i] = at(to, from.size());
  std::copy(from.begin(), from.end(), b->bytes.begin() + static_cast<long>(i));
  std::fill_n(b->defined.begin() + static_cast<long>(i), from.size(), true);
  return {};
}

Result<void> FakeDevice::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  std::vector<std::byte> held(bytes);
  if (auto done = read(from, held); !done) return done;
  return write(to, held);
}

Result<void> FakeDevice::note_written(uint64_t to, uint64_t bytes) {
  const auto [b, i] = at(to, bytes);
  std::fill_n(b->written.begin() + static_cast<long>(i), bytes, true);
  return {};
}

Result<void> FakeDevice::read(uint64_t from, std::span<std::byte> to) {
  const auto [b, i] = at(from, to.size());
  std::copy_n(b->bytes.begin() + static_cast<long>(i), to.size(), to.begin());
  return {};
}

Result<void> FakeDevice::poison(uint64_t base, std::span<const std::byte> pattern) {
  Buffer& b = buffers_.at(base);
  for (size_t i = 0; i < b.bytes.size(); ++i) b.bytes[i] = pattern[i % pattern.size()];
  std::fill(b.written.begin(), b.written.end(), false);
  return {};
}

Result<void> FakeDevice::mark_gap(uint64_t from, uint64_t bytes) {
  const auto [b, i] = at(from, bytes);
  std::fill_n(b->gap.begin() + static_cast<long>(i), bytes, true);
  return {};
}

LaunchResult FakeDevice::launch(const w4_launch& what, const LaunchOptions& options) {
  ++launches;
  checks = options.checks.mask;
  return (*static_cast<const FakeKernel*>(what.object))(*this, what, options);
}

std::vector<uint64_t> FakeDevice::unwritten(uint64_t base, size_t limit) {
  const Buffer& b = buffers_.at(base);
  std::vector<uint64_t> out;
  for (size_t i = 0; i + 1 < b.bytes.size() && out.size() < limit; i += 2) {
    if (!b.written[i]) out.push_back(i);
  }
  return out;
}

uint16_t FakeDevice::load16(uint64_t from) {
  uint16_t bits;
  const auto [b, i] = at(from, 2);
  if (!b->defined[i] || !b->defined[i + 1] || b->gap[i]) throw std::logic_error("undefined data");
  std::memcpy(&bits, b->bytes.data() + i, 2);
  return bits;
}

void FakeDevice::store16(uint64_t to, uint16_t bits) {
  const auto [b, i] = at(to, 2);
  if (!b->request.writable || b->gap[i]) throw std::logic_error("not writable");
  std::memcpy(b->bytes.data() + i, &bits, 2);
  b->written[i] = b->written[i + 1] = true;
}

const FakeDevice::Buffer* FakeDevice::find(std::string_view name) const {
  for (const auto& [base, b] : buffers_) {
    if (b.request.name == name) return &b;
  }
  return nullptr;
}

}  // namespace w4::test
