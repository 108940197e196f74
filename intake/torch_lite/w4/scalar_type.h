// Element types by name, and the C++ type of each.
#pragma once

#include <cstdint>
#include <ostream>

#include "w4/exception.h"
#include "w4/numbers.h"

// X(C++ type, name, name as TypeMeta prints it)
#define W4_TORCH_SCALAR_TYPES(X)                                     \
  X(uint8_t, Byte, "unsigned char")                                  \
  X(int8_t, Char, "signed char")                                     \
  X(int16_t, Short, "short int")                                     \
  X(int32_t, Int, "int")                                             \
  X(int64_t, Long, "long int")                                       \
  X(::c10::Half, Half, "c10::Half")                                  \
  X(float, Float, "float")                                           \
  X(double, Double, "double")                                        \
  X(bool, Bool, "bool")                                              \
  X(::c10::BFloat16, BFloat16, "c10::BFloat16")                      \
  X(uint16_t, UInt16, "unsigned short")                              \
  X(uint32_t, UInt32, "unsigned int")                                \
  X(uint64_t, UInt64, "unsigned long")                               \
  X(::c10::Float8_e4m3fn, Float8_e4m3fn, "c10::Float8_e4m3fn")       \
  X(::c10::Float8_e4m3fnuz, Float8_e4m3fnuz, "c10::Float8_e4m3fnuz") \
  X(::c10::Float8_e5m2, Float8_e5m2, "c10::Float8_e5m2")

namespace c10 {

enum class ScalarType : int8_t {
#define X(TYPE, NAME, META) NAME,
  W4_TORCH_SCALAR_TYPES(X)
#undef X
      Undefined
};

inline const char* toString(ScalarType t) {
  switch (t) {
#define X(TYPE, NAME, META) \
  case ScalarType::NAME:    \
    return #NAME;
    W4_TORCH_SCALAR_TYPES(X)
#undef X
    default:
      return "Undefined";
  }
}
inline std::ostream& operator<<(std::ostream& out, ScalarType t) { return out << toString(t); }

inline int64_t elementSize(ScalarType t) {
  switch (t) {
#define X(TYPE, NAME, META) \
  case ScalarType::NAME:    \
    return sizeof(TYPE);
    W4_TORCH_SCALAR_TYPES(X)
#undef X
    default:
      w4::torch_lite::raise<Error>("Unknown ScalarType");
  }
}
inline bool isFloatingType(ScalarType t) {
  return t == ScalarType::Half || t == ScalarType::Float || t == ScalarType::Double ||
         t == ScalarType::BFloat16;
}
inline bool isIntegralType(ScalarType t, bool bool_too) {
  return (t <= ScalarType::Long || (t >= ScalarType::UInt16 && t <= ScalarType::UInt64)) ||
         (bool_too && t == ScalarType::Bool);
}

namespace impl {
template <ScalarType>
struct ScalarTypeToCPPType;
#define X(TYPE, NAME, META)                      \
  template <>                                    \
  struct ScalarTypeToCPPType<ScalarType::NAME> { \
    using type = TYPE;                           \
  };
W4_TORCH_SCALAR_TYPES(X)
#undef X
template <ScalarType T>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<T>::type;
}  // namespace impl

template <class T>
struct CppTypeToScalarType {
  static_assert(sizeof(T) == 0, "torch_lite: no dtype has elements of this C++ type");
};
#define X(TYPE, NAME, META)                               \
  template <>                                             \
  struct CppTypeToScalarType<TYPE> {                      \
    static constexpr ScalarType value = ScalarType::NAME; \
  };
W4_TORCH_SCALAR_TYPES(X)
#undef X

}  // namespace c10

namespace caffe2 {

// What Tensor::dtype() returns: a ScalarType that prints as the C++ type.
class TypeMeta {
 public:
  TypeMeta(c10::ScalarType t = c10::ScalarType::Undefined) : type_(t) {}  // NOLINT: as in torch
  template <class T>
  static TypeMeta Make() {
    return TypeMeta(c10::CppTypeToScalarType<T>::value);
  }
  c10::ScalarType toScalarType() const { return type_; }
  size_t itemsize() const { return static_cast<size_t>(c10::elementSize(type_)); }
  const char* name() const {
    switch (type_) {
#define X(TYPE, NAME, META)   \
  case c10::ScalarType::NAME: \
    return META;
      W4_TORCH_SCALAR_TYPES(X)
#undef X
      default:
        return "nullptr (uninitialized)";
    }
  }
  friend bool operator==(TypeMeta a, TypeMeta b) { return a.type_ == b.type_; }
  friend bool operator!=(TypeMeta a, TypeMeta b) { return a.type_ != b.type_; }
  friend std::ostream& operator<<(std::ostream& out, TypeMeta t) { return out << t.name(); }

 private:
  c10::ScalarType type_;
};

}  // namespace caffe2

namespace c10 {
using caffe2::TypeMeta;
inline ScalarType typeMetaToScalarType(TypeMeta t) { return t.toScalarType(); }

inline constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = ScalarType::Byte;
inline constexpr ScalarType kChar = ScalarType::Char, kInt8 = ScalarType::Char;
inline constexpr ScalarType kShort = ScalarType::Short, kInt16 = ScalarType::Short;
inline constexpr ScalarType kInt = ScalarType::Int, kInt32 = ScalarType::Int;
inline constexpr ScalarType kLong = ScalarType::Long, kInt64 = ScalarType::Long;
inline constexpr ScalarType kHalf = ScalarType::Half, kFloat16 = ScalarType::Half;
inline constexpr ScalarType kFloat = ScalarType::Float, kFloat32 = ScalarType::Float;
inline constexpr ScalarType kDouble = ScalarType::Double, kFloat64 = ScalarType::Double;
inline constexpr ScalarType kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16;
inline constexpr ScalarType kUInt16 = ScalarType::UInt16, kUInt32 = ScalarType::UInt32,
                            kUInt64 = ScalarType::UInt64;
inline constexpr ScalarType kFloat8_e4m3fn = ScalarType::Float8_e4m3fn,
                            kFloat8_e4m3fnuz = ScalarType::Float8_e4m3fnuz,
                            kFloat8_e5m2 = ScalarType::Float8_e5m2;
}  // namespace c10
