// A program of the table: a kernel's name, its launch, its inputs, and the host's answer to them.
// The answer is plain C++ over the same inputs; outputs are compared bit for bit (a NaN equals a
// NaN: payloads are not modelled) unless the row declares a tolerance and the reason for it.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "rdna/emulator.h"

namespace w4::rdna::programs {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using f16 = _Float16;

// Empty: equal. Otherwise the first element that differs and how many do.
using Differs = std::string (*)(std::span<const std::byte> got, std::span<const std::byte> want,
                                uint64_t ulps);

struct Arg {
  enum class Kind : uint8_t { value, in, out, inout } kind;
  std::vector<std::byte> before;  // value: its bytes; in, inout: contents at the start
  std::vector<std::byte> want;    // out, inout: contents at the end
  size_t align = 8;
  Differs differs = nullptr;
  uint64_t ulps = 0;
  const char* inexact = "";  // why a tolerance is declared
};

// Whether two elements are the same answer.
template <class T>
bool same(const T& a, const T& b, uint64_t ulps);

template <class T>
std::string first_difference(std::span<const std::byte> got, std::span<const std::byte> want,
                             uint64_t ulps) {
  std::string first;
  size_t n = 0;
  for (size_t at = 0; at + sizeof(T) <= want.size(); at += sizeof(T)) {
    T g, w;
    std::memcpy(&g, got.data() + at, sizeof g);
    std::memcpy(&w, want.data() + at, sizeof w);
    if (same(g, w, ulps)) continue;
    if (n++ == 0) {
      const auto hex = [](const T& x) {
        std::string s = "0x";
        for (size_t i = sizeof(T); i-- > 0;) {
          u8 byte = 0;
          std::memcpy(&byte, reinterpret_cast<const std::byte*>(&x) + i, 1);
          s += "0123456789abcdef"[byte >> 4];
          s += "0123456789abcdef"[byte & 15];
        }
        return s;
      };
      first = "element " + std::to_string(at / sizeof(T)) + ": got " + hex(g) + ", host " + hex(w);
    }
  }
  return n ? first + " (" + std::to_string(n) + " differ)" : "";
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& v) {
  std::vector<std::byte> b(v.size() * sizeof(T));
  if (!b.empty()) std::memcpy(b.data(), v.data(), b.size());
  return b;
}

// Built argument by argument, in the order of the kernel's parameters.
struct Setup {
  Dim3 grid{4}, block{128};
  uint32_t dynamic_lds = 0;
  std::vector<Arg> args;

  Setup&& launch(Dim3 g, Dim3 b, uint32_t lds = 0) && {
    grid = g;
    block = b;
    dynamic_lds = lds;
    return std::move(*this);
  }
  template <class T>
  Setup&& in(const std::vector<T>& v) && {
    args.push_back({.kind = Arg::Kind::in, .before = bytes_of(v), .want = {}});
    return std::move(*this);
  }
  // Each element is written exactly once.
  template <class T>
  Setup&& out(const std::vector<T>& want, uint64_t ulps = 0, const char* inexact = "") && {
    args.push_back({.kind = Arg::Kind::out,
                    .before = {},
                    .want = bytes_of(want),
                    .differs = first_difference<T>,
                    .ulps = ulps,
                    .inexact = inexact});
    return std::move(*this);
  }
  template <class T>
  Setup&& inout(const std::vector<T>& before, const std::vector<T>& after) && {
    args.push_back({.kind = Arg::Kind::inout,
                    .before = bytes_of(before),
                    .want = bytes_of(after),
                    .differs = first_difference<T>});
    return std::move(*this);
  }
  template <class T>
  Setup&& value(const T& x) && {
    args.push_back({.kind = Arg::Kind::value,
                    .before = bytes_of(std::vector<T>{x}),
                    .want = {},
                    .align = alignof(T)});
    return std::move(*this);
  }
};

struct Program {
  const char* name;  // of the kernel
  Setup (*setup)();
};

// Elements of an elementwise program: four workgroups of four waves.
inline constexpr size_t kN = 512;

// out[i] = f(in[i], …), one input buffer for each argument.
template <class F, class... T>
Setup elementwise(F f, const std::vector<T>&... in) {
  using R = decltype(f(in[0]...));
  std::vector<R> want(kN);
  for (size_t i = 0; i < kN; ++i) want[i] = f(in[i]...);
  Setup s;
  (static_cast<void>(std::move(s).in(in)), ...);
  return std::move(s).out(want);
}

// One family of kernels: tests/rdna/programs/<name>.hip and the rows of its programs.
struct Family {
  const char* name;
  std::span<const Program> programs;
};
std::span<const Family> families();

std::span<const Program> integer_programs();
std::span<const Program> bits_programs();
std::span<const Program> floats_programs();
std::span<const Program> doubles_programs();
std::span<const Program> halves_programs();
std::span<const Program> control_programs();
std::span<const Program> calls_programs();
std::span<const Program> memory_programs();
std::span<const Program> lds_programs();
std::span<const Program> lanes_programs();
std::span<const Program> atomics_programs();

template <class T>
inline constexpr bool kIsPair = requires(T x) { x[1]; };

template <class T>
bool same(const T& a, const T& b, uint64_t ulps) {
  if constexpr (kIsPair<T>) {
    for (size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i], ulps)) return false;
    }
    return true;
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                       std::is_same_v<T, f16>) {
    if (a != a && b != b) return true;
    if (std::memcmp(&a, &b, sizeof a) == 0) return true;
    if constexpr (std::is_same_v<T, float>) {
      const auto order = [](float x) {
        i32 i;
        std::memcpy(&i, &x, 4);
        return i < 0 ? i64{INT32_MIN} - i : i64{i};
      };
      const i64 d = order(a) - order(b);
      return a == a && b == b && static_cast<u64>(d < 0 ? -d : d) <= ulps;
    }
    return false;
  } else {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
}

}  // namespace w4::rdna::programs
