#include "campaign/streams/sha1.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <vector>

namespace w4 {
namespace {

constexpr size_t kBlock = 64;  // bytes
using State = std::array<uint32_t, 5>;

// The message, a bit 1, zeros, and its length in bits as eight bytes.
std::vector<uint8_t> padded(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> out(bytes.begin(), bytes.end());
  out.push_back(0x80);
  while (out.size() % kBlock != kBlock - 8) out.push_back(0);
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(bits >> shift));
  return out;
}

std::array<uint32_t, 80> schedule(std::span<const uint8_t> block) {
  std::array<uint32_t, 80> w{};
  for (size_t i = 0; i < kBlock; ++i) w[i / 4] = w[i / 4] << 8 | block[i];
  for (size_t i = 16; i < w.size(); ++i)
    w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  return w;
}

uint32_t mixed(size_t round, uint32_t b, uint32_t c, uint32_t d) {
  switch (round / 20) {
    case 0:
      return ((b & c) | (~b & d)) + 0x5a827999;
    case 1:
      return (b ^ c ^ d) + 0x6ed9eba1;
    case 2:
      return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    default:
      return (b ^ c ^ d) + 0xca62c1d6;
  }
}

void add_block(State& h, std::span<const uint8_t> block) {
  const auto w = schedule(block);
  auto [a, b, c, d, e] = h;
  for (size_t i = 0; i < w.size(); ++i) {
    const uint32_t next = std::rotl(a, 5) + mixed(i, b, c, d) + e + w[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

}  // namespace

std::string sha1(std::span<const uint8_t> bytes) {
  State h{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const std::vector<uint8_t> message = padded(bytes);
  for (size_t at = 0; at < message.size(); at += kBlock)
    add_block(h, std::span(message).subspan(at, kBlock));
  return fmt::format("{:08x}{:08x}{:08x}{:08x}{:08x}", h[0], h[1], h[2], h[3], h[4]);
}

}  // namespace w4
