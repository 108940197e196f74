#include "intake/manifest.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/contract.h"
#include "core/gpu.h"
#include "core/law.h"
#include "intake/declarations.h"
#include "intake/json.h"

namespace w4 {
namespace {

constexpr int64_t kVersion = 1;

struct RoleRow {
  std::string_view name;
  Role role;
  std::vector<std::pair<std::string_view, w4_layout>> layouts;  // what preparation can make
};
const std::array<RoleRow, kRoles> kRoleRows{{
    {"act", Role::act, {{"dense", W4_DENSE}}},
    {"wei", Role::wei, {{"shuffled", W4_WEI_SHUFFLED}}},
    {"scale", Role::scale, {{"dense", W4_DENSE}}},
    {"zp", Role::zp, {{"packed", W4_ZP_PACKED}, {"unpacked", W4_ZP_UNPACKED}}},
    {"bias", Role::bias, {{"dense", W4_DENSE}}},
    {"out", Role::out, {{"dense", W4_DENSE}}},
}};

template <class Range, class Name>
std::string names(const Range& range, Name name) {
  std::string out;
  for (const auto& x : range) out += fmt::format("{}{}", out.empty() ? "" : ", ", name(x));
  return out;
}

std::string shown(const Json& v) {
  switch (v.kind) {
    case Json::Kind::integer:
      return fmt::format("{}", v.integer);
    case Json::Kind::text:
      return fmt::format("'{}'", v.text.substr(0, 80));
    case Json::Kind::boolean:
      return v.boolean ? "true" : "false";
    default:
      return std::string(name_of(v.kind));
  }
}

// Every step throws what is wrong; parse_manifest alone catches it.
struct Wrong {
  Error error;
};

class ManifestReader {
 public:
  explicit ManifestReader(std::string_view file) : file_(file) {}

  Manifest document(const Json& root) {
    object(root, "the manifest", {"w4_manifest", "objects", "kernels"});
    const Json& version = field(root, "", "w4_manifest");
    if (version.kind != Json::Kind::integer || version.integer != kVersion) {
      wrong(version, "w4_manifest", "{}; legal: {}", shown(version), kVersion);
    }
    Manifest m;
    const Json& objects = of_kind(field(root, "", "objects"), "objects", Json::Kind::object);
    for (size_t i = 0; i < objects.keys.size(); ++i) {
      m.objects.push_back(one_object(objects.keys[i], objects.items[i]));
    }
    if (m.objects.empty()) wrong(objects, "objects", "empty; legal: at least one arch");
    const Json& kernels = of_kind(field(root, "", "kernels"), "kernels", Json::Kind::array);
    for (size_t i = 0; i < kernels.items.size(); ++i) {
      m.kernels.push_back(kernel(kernels.items[i], fmt::format("kernels[{}]", i)));
      for (size_t j = 0; j < i; ++j) {
        if (m.kernels[j].name != m.kernels[i].name) continue;
        wrong(kernels.items[i], fmt::format("kernels[{}].name", i), "'{}' is kernels[{}] already",
              m.kernels[i].name, j);
      }
    }
    if (m.kernels.empty()) wrong(kernels, "kernels", "empty; legal: at least one kernel");
    return m;
  }

 private:
  std::string place(const Json& at, std::string_view key) const {
    return fmt::format("{}:{}:{}: {}", file_, at.line, at.column, key);
  }
  template <class... A>
  [[noreturn]] void wrong(const Json& at, std::string_view key, fmt::format_string<A...> f,
                          A&&... a) const {
    throw Wrong{
        Error{fmt::format("{}: {}", place(at, key), fmt::format(f, std::forward<A>(a)...))}};
  }

  const Json& of_kind(const Json& v, std::string_view key, Json::Kind kind) const {
    if (v.kind != kind) wrong(v, key, "{}; legal: {}", shown(v), name_of(kind));
    return v;
  }
  void object(const Json& v, std::string_view key,
              std::initializer_list<std::string_view> legal) const {
    of_kind(v, key, Json::Kind::object);
    for (size_t i = 0; i < v.keys.size(); ++i) {
      if (std::ranges::find(legal, v.keys[i]) != legal.end()) continue;
      wrong(v.items[i], key, "the key '{}' is not known; legal: {}", v.keys[i].substr(0, 80),
            fmt::join(legal, ", "));
    }
  }
  const Json& field(const Json& v, std::string_view key, std::string_view name) const {
    const Json* found = v.find(name);
    if (found == nullptr) {
      wrong(v, key.empty() ? "the manifest" : key, "the key '{}' is missing", name);
    }
    return *found;
  }
  const std::string& text(const Json& v, std::string_view key) const {
    of_kind(v, key, Json::Kind::text);
    if (v.text.empty()) wrong(v, key, "empty; legal: a text");
    return v.text;
  }
  Expression expression(const Json& v, std::string_view key) const {
    if (v.kind == Json::Kind::integer) return Expression(v.integer);
    if (v.kind != Json::Kind::text) {
      wrong(v, key, "{}; legal: an integer or an expression over M, N, K, G", shown(v));
    }
    auto e = Expression::parse(v.text);
    if (!e) wrong(v, key, "'{}': {}", v.text.substr(0, 80), e.error().text);
    return std::move(*e);
  }

