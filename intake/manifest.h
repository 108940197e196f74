// A manifest: what a code object of another compiler does not say about its kernels, as JSON.
//   {"w4_manifest": 1,
//    "objects": {"gfx1151": "a.hsaco"},             paths relative to the manifest
//    "kernels": [{
//      "name": "w4a16", "symbol": "w4a16", "says": "one sentence",
//      "args": [{"tensor": "act", "layout": "dense"}, {"i32": "M"}, {"null": "scratch"}, …],
//      "grid": ["ceil_div(M, 32)", 1, 1], "block": [128, 1, 1], "lds": 4096,
//      "clauses": ["k.step32", …],
//      "numerics": {"weight": "product_rounded", "chain": "wmma_f32_in_order",
//                   "store": "round_once"},
//      "laws": ["permute_n", …]}]}
// args: the explicit arguments in order. {"tensor": R, "layout": L} is the address of act, wei,
// scale, zp, bias or out in that layout (kernels/module.h); {"i32": E} and {"i64": E} are integers;
// {"null": "what for"} is a null pointer. grid counts workgroups; lds is dynamic LDS in bytes. E,
// and the members of grid, block and lds, are expressions (expression.h) or integers. clauses:
// names of core/contract.h under which the kernel works. What follows from the arguments is added
// by itself: positive sizes, K whole groups, contiguous rows (nothing passes a stride), the zero
// points' encoding, no bias where no argument takes one, no tile, 32-bit indices. laws: those that
// hold bit for bit (w4_kernel::laws); may be left out, which is none of them.
//
// An operator of a source that `w4check intake` compiles (ops.h) has "op" in place of symbol, grid,
// block and lds, and the manifest no objects:
//   {"name": "skinny", "op": "wvSplitK_int4", "says": …,
//    "args": [{"tensor": "wei", "layout": "shuffled", "dtype": "i32"}, {"int": "CUS"},
//             {"tensor": "zp", "layout": ["packed", "unpacked"]}, {"none": "sinks"}, …],
//    "clauses": […], "assumes": […], "numerics": …, "laws": …}
// args: the parameters in order. dtype: elements that the operator sees the bytes as (i8 [N,K/2] as
// i32 [N,K/8]). "strided": true where the operator reads its row stride; otherwise rows follow each
// other. A tensor that a call lacks is none. {"int": E}, {"float": "0.5"}, {"bool": true},
// {"text": "…"}; {"none": "what for"} is no tensor. What it returns is the output where no argument
// is. clauses: what its own checks have to refuse; those about the zero points' encoding are among
// them by themselves. assumes: what its callers see to; what follows from the arguments is there.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "intake/expression.h"
#include "kernels/module.h"

namespace w4 {

enum class Role : uint8_t { act, wei, scale, zp, bias, out };
inline constexpr size_t kRoles = 6;

struct ManifestArg {
  enum class Kind : uint8_t { tensor, integer, number, text, null } kind = Kind::null;
  Role role{};                      // tensor
  std::vector<w4_layout> layouts;   // tensor: one; zero points of an operator may have several
  std::optional<w4_dtype> seen_as;  // tensor of an operator: elements that its bytes are shown as
  bool strided = false;             // the same: its rows may be farther apart than they are long
  uint32_t bytes = 8;               // in the argument block
  Expression value;                 // integer
  double number = 0;
  std::string text;
  std::string place;  // "file:line:column: kernels[0].args[3]" for errors found later
};

struct ManifestKernel {
  std::string name, says;
  std::string symbol, op;  // one of the two
  std::vector<ManifestArg> args;
  std::array<Expression, 3> grid, block;
  Expression lds;
  // Those added first. Of an operator: what its own code has to refuse, the rest is in `assumes`:
  // calls that break one of those are refused before it sees them.
  std::vector<std::string> clauses, assumes;
  std::vector<std::string> laws;
  w4_numerics numerics{};  // .text points into numerics_text
  std::string numerics_text;
  std::string place;  // of the symbol or operator

  const ManifestArg* find(Role role) const;  // nullptr: no argument takes it
};

struct ManifestObject {
  std::string arch, path;  // the path as written
  std::string place;
};

struct Manifest {
  std::vector<ManifestObject> objects;
  std::vector<ManifestKernel> kernels;
};

// Errors name file, line, column, key, value and what is legal. Reads no other file.
Result<Manifest> parse_manifest(std::string_view text, std::string_view file);

}  // namespace w4
