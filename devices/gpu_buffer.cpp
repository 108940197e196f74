#include "devices/gpu_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace w4 {
namespace {

// At even addresses the low byte: as the GPU reads halves.
std::byte byte_of(uint16_t pattern, uint64_t address) {
  return static_cast<std::byte>(pattern >> (address % 2 * 8));
}

// On input: pattern.size() > 0.
void repeat(std::span<std::byte> to, std::span<const std::byte> pattern) {
  if (to.empty()) return;
  std::memcpy(to.data(), pattern.data(), std::min(to.size(), pattern.size()));
  // Doubling copies, whole patterns each.
  for (size_t done = pattern.size(); done < to.size(); done *= 2) {
    std::memcpy(to.data() + done, to.data(), std::min(done, to.size() - done));
  }
}

void lay(std::span<std::byte> to, uint64_t address, uint16_t pattern) {
  const std::byte two[] = {byte_of(pattern, address), byte_of(pattern, address + 1)};
  repeat(to, two);
}

// Reads of what has no image come in pieces.
constexpr uint64_t kPiece = uint64_t{16} << 20;

}  // namespace

GpuBuffer::GpuBuffer(const BufferRequest& request, const GpuRoom& room)
    : request_(request), room_(room), spot_(spot_in(room, request)) {
  if (request.bytes > kMostImage) return;
  image_.resize(spot_.to - spot_.from);
  lay(image_, spot_.from, kCanary);
  set({base(), base() + bytes()}, kUndefined);
}

bool GpuBuffer::holds(uint64_t at, uint64_t bytes) const {
  const uint64_t from = at - base();
  return live_ && from <= request_.bytes && bytes <= request_.bytes - from;
}

void GpuBuffer::set(Range range, uint16_t pattern) {
  lay({at(range.from), range.to - range.from}, range.from, pattern);
}

Result<void> GpuBuffer::write(GpuApi& api, uint64_t to, std::span<const std::byte> from) {
  if (from.empty()) return {};
  if (!imaged()) return api.write(to, from);
  std::memcpy(at(to), from.data(), from.size());
  stale_ = true;
  return {};
}

Result<void> GpuBuffer::read(GpuApi& api, uint64_t from, std::span<std::byte> to) const {
  if (to.empty()) return {};
  if (!imaged()) return api.read(from, to);
  std::memcpy(to.data(), image_.data() + (from - spot_.from), to.size());
  return {};
}

Result<void> GpuBuffer::poison(GpuApi& api, std::span<const std::byte> pattern) {
  poison_.assign(pattern.begin(), pattern.end());
  if (!imaged()) {
    const size_t n = pattern.size();
    if ((n == 1 || n == 2 || n == 4) && base() % n == 0 && bytes() % n == 0) {
      return api.fill(base(), pattern, bytes());
    }
    return fail("{}: {} bytes at {:#x} cannot be filled with a pattern of {}", request_.name,
                bytes(), base(), n);
  }
  repeat({at(base()), bytes()}, pattern);
  stale_ = true;
  return {};
}

void GpuBuffer::mark_gap(uint64_t from, uint64_t bytes) {
  if (!imaged()) return;
  gaps_.push_back({from, from + bytes});
  set(gaps_.back(), kCanary);
  stale_ = true;
}

void GpuBuffer::end_life() {
  live_ = false;
  set({spot_.from, spot_.to}, kCanary);
  stale_ = true;
}

Result<void> GpuBuffer::upload(GpuApi& api) {
  if (!stale_) return {};
  stale_ = false;
  if (imaged()) return api.write(spot_.from, image_);
  std::vector<std::byte> zone;
  for (const Range& r : {Range{spot_.from, base()}, Range{base() + bytes(), spot_.to}}) {
    zone.resize(r.to - r.from);
    lay(zone, r.from, kCanary);
    if (zone.empty()) continue;
    if (auto done = api.write(r.from, zone); !done) return done;
  }
  return {};
}

