#include "intake/manifest_rules.h"

#include <algorithm>
#include <array>

#include "core/contract.h"
#include "core/law.h"
#include "intake/declarations.h"
#include "intake/manifest_keys.h"
#include "kernels/prepare.h"
#include "kernels/table.h"

namespace w4 {
namespace {

template <class F>
const Named<F>& chosen(const ManifestValues& values, const Json& v, const std::string& key,
                       std::string_view name, std::span<const Named<F>> rules) {
  const Json& word = values.field(v, key, name);
  const std::string at = fmt::format("{}.{}", key, name);
  const auto found = std::ranges::find(rules, values.text(word, at), &Named<F>::name);
  if (found == rules.end()) {
    values.wrong(word, at, "{}; legal: {}", shown(word),
                 names(rules, [](const Named<F>& r) { return r.name; }));
  }
  return *found;
}

void read_numerics_of(const ManifestValues& values, const Json& v, const std::string& key,
                      ManifestKernel& k) {
  const std::vector<const w4_kernel*> kernels = kernels_with_numerics();
  const auto found = std::ranges::find(
      kernels, values.text(v, key), [](const w4_kernel* b) { return std::string_view(b->name); });
  if (found == kernels.end()) {
    values.wrong(v, key, "{} is no built-in kernel with a declaration; legal: {}", shown(v),
                 names(kernels, [](const w4_kernel* b) { return b->name; }));
  }
  k.numerics = *(*found)->numerics;
  k.numerics_text = k.numerics.text;
}

// By the encodings that the arguments take, and whether none is fine as well.
void imply_zero_points(ManifestKernel& k) {
  bool packed = false, unpacked = false, none = true;
  for (const ManifestArg& a : k.args) {
    if (a.kind != ManifestArg::Kind::tensor || a.role != Role::zp) continue;
    for (const w4_layout l : a.layouts) (l == W4_ZP_UNPACKED ? unpacked : packed) = true;
    none &= a.optional;
  }
  const bool ours = packed || unpacked;
  // Dense weights and carriers have taken the zero points in; both are made of packed ones.
  const bool taken_in =
      k.find(Role::wei)->layouts[0] == W4_DENSE || k.find(Role::carrier) != nullptr;
  const auto add = [&](const char* clause) { k.clauses.emplace_back(clause); };
  if (!ours && !taken_in) return add("zp.none");
  if (!ours || (packed && !unpacked && none)) add("zp.encoding");
  if (packed && !unpacked && !none) add("zp.packed");
  if (unpacked && !packed) add(none ? "zp.numbers" : "zp.unpacked");
  if (packed && unpacked && !none) add("zp.present");
  add("zp.dtype");
  add("zp.octet");
}

}  // namespace

std::vector<const w4_kernel*> kernels_with_numerics() {
  std::vector<const w4_kernel*> out;
  const w4_module& ours = builtin_module();
  for (const w4_kernel& b : std::span(ours.kernels, static_cast<size_t>(ours.kernel_count))) {
    if (b.numerics_of == nullptr) out.push_back(&b);
  }
  return out;
}

void imply_clauses(ManifestKernel& k) {
  const auto add = [&](const char* clause) { k.clauses.emplace_back(clause); };
  const ManifestArg& wei = *k.find(Role::wei);
  const bool repacked = wei.layouts[0] != W4_DENSE && wei.layouts[0] != W4_WEI_SHUFFLED;
  for (const char* c : {"act.dtype", "scale.dtype", "group.positive", "k.group", "m.positive",
                        "n.positive", "k.positive"}) {
    add(c);
  }
  add(k.passes("lda") ? "act.apart" : "act.contiguous");
  add(k.passes("wei_stride") && !repacked ? "weight.stride" : "weight.contiguous");
  add(k.passes("scale_stride") || k.passes("zp_stride") || k.passes("carrier_stride")
          ? "scale.stride"
          : "scale.contiguous");
  add(k.passes("ldy") ? "out.apart" : "out.contiguous");
  add("tile.auto");
  add("index.width");
  if (repacked) add("k.octet");
  if (wei.layouts[0] == W4_WEI_AWQ) add("n.octet");
  imply_zero_points(k);
  add("source.octet");
  for (const char* c : kPreparationClauses) {
    if (c != std::string_view("source.octet")) add(c);
  }
  add("experts.none");
  if (k.find(Role::bias) == nullptr) return add("bias.none");
  add("bias.shape");
  add("bias.dtype");
  const bool strided =
      k.passes("bias_stride") || (k.passes("bias_m_stride") && k.passes("bias_n_stride"));
  add(strided ? "bias.apart" : "bias.contiguous");
  const bool any_shape = std::ranges::any_of(
      std::array{"bias_rows", "bias_cols", "bias_stride", "bias_m_stride", "bias_n_stride"},
      [&](const char* v) { return k.passes(v); });
  if (!any_shape && k.op.empty()) add("bias.vector");  // operators see its shape
}

void read_clauses(const ManifestValues& values, const Json& v, const std::string& key,
                  std::vector<std::string>& into) {
  values.of_kind(v, key, Json::Kind::array);
  for (size_t i = 0; i < v.items.size(); ++i) {
    const Json& item = v.items[i];
    const std::string at = fmt::format("{}[{}]", key, i);
    if (find_clause(values.text(item, at)) == nullptr) {
      values.wrong(item, at, "{} is no clause; legal: {}", shown(item),
                   names(all_clauses(), [](const Clause& c) { return c.name; }));
    }
    if (std::ranges::find(into, item.text) == into.end()) {
      into.push_back(item.text);
    }
  }
}

void read_laws(const ManifestValues& values, const Json& v, const std::string& key,
               ManifestKernel& k) {
  values.of_kind(v, key, Json::Kind::array);
  for (size_t i = 0; i < v.items.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", key, i);
    const auto law = law_from(values.text(v.items[i], at));
    if (!law || !can_be_exact(*law)) {
      std::vector<Law> legal(all_laws().begin(), all_laws().end());
      std::erase_if(legal, [](Law l) { return !can_be_exact(l); });
      values.wrong(v.items[i], at, "{} is no law that holds bit for bit; legal: {}",
                   shown(v.items[i]), names(legal, [](Law l) { return name_of(l); }));
    }
    k.laws.push_back(v.items[i].text);
  }
}

void read_numerics(const ManifestValues& values, const Json& v, const std::string& key,
                   ManifestKernel& k) {
  values.object(v, key, manifest_keys::kNumerics);
  if (const Json* of = v.find("of")) {
    if (v.keys.size() != 1) {
      values.wrong(v, key, "these keys do not go together; legal: of, or weight, chain and store");
    }
    return read_numerics_of(values, *of, key + ".of", k);
  }
  const auto& weight = chosen(values, v, key, "weight", weight_rules());
  const auto& chain = chosen(values, v, key, "chain", chain_rules());
  const auto& store = chosen(values, v, key, "store", store_rules());
  k.numerics.weight = weight.function;
  k.numerics.chain = chain.function;
  k.numerics.store = store.function;
  k.numerics_text = fmt::format("{}; {}; {}", weight.says, chain.says, store.says);
}

}  // namespace w4
