#include "campaign/selection_table.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "intake/json.h"

namespace w4 {
namespace {

constexpr int64_t kVersion = 1;

// Every step throws what is wrong; parse_selection_table alone catches it.
struct Wrong {
  Error error;
};

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  SelectionTable table(const Json& root) const {
    keys(root, "the table", {"version", "entries", "disabled", "golden"});
    const Json& version = need(root, "version");
    if (number(version, "version") != kVersion) {
      wrong(version, "version: {}; legal: {}", version.integer, kVersion);
    }
    SelectionTable out;
    for (const Json& e : items(need(root, "entries"), "entries")) out.entries.push_back(entry(e));
    if (out.entries.empty()) wrong(need(root, "entries"), "entries: none; legal: at least one");
    for (size_t i = 0; i < out.entries.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (out.entries[i].name == out.entries[j].name) {
          wrong(need(root, "entries").items[i], "entries: '{}' is there twice",
                out.entries[i].name);
        }
      }
    }
    if (const Json* disabled = root.find("disabled")) {
      for (const Json& d : items(*disabled, "disabled")) {
        out.disabled.push_back(known(out, d, "disabled"));
      }
    }
    if (const Json* golden = root.find("golden")) {
      for (const Json& g : items(*golden, "golden")) out.golden.push_back(expected(out, g));
    }
    return out;
  }

 private:
  template <class... A>
  [[noreturn]] void wrong(const Json& at, fmt::format_string<A...> f, A&&... a) const {
    throw Wrong{Error{fmt::format("{}:{}:{}: {}", file_, at.line, at.column,
                                  fmt::format(f, std::forward<A>(a)...))}};
  }

  void keys(const Json& v, std::string_view what, std::vector<std::string_view> legal) const {
    if (v.kind != Json::Kind::object) {
      wrong(v, "{} is {}; legal: an object", what, name_of(v.kind));
    }
    for (size_t i = 0; i < v.keys.size(); ++i) {
      if (std::ranges::find(legal, v.keys[i]) != legal.end()) continue;
      wrong(v.items[i], "{} has no key '{}'; legal: {}", what, v.keys[i], fmt::join(legal, ", "));
    }
  }
  const Json& need(const Json& v, std::string_view key) const {
    const Json* found = v.find(key);
    if (found == nullptr) wrong(v, "the key '{}' is missing", key);
    return *found;
  }
  const std::vector<Json>& items(const Json& v, std::string_view key) const {
    if (v.kind != Json::Kind::array) wrong(v, "{}: {}; legal: an array", key, name_of(v.kind));
    return v.items;
  }
  const std::string& text(const Json& v, std::string_view key) const {
    if (v.kind != Json::Kind::text || v.text.empty()) {
      wrong(v, "{}: {}; legal: a text that is not empty", key, name_of(v.kind));
    }
    return v.text;
  }
  int64_t number(const Json& v, std::string_view key) const {
    if (v.kind != Json::Kind::integer) wrong(v, "{}: {}; legal: an integer", key, name_of(v.kind));
    return v.integer;
  }
  int64_t positive(const Json& v, std::string_view key) const {
    if (number(v, key) < 1) wrong(v, "{}: {}; legal: at least 1", key, v.integer);
    return v.integer;
  }
  bool truth(const Json& v, std::string_view key) const {
    if (v.kind != Json::Kind::boolean) {
      wrong(v, "{}: {}; legal: true or false", key, name_of(v.kind));
    }
    return v.boolean;
  }

  Entry entry(const Json& v) const {
    keys(v, "an entry", {"name", "min_capability", "rules"});
    Entry out;
    out.name = text(need(v, "name"), "name");
    if (const Json* least = v.find("min_capability")) {
      out.min_capability = number(*least, "min_capability");
    }
    for (const Json& r : items(need(v, "rules"), "rules")) out.rules.push_back(rule(r));
    return out;
  }

  Rule rule(const Json& v) const {
    keys(v, "a rule", {"rule", "legal", "says"});
    const Json& name = need(v, "rule");
    const auto about = rule_from(text(name, "rule"));
    if (!about) {
      wrong(name,
            "rule: '{}'; legal: arch, type, act, g_idx, group, k_multiple, k_group, n_multiple, "
            "n_octets, never",
            name.text);
    }
    Rule out{};
    out.about = *about;
    out.says = std::string(name_of(*about));
    if (const Json* says = v.find("says")) out.says = text(*says, "says");
    const Json* legal = v.find("legal");
    if (!wants_names(*about) && !wants_numbers(*about)) {
      if (legal != nullptr) wrong(*legal, "legal: rule {} takes none", name_of(*about));
      return out;
    }
    if (legal == nullptr) wrong(v, "rule {}: the key 'legal' is missing", name_of(*about));
    for (const Json& l : items(*legal, "legal")) {
      if (wants_names(*about)) {
        out.names.push_back(text(l, "legal"));
        continue;
      }
      out.numbers.push_back(number(l, "legal"));
      if (*about != Rule::About::group && out.numbers.back() < 1) {
        wrong(l, "legal: {} for rule {}; legal: at least 1", l.integer, name_of(*about));
      }
    }
    const bool one = wants_numbers(*about) && *about != Rule::About::group;
    if (out.names.empty() && (one ? out.numbers.size() != 1 : out.numbers.empty())) {
      wrong(*legal, "legal: {} values for rule {}; legal: {}", legal->items.size(), name_of(*about),
            one ? "1" : "at least 1");
    }
    return out;
  }

  std::string known(const SelectionTable& t, const Json& v, std::string_view key) const {
    const std::string& name = text(v, key);
    std::string legal;
    for (const Entry& e : t.entries) {
      if (e.name == name) return name;
      legal += fmt::format("{}{}", legal.empty() ? "" : ", ", e.name);
    }
    wrong(v, "{}: '{}' is no entry; legal: {}", key, name, legal);
  }

  Golden expected(const SelectionTable& t, const Json& v) const {
    keys(v, "a golden layer", {"arch", "type", "act", "g", "k", "n", "g_idx", "winner"});
    Golden out;
    out.layer.arch = text(need(v, "arch"), "arch");
    out.layer.type = text(need(v, "type"), "type");
    out.layer.act = text(need(v, "act"), "act");
    const Json& g = need(v, "g");
    out.layer.g = number(g, "g");
    if (out.layer.g < 1 && out.layer.g != -1)
      wrong(g, "g: {}; legal: at least 1, or -1", g.integer);
    out.layer.k = positive(need(v, "k"), "k");
    out.layer.n = positive(need(v, "n"), "n");
    if (const Json* g_idx = v.find("g_idx")) out.layer.g_idx = truth(*g_idx, "g_idx");
    const Json& winner = need(v, "winner");
    if (winner.kind != Json::Kind::null) out.winner = known(t, winner, "winner");
    return out;
  }

  std::string_view file_;
};

}  // namespace

Result<SelectionTable> parse_selection_table(std::string_view text, std::string_view file) {
  const auto root = parse_json(text);
  if (!root) return fail("{}:{}", file, root.error().text);
  try {
    return Reader(file).table(*root);
  } catch (const Wrong& w) {
    return std::unexpected(w.error);
  }
}

}  // namespace w4
