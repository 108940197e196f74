#include "intake/manifest_rules.h"

#include <algorithm>
#include <array>

#include "core/contract.h"
#include "core/law.h"
#include "intake/declarations.h"

namespace w4 {
namespace {

constexpr std::array<std::string_view, 3> kNumericsKeys{"weight", "chain", "store"};

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

}  // namespace

void imply_clauses(ManifestKernel& k) {
  for (const char* c : {"act.dtype", "scale.dtype", "group.positive", "k.group", "m.positive",
                        "n.positive", "k.positive", "act.contiguous", "weight.contiguous",
                        "scale.contiguous", "out.contiguous", "tile.auto", "index.width"}) {
    k.clauses.emplace_back(c);
  }
  const ManifestArg* zp = k.find(Role::zp);
  if (zp == nullptr) {
    k.clauses.emplace_back("zp.none");
  } else {
    if (zp->layouts.size() == 1)
      k.clauses.emplace_back(zp->layouts[0] == W4_ZP_PACKED ? "zp.packed" : "zp.unpacked");
    k.clauses.emplace_back("zp.dtype");
    k.clauses.emplace_back("zp.octet");
  }
  k.clauses.emplace_back("source.octet");
  for (const char* c : {"bias.shape", "bias.dtype", "bias.contiguous"}) {
    if (k.find(Role::bias) != nullptr) k.clauses.emplace_back(c);
  }
  if (k.find(Role::bias) == nullptr) k.clauses.emplace_back("bias.none");
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
  values.object(v, key, kNumericsKeys);
  const auto& weight = chosen(values, v, key, "weight", weight_rules());
  const auto& chain = chosen(values, v, key, "chain", chain_rules());
  const auto& store = chosen(values, v, key, "store", store_rules());
  k.numerics.weight = weight.function;
  k.numerics.chain = chain.function;
  k.numerics.store = store.function;
  k.numerics_text = fmt::format("{}; {}; {}", weight.says, chain.says, store.says);
}

}  // namespace w4