  ManifestObject one_object(const std::string& arch, const Json& path) const {
    const std::string key = fmt::format("objects.{}", arch.substr(0, 80));
    if (find_gpu(arch) == nullptr) {
      wrong(path, key, "there is no such arch; legal: {}",
            names(gpu_models(), [](const GpuModel& g) { return g.arch; }));
    }
    return {arch, text(path, key), place(path, key)};
  }

  ManifestKernel kernel(const Json& v, const std::string& key) const {
    object(
        v, key,
        {"name", "says", "symbol", "args", "grid", "block", "lds", "clauses", "numerics", "laws"});
    ManifestKernel k;
    const auto sub = [&](std::string_view name) { return fmt::format("{}.{}", key, name); };
    const Json& name = field(v, key, "name");
    k.name = text(name, sub("name"));
    constexpr std::string_view kNameParts = "abcdefghijklmnopqrstuvwxyz0123456789_";
    if (k.name.find_first_not_of(kNameParts) != std::string::npos || k.name[0] < 'a' ||
        k.name[0] > 'z') {
      wrong(name, sub("name"), "'{}'; legal: a lower case letter, then those, digits and _",
            k.name.substr(0, 80));
    }
    const Json& symbol = field(v, key, "symbol");
    k.symbol = text(symbol, sub("symbol"));
    k.place = place(symbol, sub("symbol"));
    if (const Json* says = v.find("says")) k.says = text(*says, sub("says"));
    const Json& args = of_kind(field(v, key, "args"), sub("args"), Json::Kind::array);
    for (size_t i = 0; i < args.items.size(); ++i) {
      k.args.push_back(arg(args.items[i], fmt::format("{}.args[{}]", key, i)));
    }
    for (const Role needed : {Role::act, Role::wei, Role::scale, Role::out}) {
      if (k.find(needed) != nullptr) continue;
      wrong(args, sub("args"), "no argument is the tensor {}; legal: act, wei, scale and out each",
            kRoleRows[static_cast<size_t>(needed)].name);
    }
    extents(field(v, key, "grid"), sub("grid"), k.grid);
    extents(field(v, key, "block"), sub("block"), k.block);
    if (const Json* lds = v.find("lds")) k.lds = expression(*lds, sub("lds"));
    imply_clauses(k);
    if (const Json* clauses = v.find("clauses")) read_clauses(*clauses, sub("clauses"), k);
    read_numerics(field(v, key, "numerics"), sub("numerics"), k);
    if (const Json* laws = v.find("laws")) read_laws(*laws, sub("laws"), k);
    return k;
  }

  ManifestArg arg(const Json& v, const std::string& key) const {
    object(v, key, {"tensor", "layout", "i32", "i64", "null"});
    ManifestArg a;
    a.place = place(v, key);
    const Json* tensor = v.find("tensor");
    const bool layout = v.find("layout") != nullptr;
    if (v.keys.size() != (tensor != nullptr ? 2u : 1u) || layout != (tensor != nullptr)) {
      wrong(v, key,
            "these keys do not go together; legal: tensor with layout, or one of i32, i64, null");
    }
    if (tensor != nullptr) {
      a.kind = ManifestArg::Kind::tensor;
      read_tensor(*tensor, field(v, key, "layout"), key, a);
    } else if (const Json* null = v.find("null")) {
      text(*null, key + ".null");
    } else {
      a.kind = ManifestArg::Kind::integer;
      a.bytes = v.keys[0] == "i32" ? 4 : 8;
      a.value = expression(v.items[0], fmt::format("{}.{}", key, v.keys[0]));
    }
    return a;
  }

  void read_tensor(const Json& tensor, const Json& layout, const std::string& key,
                   ManifestArg& a) const {
    const auto row = std::ranges::find(kRoleRows, text(tensor, key + ".tensor"), &RoleRow::name);
    if (row == kRoleRows.end()) {
      wrong(tensor, key + ".tensor", "{}; legal: {}", shown(tensor),
            names(kRoleRows, [](const RoleRow& r) { return r.name; }));
    }
    a.role = row->role;
    const std::string& tag = text(layout, key + ".layout");
    const auto found =
        std::ranges::find(row->layouts, tag, &std::pair<std::string_view, w4_layout>::first);
    if (found == row->layouts.end()) {
      wrong(layout, key + ".layout", "{} of {}; legal: {}", shown(layout), row->name,
            names(row->layouts, [](const auto& l) { return l.first; }));
    }
    a.layout = found->second;
  }

