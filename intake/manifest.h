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
//
// An operator of a source that `w4check intake` compiles (ops.h) has "op" in place of symbol, grid,
// block and lds, and the manifest no objects:
//   {"name": "skinny", "op": "wvSplitK_int4", "says": …,
//    "args": [{"tensor": "wei", "layout": "shuffled", "dtype": "i32"}, {"int": "CUS"},
//             {"tensor": "zp", "layout": ["packed", "unpacked"]}, {"none": "sinks"}, …],
//    "clauses": […], "assumes": […], "numerics": …, "laws": …}
// args: the parameters in order. dtype: elements that the operator sees the bytes as (i8 [N,K/2] as
// i32 [N,K/8]). "strided": true where the operator reads its row stride; otherwise rows follow each
// other. "optional": true of zp where none is fine, as it is with two layouts. A tensor that a call
// lacks is none. {"int": E}, {"float": "0.5"}, {"bool": true},
// {"text": "…"}; {"none": "what for"} is no tensor. What it returns is the output where no argument
// is. clauses: what its own checks have to refuse; those about the zero points' encoding are among
// them by themselves. assumes: what its callers see to; what follows from the arguments is there.
//
// docs/manifest.md is the reference, docs/manifest.schema.json its schema. What follows from the
// arguments is added to the clauses by itself (manifest_rules.h).
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

enum class Role : uint8_t { act, wei, scale, zp, bias, carrier, out };
inline constexpr size_t kRoles = 7;

struct ManifestArg {
  enum class Kind : uint8_t {
    tensor,
    integer,
    real,
    number,
    text,
    null,
    workspace
  } kind = Kind::null;
  Role role{};  // tensor
  // Of a tensor: one; of zero points several, where one pointer is in the call's encoding.
  std::vector<w4_layout> layouts;
  bool optional = false;            // zp: may be none, or in another encoding
  std::optional<w4_dtype> seen_as;  // tensor of an operator: elements that its bytes are shown as
  bool strided = false;             // the same: its rows may be farther apart than they are long
  bool is_signed = true;            // integer
  bool zeroed = false;              // workspace: of zeros; otherwise undefined
  uint32_t bytes = 8;               // in the argument block
  Expression value;                 // integer, real; bytes of a workspace
  double number = 0;
  std::string text;
  std::string place;  // "file:line:column: kernels[0].args[3]" for errors found later

  bool pointer() const { return kind != Kind::integer && kind != Kind::real; }
};

// A word that a pattern names: the first text whose condition holds.
struct ManifestWord {
  struct Choice {
    Expression when;
    std::string text;
  };
  std::string name;
  std::vector<Choice> choices;
};

// One way to the code: a symbol, or a pattern over demangled names.
struct ManifestSymbol {
  struct Part {
    enum class Kind : uint8_t { text, number, word } kind = Kind::text;
    std::string text;  // without blanks
    Expression number;
    size_t word = 0;  // of ManifestKernel::words
  };
  std::string text;         // as written
  std::vector<Part> parts;  // of a pattern; empty: `text` is the symbol itself
  Expression when{1};       // 0: not this one
  std::string place;

  bool pattern() const { return !parts.empty(); }
};

struct ManifestKernel {
  std::string name, says;
  std::string op;                       // of an operator, which has no symbols
  std::vector<ManifestSymbol> symbols;  // the first whose `when` holds is taken
  std::vector<ManifestWord> words;
  std::vector<ManifestArg> args;
  std::array<Expression, 3> grid, block;
  Expression lds;
  // Those added first. Of an operator: what its own code has to refuse, the rest is in `assumes`:
  // calls that break one of those are refused before it sees them.
  std::vector<std::string> clauses, assumes;
  std::vector<std::string> laws;
  w4_numerics numerics{};  // .text points into numerics_text
  std::string numerics_text;
  std::string place;  // of "symbol" or "op"

  const ManifestArg* find(Role role) const;  // nullptr: no argument takes it
  // Whether an argument is computed from this variable (expression.h).
  bool passes(std::string_view variable) const;
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
