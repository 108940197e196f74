#include "zoo/source/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "zoo/source/tokens.h"

namespace w4::source {
namespace {

using Kind = Token::Kind;

struct Finder {
  std::string_view source;
  std::vector<Token> t;
  std::vector<Place> found;

  std::string_view text(size_t first, size_t last) const {  // of the tokens [first, last]
    return source.substr(t[first].begin, t[last].end() - t[first].begin);
  }
  void add(size_t first, size_t last, std::string replacement, std::string_view family,
           std::string_view op, std::string says) {
    found.push_back(
        {t[first].begin, t[last].end(), std::move(replacement), family, op, std::move(says)});
  }
  void replace(size_t at, std::string_view by, std::string_view family, std::string_view op) {
    add(at, at, std::string(by), family, op, fmt::format("`{}` for `{}`", by, t[at].text));
  }
  void drop(size_t first, size_t last, std::string_view family, std::string_view op) {
    add(first, last, "", family, op, fmt::format("`{}` is dropped", text(first, last)));
  }

  // The last token of the operand that begins at `at`: a word, number or bracket with its calls,
  // members and indices.
  size_t operand_end(size_t at) const {
    size_t i = at;
    while (i < t.size() && (t[i].is("-") || t[i].is("!") || t[i].is("*") || t[i].is("&"))) ++i;
    if (i < t.size() && t[i].is("(")) i = closing(t, i);
    for (;;) {
      const bool more = i + 1 < t.size();
      if (more && (t[i + 1].is("(") || t[i + 1].is("[") || t[i + 1].is("{")) &&
          t[i + 1].begin == t[i].end()) {
        i = closing(t, i + 1);
      } else if (i + 2 < t.size() && (t[i + 1].is(".") || t[i + 1].is("->") || t[i + 1].is("::"))) {
        i += 2;
      } else if (more && t[i + 1].is("<") && !t[i + 1].binary) {
        while (i + 1 < t.size() && !t[i].is(">")) ++i;
      } else {
        return std::min(i, t.size() - 1);
      }
    }
  }
  // The first token of the operand that ends at `at`.
  size_t operand_begin(size_t at) const {
    size_t i = at;
    for (;;) {
      if (t[i].is(")") || t[i].is("]") || t[i].is("}")) {
        size_t open = i;
        const auto opens = [&] {
          return (t[open].is("(") || t[open].is("[") || t[open].is("{")) && closing(t, open) == i;
        };
        while (open > 0 && !opens()) --open;
        i = open;
        const bool called = i > 0 && t[i - 1].kind == Kind::word && t[i - 1].end() == t[i].begin;
        if (called) {
          --i;
        } else {
          return i;
        }
      }
      if (i >= 2 && (t[i - 1].is(".") || t[i - 1].is("->") || t[i - 1].is("::"))) {
        i -= 2;
      } else {
        return i;
      }
    }
  }
  // The token before the one at which an expression that starts at `at` ends.
  size_t expression_end(size_t at) const {
    for (size_t i = at; i < t.size(); ++i) {
      if (t[i].is("(") || t[i].is("[") || t[i].is("{")) {
        i = closing(t, i);
      } else if (t[i].is(")") || t[i].is("]") || t[i].is("}") || t[i].is(";") || t[i].is(",") ||
                 t[i].is(":")) {
        return i - 1;
      } else if (t[i].is("?")) {  // its colon is not the one that is asked for
        i = expression_end(i + 1) + 1;
      }
    }
    return t.size() - 1;
  }
};

constexpr std::array<std::array<std::string_view, 3>, 6> kComparisons{{{"<", "<=", "bounds_le"},
                                                                       {"<=", "<", "bounds_lt"},
                                                                       {">", ">=", "bounds_ge"},
                                                                       {">=", ">", "bounds_gt"},
                                                                       {"==", "!=", "bounds_ne"},
                                                                       {"!=", "==", "bounds_eq"}}};

bool compares(const Token& t) {
  return t.binary && std::ranges::any_of(kComparisons, [&](const auto& c) { return t.is(c[0]); });
}

void bounds(Finder& f, size_t i) {
  for (const auto& [from, to, op] : kComparisons) {
    if (f.t[i].binary && f.t[i].is(from)) f.replace(i, to, "bounds", op);
  }
}

std::optional<int64_t> number(const Token& t) {
  int64_t v = 0;
  const auto [end, error] = std::from_chars(t.text.data(), t.text.data() + t.text.size(), v);
  if (t.kind != Kind::number || error != std::errc{} || end != t.text.data() + t.text.size())
    return {};
  return v;
}

void limits(Finder& f, size_t i) {
  const std::vector<Token>& t = f.t;
  if (i + 1 >= t.size()) return;
  const bool constant = t[i + 1].text.size() > 1 && t[i + 1].text[0] == 'k' &&
                        std::isupper(static_cast<unsigned char>(t[i + 1].text[1])) != 0;
  if (compares(t[i]) && (number(t[i + 1]) || constant)) {
    f.add(i + 1, i + 1, fmt::format("{} + 1", t[i + 1].text), "limits", "limit_more",
          fmt::format("a limit of {} + 1", t[i + 1].text));
    f.add(i + 1, i + 1, fmt::format("{} - 1", t[i + 1].text), "limits", "limit_less",
          fmt::format("a limit of {} - 1", t[i + 1].text));
  }
  if (const auto v = number(t[i + 1]); t[i].binary && t[i].is("%") && v && *v > 1) {
    f.replace(i + 1, fmt::format("{}", 2 * *v), "limits", "multiple_more");
    f.replace(i + 1, fmt::format("{}", *v / 2), "limits", "multiple_less");
  }
}

struct Arm {
  size_t first, last;  // of its tokens, `case` included
  size_t value = 0, value_end = 0;
  bool returns = false;
};

void arms_of_switch(Finder& f, size_t open) {
  const std::vector<Token>& t = f.t;
  const size_t end = closing(t, open);
  std::vector<Arm> arms;
  std::vector<size_t> starts;
  for (size_t i = open + 1; i < end; ++i) {
    if (t[i].is("{") || t[i].is("(")) {
      i = closing(t, i);
    } else if (t[i].is("case") || t[i].is("default")) {
      starts.push_back(i);
    }
  }
  starts.push_back(end);
  for (size_t a = 0; a + 1 < starts.size(); ++a) {
    Arm arm{.first = starts[a], .last = starts[a + 1] - 1};
    for (size_t i = arm.first; i <= arm.last; ++i) {
      if (!t[i].is("return") || i + 1 > arm.last) continue;
      arm.returns = true;
      arm.value = i + 1, arm.value_end = f.expression_end(i + 1);
      break;
    }
    arms.push_back(arm);
  }
  for (size_t a = 0; a < arms.size(); ++a) {
    if (t[arms[a].first].is("case")) f.drop(arms[a].first, arms[a].last, "arms", "arm_drop");
    const Arm& next = arms[(a + 1) % arms.size()];
    if (!arms[a].returns || !next.returns) continue;
    const std::string_view other = f.text(next.value, next.value_end);
    if (other == f.text(arms[a].value, arms[a].value_end)) continue;
    f.add(arms[a].value, arms[a].value_end, std::string(other), "arms", "arm_redirect",
          fmt::format("an arm returns `{}`, as the next", other));
  }
}

void arms(Finder& f, size_t i) {
  const std::vector<Token>& t = f.t;
  if (t[i].is("switch")) {
    const size_t open = closing(t, i + 1) + 1;
    if (open < t.size() && t[open].is("{")) arms_of_switch(f, open);
  }
  if (t[i].is("?") && t[i].binary) {
    const size_t yes_end = f.expression_end(i + 1);
    if (yes_end + 2 >= t.size() || !t[yes_end + 1].is(":")) return;
    const size_t no_end = f.expression_end(yes_end + 2);
    f.add(i + 1, no_end,
          fmt::format("{} : {}", f.text(yes_end + 2, no_end), f.text(i + 1, yes_end)), "arms",
          "choice_swapped", "the sides of a choice are swapped");
  }
  if (t[i].is("if") && t[i + 1].is("(")) {
    size_t body = closing(t, i + 1) + 1;
    const size_t last = body < t.size() && t[body].is("{") ? closing(t, body) : 0;
    if (last != 0) ++body;
    if (body >= t.size() || !t[body].is("return")) return;
    size_t end = body;
    while (end < t.size() && !t[end].is(";")) end = t[end].is("{") ? closing(t, end) + 1 : end + 1;
    if (last != 0 && end + 1 != last) return;
    if (last != 0) end = last;
    if (end + 1 < t.size() && t[end + 1].is("else")) return;
    f.add(i, end, "", "arms", "return_drop",
          fmt::format("no return under `{}`", f.text(i + 2, closing(t, i + 1) - 1)));
  }
}

void strides(Finder& f, size_t i) {
  const std::vector<Token>& t = f.t;
  if ((t[i].is("dim") || t[i].is("stride")) && i + 3 < t.size() && t[i + 1].is("[") &&
      t[i + 3].is("]") && (t[i + 2].is("0") || t[i + 2].is("1"))) {
    f.add(i, i + 3, fmt::format("{}[{}]", t[i].text, t[i + 2].is("0") ? 1 : 0), "strides",
          "extent_swapped", fmt::format("the other extent for `{}`", f.text(i, i + 3)));
  }
  if (i + 1 < t.size() && i > 0 && t[i].binary) {
    if (t[i].is("*")) f.drop(i, f.operand_end(i + 1), "strides", "factor_drop");
    if (t[i].is("+") || t[i].is("-")) f.drop(i, f.operand_end(i + 1), "strides", "term_drop");
    if (t[i].is("/")) {
      const size_t first = f.operand_begin(i - 1), last = f.operand_end(i + 1);
      const std::string_view a = f.text(first, i - 1), b = f.text(i + 1, last);
      f.add(first, last, fmt::format("(({} + {} - 1) / {})", a, b, b), "strides", "division_up",
            fmt::format("`{} / {}` rounds up", a, b));
    }
  }
  if (t[i].is("ceil_div") && i + 1 < t.size() && t[i + 1].is("(") && i > 0 &&
      t[i - 1].kind != Kind::word) {
    const size_t first_end = f.expression_end(i + 2), close = closing(t, i + 1);
    if (close < t.size() && t[first_end + 1].is(",")) {
      f.add(
          i, close,
          fmt::format("(({}) / ({}))", f.text(i + 2, first_end), f.text(first_end + 2, close - 1)),
          "strides", "division_down", fmt::format("`{}` rounds down", f.text(i, close)));
    }
  }
  if (t[i].is("n") || t[i].is("k")) {
    const bool declared = i > 0 && t[i - 1].kind == Kind::word && !t[i - 1].is("return");
    if (!declared) f.replace(i, t[i].is("n") ? "k" : "n", "strides", "n_for_k");
  }
}

void logic(Finder& f, size_t i) {
  const std::vector<Token>& t = f.t;
  if (t[i].binary && t[i].is("&&")) f.replace(i, "||", "logic", "or_for_and");
  if (t[i].binary && t[i].is("||")) f.replace(i, "&&", "logic", "and_for_or");
  if (!t[i].is("if") || !t[i + 1].is("(")) return;
  const size_t close = closing(t, i + 1);
  for (size_t j = i + 2; j < close; ++j) {
    if (t[j].is(";") || (t[j].is("=") && t[j].binary)) return;  // declares something
  }
  f.add(i + 2, close - 1, fmt::format("!({})", f.text(i + 2, close - 1)), "logic", "negated",
        fmt::format("`{}` is negated", f.text(i + 2, close - 1)));
}

// Elements of a list of at least two that are made by a call or a list of their own; texts, where
// all are.
void lists(Finder& f, size_t open) {
  const std::vector<Token>& t = f.t;
  if (!t[open].is("{")) return;
  const size_t close = closing(t, open);
  std::vector<std::pair<size_t, size_t>> elements;
  size_t first = open + 1;
  for (size_t i = open + 1; i <= close && i < t.size(); ++i) {
    if (t[i].is(";")) return;
    if (i != close && (t[i].is("{") || t[i].is("(") || t[i].is("["))) {
      i = closing(t, i);
      continue;
    }
    if (!t[i].is(",") && i != close) continue;
    if (i > first) elements.emplace_back(first, i - 1);
    first = i + 1;
  }
  if (elements.size() < 2) return;
  if (t[elements.back().first].is("nullptr")) elements.pop_back();  // the end of a list of texts
  const auto text = [&](const auto& e) { return t[e.first].text.starts_with('"'); };
  const bool texts = std::ranges::all_of(elements, text);
  for (size_t e = 0; e < elements.size(); ++e) {
    const auto [from, to] = elements[e];
    if (!t[to].is("}") && !t[to].is(")") && !texts) continue;
    const std::string what(f.text(from, to));
    const bool last = t[to + 1].is("}");
    f.add(last ? from - 1 : from, last ? to : to + 1, "", "lists", "element_drop",
          fmt::format("no `{}` in the list", what.substr(0, what.find('\n'))));
  }
}

void sums(Finder& f, size_t i) {
  const std::vector<Token>& t = f.t;
  if (t[i].binary && t[i].is("+")) f.replace(i, "-", "sums", "minus_for_plus");
  if (t[i].binary && t[i].is("-")) f.replace(i, "+", "sums", "plus_for_minus");
  if (t[i].binary && t[i].is("+=")) f.replace(i, "-=", "sums", "minus_for_plus");
  if (t[i].binary && t[i].is("-=")) f.replace(i, "+=", "sums", "plus_for_minus");
  const bool called = i + 1 < t.size() && (t[i + 1].is("(") || t[i + 1].is("<"));
  if (called && t[i].is("min")) f.replace(i, "max", "sums", "max_for_min");
  if (called && t[i].is("max")) f.replace(i, "min", "sums", "min_for_max");
}

}  // namespace

std::vector<Place> places_in(std::string_view source) {
  Finder f{source, tokens_of(source), {}};
  for (const auto operation : {bounds, limits, arms, strides, logic, lists, sums}) {
    for (size_t i = 0; i + 1 < f.t.size(); ++i) {
      // What a refusal says is not looked at by anybody.
      if (f.t[i].is("broken") || f.t[i].is("refusal")) {
        if (f.t[i + 1].is("(")) i = closing(f.t, i + 1);
      } else {
        operation(f, i);
      }
    }
  }
  return std::move(f.found);
}

}  // namespace w4::source