  void extents(const Json& v, const std::string& key, std::array<Expression, 3>& out) const {
    of_kind(v, key, Json::Kind::array);
    if (v.items.size() != 3) wrong(v, key, "{} members; legal: 3, for x, y and z", v.items.size());
    for (size_t i = 0; i < 3; ++i) {
      out[i] = expression(v.items[i], fmt::format("{}[{}]", key, i));
    }
  }

  static void imply_clauses(ManifestKernel& k) {
    for (const char* c : {"act.dtype", "scale.dtype", "group.positive", "k.group", "m.positive",
                          "n.positive", "k.positive", "act.contiguous", "weight.contiguous",
                          "scale.contiguous", "out.contiguous", "tile.auto", "index.width"}) {
      k.clauses.emplace_back(c);
    }
    const ManifestArg* zp = k.find(Role::zp);
    if (zp == nullptr) {
      k.clauses.emplace_back("zp.none");
    } else {
      k.clauses.emplace_back(zp->layout == W4_ZP_PACKED ? "zp.packed" : "zp.unpacked");
      k.clauses.emplace_back("zp.dtype");
      k.clauses.emplace_back("zp.octet");
    }
    k.clauses.emplace_back("source.octet");
    for (const char* c : {"bias.shape", "bias.dtype", "bias.contiguous"}) {
      if (k.find(Role::bias) != nullptr) k.clauses.emplace_back(c);
    }
    if (k.find(Role::bias) == nullptr) k.clauses.emplace_back("bias.none");
  }

  void read_clauses(const Json& v, const std::string& key, ManifestKernel& k) const {
    of_kind(v, key, Json::Kind::array);
    for (size_t i = 0; i < v.items.size(); ++i) {
      const Json& item = v.items[i];
      const std::string at = fmt::format("{}[{}]", key, i);
      if (find_clause(text(item, at)) == nullptr) {
        wrong(item, at, "{} is no clause; legal: {}", shown(item),
              names(all_clauses(), [](const Clause& c) { return c.name; }));
      }
      if (std::ranges::find(k.clauses, item.text) == k.clauses.end()) {
        k.clauses.push_back(item.text);
      }
    }
  }

  void read_laws(const Json& v, const std::string& key, ManifestKernel& k) const {
    of_kind(v, key, Json::Kind::array);
    for (size_t i = 0; i < v.items.size(); ++i) {
      const std::string at = fmt::format("{}[{}]", key, i);
      const auto law = law_from(text(v.items[i], at));
      if (!law || !can_be_exact(*law)) {
        std::vector<Law> legal(all_laws().begin(), all_laws().end());
        std::erase_if(legal, [](Law l) { return !can_be_exact(l); });
        wrong(v.items[i], at, "{} is no law that holds bit for bit; legal: {}", shown(v.items[i]),
              names(legal, [](Law l) { return name_of(l); }));
      }
      k.laws.push_back(v.items[i].text);
    }
  }

  template <class F>
  const Named<F>& chosen(const Json& v, const std::string& key, std::string_view name,
                         std::span<const Named<F>> rules) const {
    const Json& word = field(v, key, name);
    const std::string at = fmt::format("{}.{}", key, name);
    const auto found = std::ranges::find(rules, text(word, at), &Named<F>::name);
    if (found == rules.end()) {
      wrong(word, at, "{}; legal: {}", shown(word),
            names(rules, [](const Named<F>& r) { return r.name; }));
    }
    return *found;
  }

  void read_numerics(const Json& v, const std::string& key, ManifestKernel& k) const {
    object(v, key, {"weight", "chain", "store"});
    const auto& weight = chosen(v, key, "weight", weight_rules());
    const auto& chain = chosen(v, key, "chain", chain_rules());
    const auto& store = chosen(v, key, "store", store_rules());
    k.numerics.weight = weight.function;
    k.numerics.chain = chain.function;
    k.numerics.store = store.function;
    k.numerics_text = fmt::format("{}; {}; {}", weight.says, chain.says, store.says);
  }

  std::string_view file_;
};

}  // namespace

const ManifestArg* ManifestKernel::find(Role role) const {
  for (const ManifestArg& a : args) {
    if (a.kind == ManifestArg::Kind::tensor && a.role == role) return &a;
  }
  return nullptr;
}

Result<Manifest> parse_manifest(std::string_view text, std::string_view file) {
  const auto root = parse_json(text);
  if (!root) return fail("{}:{}", file, root.error().text);
  try {
    return ManifestReader(file).document(*root);
  } catch (const Wrong& w) {
    return std::unexpected(w.error);
  }
}

}  // namespace w4
