#include "intake/manifest_operator.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "intake/manifest_args.h"
#include "intake/manifest_kernel.h"
#include "intake/manifest_keys.h"
#include "intake/manifest_rules.h"
#include "intake/relayout.h"
#include "kernels/descriptors.h"

namespace w4 {
namespace {

constexpr std::array kElements{W4_F16, W4_BF16, W4_F32, W4_F64, W4_I8,
                               W4_U8,  W4_I32,  W4_U32, W4_I64};

void read_tensor(const ManifestValues& values, const Json& v, const std::string& key,
                 ManifestArg& a) {
  a.kind = ManifestArg::Kind::tensor;
  a.role = read_role(values, *v.find("tensor"), key);
  const Json& layout = values.field(v, key, "layout");
  if (layout.kind == Json::Kind::array && a.role == Role::zp && !layout.items.empty()) {
    for (const Json& one : layout.items) {
      a.layouts.push_back(read_layout(values, one, key, a.role));
    }
  } else {
    a.layouts = {read_layout(values, layout, key, a.role)};
  }
  a.optional = a.layouts.size() > 1;
  read_optional(values, v, key, a);
  for (const w4_layout l : a.layouts) {
    if (!is_relaid(l) && a.role != Role::carrier) continue;
    values.wrong(layout, key + ".layout", "{} of an operator; legal: what calls have (module.h)",
                 name_of(l));
  }
  if (const Json* strided = v.find("strided")) {
    a.strided = values.of_kind(*strided, key + ".strided", Json::Kind::boolean).boolean;
  }
  if (const Json* dtype = v.find("dtype")) {
    const std::string at = key + ".dtype";
    const auto named = std::ranges::find(kElements, values.text(*dtype, at),
                                         [](w4_dtype t) { return name_of(t); });
    if (named == kElements.end()) {
      values.wrong(*dtype, at, "{}; legal: {}", shown(*dtype),
                   names(kElements, [](w4_dtype t) { return name_of(t); }));
    }
    a.seen_as = *named;
  }
}

ManifestArg read_arg(const ManifestValues& values, const Json& v, const std::string& key) {
  values.object(v, key, manifest_keys::kOperatorArgument);
  ManifestArg a;
  a.place = values.place(v, key);
  const auto at = [&](std::string_view name) { return fmt::format("{}.{}", key, name); };
  const bool tensor = v.find("tensor") != nullptr;
  const auto belongs = [](const std::string& k) {
    return k == "tensor" || k == "layout" || k == "optional" || k == "dtype" || k == "strided";
  };
  if (v.keys.empty() ||
      (tensor ? !std::ranges::all_of(v.keys, belongs) : v.keys.size() != 1 || belongs(v.keys[0]))) {
    values.wrong(v, key,
                 "these keys do not go together; legal: tensor and layout with or without dtype, "
                 "optional and strided, or one of int, float, bool, text, none");
  }
  if (tensor) {
    read_tensor(values, v, key, a);
  } else if (const Json* integer = v.find("int")) {
    a.kind = ManifestArg::Kind::integer;
    a.value = values.expression(*integer, at("int"));
  } else if (const Json* number = v.find("float")) {
    a.kind = ManifestArg::Kind::number;
    const std::string& text = values.text(*number, at("float"));
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), a.number);
    if (ec != std::errc{} || end != text.data() + text.size()) {
      values.wrong(*number, at("float"), "{}; legal: a number as a text, \"0.5\"", shown(*number));
    }
  } else if (const Json* boolean = v.find("bool")) {
    a.kind = ManifestArg::Kind::integer;
    a.value = Expression(values.of_kind(*boolean, at("bool"), Json::Kind::boolean).boolean);
  } else if (const Json* text = v.find("text")) {
    a.kind = ManifestArg::Kind::text;
    a.text = values.text(*text, at("text"));
  } else {
    values.text(*v.find("none"), at("none"));
  }
  return a;
}

void need_tensors(const ManifestValues& values, const Json& args, const std::string& key,
                  const ManifestKernel& k) {
  const ManifestArg* wei = k.find(Role::wei);
  const bool dense = wei != nullptr && wei->layouts.front() == W4_DENSE;
  for (const Role needed : {Role::act, Role::wei, Role::scale}) {
    if (k.find(needed) != nullptr || (needed == Role::scale && dense)) continue;
    values.wrong(args, key,
                 "no argument is the tensor {}; legal: act and wei, and scale where wei is not "
                 "dense",
                 name_of(needed));
  }
}

// What the manifest says follows from the arguments is the callers' business, but for the zero
// points: which encoding they have is what an operator must not get wrong.
void divide_implied(ManifestKernel& k) {
  imply_clauses(k);
  for (const auto& [role, clause] : {std::pair{Role::act, "act.contiguous"},
                                     {Role::wei, "weight.contiguous"},
                                     {Role::scale, "scale.contiguous"},
                                     {Role::bias, "bias.contiguous"},
                                     {Role::out, "out.contiguous"}}) {
    const ManifestArg* a = k.find(role);
    if (a != nullptr && a->strided) std::erase(k.clauses, clause);
  }
  std::erase_if(k.clauses, [&](const std::string& c) {
    const bool checked =
        c == "zp.packed" || c == "zp.unpacked" || c == "zp.numbers" || c == "zp.dtype";
    if (!checked) k.assumes.push_back(c);
    return !checked;
  });
}

}  // namespace

ManifestKernel read_operator(const ManifestValues& values, const Json& v, const std::string& key) {
  values.object(v, key, manifest_keys::kOperator);
  const auto sub = [&](std::string_view name) { return fmt::format("{}.{}", key, name); };
  ManifestKernel k;
  k.name = read_kernel_name(values, v, key);
  const Json& op = values.field(v, key, "op");
  k.op = values.text(op, sub("op"));
  k.place = values.place(op, sub("op"));
  if (const Json* says = v.find("says")) k.says = values.text(*says, sub("says"));
  const Json& args = values.of_kind(values.field(v, key, "args"), sub("args"), Json::Kind::array);
  for (size_t i = 0; i < args.items.size(); ++i) {
    k.args.push_back(read_arg(values, args.items[i], fmt::format("{}.args[{}]", key, i)));
  }
  need_tensors(values, args, sub("args"), k);
  divide_implied(k);
  if (const Json* assumes = v.find("assumes")) {
    read_clauses(values, *assumes, sub("assumes"), k.assumes);
  }
  if (const Json* clauses = v.find("clauses")) {
    read_clauses(values, *clauses, sub("clauses"), k.clauses);
    std::erase_if(k.assumes, [&](const std::string& c) {
      return std::ranges::find(k.clauses, c) != k.clauses.end();
    });
  }
  read_numerics(values, values.field(v, key, "numerics"), sub("numerics"), k);
  if (const Json* laws = v.find("laws")) read_laws(values, *laws, sub("laws"), k);
  return k;
}

}  // namespace w4
