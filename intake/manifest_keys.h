// The keys of every object of a manifest, by the name of its definition in
// docs/manifest.schema.json: the readers take them from here, and a test holds the schema to them.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace w4::manifest_keys {

inline constexpr std::array<std::string_view, 3> kManifest{"w4_manifest", "objects", "kernels"};
inline constexpr std::array<std::string_view, 11> kKernel{"name",    "says",     "symbol", "bind",
                                                          "args",    "grid",     "block",  "lds",
                                                          "clauses", "numerics", "laws"};
inline constexpr std::array<std::string_view, 3> kSymbol{"symbol", "pattern", "when"};
inline constexpr std::array<std::string_view, 2> kChoice{"when", "text"};
inline constexpr std::array<std::string_view, 10> kArgument{
    "tensor", "layout", "optional", "i32", "u32", "i64", "f32", "null", "workspace", "zeroed"};
inline constexpr std::array<std::string_view, 4> kNumerics{"weight", "chain", "store", "of"};

// Of an operator ("op") and its arguments.
inline constexpr std::array<std::string_view, 8> kOperator{
    "name", "says", "op", "args", "clauses", "assumes", "numerics", "laws"};
inline constexpr std::array<std::string_view, 10> kOperatorArgument{
    "tensor", "layout", "optional", "dtype", "strided", "int", "float", "bool", "text", "none"};

struct Object {
  std::string_view definition;
  std::span<const std::string_view> keys;
};
inline constexpr std::array kObjects{
    Object{"manifest", kManifest}, Object{"kernel", kKernel},
    Object{"symbol", kSymbol},     Object{"choice", kChoice},
    Object{"argument", kArgument}, Object{"numerics", kNumerics},
    Object{"operator", kOperator}, Object{"operator_argument", kOperatorArgument}};

}  // namespace w4::manifest_keys