void GpuBuffer::look(Range range, uint64_t start, std::span<const std::byte> now,
                     std::span<const std::byte> was, std::vector<Finding>& findings) const {
  const auto changed = [&](uint64_t a) { return now[a - start] != was[a - start]; };
  uint64_t first = range.from;
  while (first < range.to && !changed(first)) ++first;
  if (first == range.to) return;
  uint64_t last = first;
  while (last + 1 < range.to && changed(last + 1)) ++last;
  Finding f;
  f.kind = FindingKind::oob_write;
  f.buffer = request_.name;
  f.bytes = static_cast<int>(last - first + 1);
  if (!live_) {
    f.detail =
        fmt::format("written after {} was freed, its size was {} bytes", request_.name, bytes());
    if (first >= base()) f.offset = static_cast<int64_t>(first - base());
  } else if (first < base()) {
    f.detail = fmt::format("{} bytes before the beginning of the {} bytes of {}", base() - first,
                           bytes(), request_.name);
  } else {
    f.offset = static_cast<int64_t>(first - base());
    f.detail = first >= base() + bytes()
                   ? fmt::format("outside the {} bytes of {}", bytes(), request_.name)
                   : fmt::format("between two rows of {}", request_.name);
  }
  f.detail += ": the pattern that lay there has changed";
  findings.push_back(std::move(f));
}

Result<void> GpuBuffer::check_zones(GpuApi& api, std::vector<Finding>& findings) {
  const size_t before = findings.size();
  std::vector<std::byte> zone, scratch;
  for (const Range& r : {Range{spot_.from, base()}, Range{base() + bytes(), spot_.to}}) {
    if (r.from == r.to) continue;
    zone.resize(r.to - r.from);
    lay(zone, r.from, kCanary);
    scratch.resize(zone.size());
    if (auto done = api.read(r.from, scratch); !done) return done;
    look(r, r.from, scratch, zone, findings);
  }
  stale_ = findings.size() > before;
  return {};
}

Result<void> GpuBuffer::check(GpuApi& api, std::span<std::byte> seen,
                              std::vector<Finding>& findings) {
  if (!imaged()) return check_zones(api, findings);
  if (std::memcmp(seen.data(), image_.data(), image_.size()) == 0) return {};
  if (!live_) {
    look({spot_.from, spot_.to}, spot_.from, seen, image_, findings);
    stale_ = true;
    return {};
  }
  const size_t before = findings.size();
  const uint64_t end = base() + bytes();
  look({spot_.from, base()}, spot_.from, seen, image_, findings);
  look({end, spot_.to}, spot_.from, seen, image_, findings);
  const size_t around = findings.size();
  for (const Range& gap : gaps_) {
    look(gap, spot_.from, seen, image_, findings);
    if (findings.size() > around) break;  // one of them says enough
  }
  const std::span now = seen.subspan(base() - spot_.from, bytes());
  const std::span was(at(base()), bytes());
  if (request_.writable) {
    for (const Range& gap : gaps_) {
      std::memcpy(now.data() + (gap.from - base()), at(gap.from), gap.to - gap.from);
    }
    std::ranges::copy(now, was.begin());
    stale_ = findings.size() > before;
    return {};
  }
  stale_ = true;
  const auto [n, w] = std::ranges::mismatch(now, was);
  // What lies in a gap is said already.
  if (n == now.end() || findings.size() > around) return {};
  const auto end_of = std::mismatch(n, now.end(), w, std::not_equal_to<>());
  Finding f;
  f.kind = FindingKind::input_modified;
  f.buffer = request_.name;
  f.offset = n - now.begin();
  f.bytes = static_cast<int>(end_of.first - n);
  f.detail =
      fmt::format("{} may only be read, and is not what it was before the launch", request_.name);
  findings.push_back(std::move(f));
  return {};
}

Result<void> GpuBuffer::unwritten(GpuApi& api, size_t limit, std::vector<uint64_t>& offsets) const {
  const size_t n = poison_.size();
  const auto is_zero = [](std::byte b) { return b == std::byte{}; };
  // Zeros may be what somebody wrote.
  if (n == 0 || std::ranges::all_of(poison_, is_zero)) return {};
  std::vector<std::byte> piece(std::min<uint64_t>(bytes(), kPiece / n * n));
  for (uint64_t from = 0; from < bytes(); from += piece.size()) {
    const std::span now = std::span(piece).first(std::min<uint64_t>(piece.size(), bytes() - from));
    if (auto done = read(api, base() + from, now); !done) return done;
    for (uint64_t i = 0; i + n <= now.size(); i += n) {
      if (offsets.size() >= limit) return {};
      if (std::memcmp(now.data() + i, poison_.data(), n) == 0) offsets.push_back(from + i);
    }
  }
  return {};
}

}  // namespace w4
