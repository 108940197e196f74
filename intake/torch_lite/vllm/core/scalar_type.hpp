// Stand-in for vLLM's header of this name: a type by its id only.
#pragma once

#include <cstdint>

namespace vllm {
using ScalarTypeId = int64_t;
class ScalarType {
 public:
  static constexpr ScalarType from_id(ScalarTypeId id) { return ScalarType(id); }
  constexpr ScalarTypeId id() const { return id_; }
  constexpr bool operator==(ScalarType o) const { return id_ == o.id_; }

 private:
  explicit constexpr ScalarType(ScalarTypeId id) : id_(id) {}
  ScalarTypeId id_;
};
}  // namespace vllm
