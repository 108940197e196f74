// Fuzz targets register themselves; one binary holds them all and picks by --target.
//   FUZZ_CASE_TARGET(decode, "what it asks") { … bytes … }   inputs of cases
//   (verify/cases/case_bytes.h) FUZZ_TARGET(loader, "what it asks") { … bytes … }        bytes as
//   they are
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "verify/cases/chooser.h"

namespace w4::fuzz {

using Bytes = std::span<const uint8_t>;

enum class Inputs : uint8_t {
  bytes,  // of any length, changed by the engine's own mutators
  cases,  // kInputBytes, changed and crossed by parts
};

struct Target {
  std::string_view name;
  std::string_view says;  // a sentence: what must hold
  Inputs inputs{};
  void (*run)(Bytes) = nullptr;  // aborts where it does not hold
};

// Filled before main() by FUZZ_TARGET and FUZZ_CASE_TARGET.
std::map<std::string_view, Target>& targets();

// "decode   what must hold", one a line.
std::string list_targets();

Result<Target> find_target(std::string_view name);

struct Register {
  explicit Register(const Target& target) { targets()[target.name] = target; }
};

#define W4_FUZZ_TARGET(name, says, inputs)                                               \
  static void fuzz_##name(::w4::fuzz::Bytes bytes);                                      \
  static const ::w4::fuzz::Register register_##name({#name, says, inputs, fuzz_##name}); \
  static void fuzz_##name(::w4::fuzz::Bytes bytes)
#define FUZZ_TARGET(name, says) W4_FUZZ_TARGET(name, says, ::w4::fuzz::Inputs::bytes)
#define FUZZ_CASE_TARGET(name, says) W4_FUZZ_TARGET(name, says, ::w4::fuzz::Inputs::cases)

// Total: every byte string answers every question; past its end the answer is 0, the plainest.
class ByteChooser final : public Chooser {
 public:
  explicit ByteChooser(Bytes bytes) : bytes_(bytes) {}
  int pick(int count) override;

 private:
  Bytes bytes_;
  size_t at_ = 0;
};

}  // namespace w4::fuzz
