#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <numeric>

#include "core/case.h"
#include "core/case_text.h"

namespace w4 {
namespace {

constexpr size_t kMaxLine = 4096;

// Whole text as a number: no sign but '-', no blanks, in range.
template <std::integral T>
  requires(!std::same_as<T, bool>)
bool read(std::string_view text, T& v) {
  T parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  v = parsed;
  return true;
}

bool read(std::string_view text, DType& v) {
  const std::optional<DType> t = dtype_from(text);
  if (t) v = *t;
  return t.has_value();
}

bool read(std::string_view text, ZpMode& v) {
  for (ZpMode m : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
    if (name_of(m) == text) return v = m, true;
  }
  return false;
}

bool read(std::string_view text, Source& v) {
  for (Source s : {Source::shuffled, Source::ct, Source::awq, Source::gptq1, Source::gptq2}) {
    if (name_of(s) == text) return v = s, true;
  }
  return false;
}

// The members of a closed set whose names are all there is to it.
template <class E>
bool read_name(std::string_view text, E last, E& v) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (name_of(static_cast<E>(i)) == text) return v = static_cast<E>(i), true;
  }
  return false;
}
bool read(std::string_view text, Padding& v) { return read_name(text, Padding::v3, v); }
bool read(std::string_view text, GroupIndex& v) { return read_name(text, GroupIndex::act, v); }
bool read(std::string_view text, Routing& v) { return read_name(text, Routing::outside, v); }
bool read(std::string_view text, Rows& v) { return read_name(text, Rows::contiguous, v); }

bool read(std::string_view text, Placement& v) { return read_name(text, Placement::plain, v); }

bool read(std::string_view text, bool& v) {
  if (text != "0" && text != "1") return false;
  return v = text == "1", true;
}

bool read(std::string_view text, Fill& v) {
  const std::optional<Fill> f = fill_from(text);
  if (f) v = *f;
  return f.has_value();
}

bool read(std::string_view text, Extent& v) {
  if (text == "m") return v = {Extent::Of::m, 0}, true;
  if (text == "n") return v = {Extent::Of::n, 0}, true;
  v = {Extent::Of::literal, 0};
  return read(text, v.value);
}

bool read(std::string_view text, BiasShape& v) {
  BiasShape b;
  if (text == "none") return v = b, true;
  const size_t x = text.find('x');
  b.rank = x == std::string_view::npos ? 1 : 2;
  if (!read(text.substr(0, x), b.dim[0])) return false;
  if (b.rank == 2 && !read(text.substr(x + 1), b.dim[1])) return false;
  return v = b, true;
}

bool read(std::string_view text, Tile& v) {
  const auto number_after = [&text](std::string_view letters, int& to) {
    if (!text.starts_with(letters)) return false;
    text.remove_prefix(letters.size());
    const size_t end = std::min(text.find_first_not_of("-0123456789"), text.size());
    const bool ok = read(text.substr(0, end), to);
    text.remove_prefix(end);
    return ok;
  };
  Tile t;
  t.gemm = text.starts_with("bm");
  const bool ok =
      t.gemm ? number_after("bm", t.bm) && number_after("bn", t.bn) && number_after("bk", t.bk)
             : number_after("y", t.y) && number_after("u", t.u) && number_after("a", t.a);
  if (!ok || !number_after("w", t.w) || !text.empty()) return false;
  return v = t, true;
}

bool read(std::string_view text, Law& v) {
  const std::optional<Law> l = law_from(text);
  if (l) v = *l;
  return l.has_value();
}

bool read(std::string_view text, Only& v) {
  const Result<Only> o = parse_only(text);
  if (o) v = *o;
  return o.has_value();
}

bool read(std::string_view text, Mutation& v) {
  const Result<Mutation> m = parse_mutation(text);
  if (m) v = *m;
  return m.has_value();
}

bool read(std::string_view text, Checks& v) {
  const Result<Checks> c = parse_checks(text);
  if (c) v = *c;
  return c.has_value();
}

bool read(std::string_view text, Schedule& v) {
  const Result<Schedule> s = parse_schedule(text);
  if (s) v = *s;
  return s.has_value();
}

template <class T>
bool read(std::string_view text, std::optional<T>& v) {
  if (text == "auto") return v.reset(), true;
  T value{};
  if (!read(text, value)) return false;
  return v = value, true;
}

bool one_of(std::string_view text, std::initializer_list<std::string_view> legal) {
  return std::ranges::find(legal, text) != legal.end();
}

bool legal_text(std::string_view key, std::string_view text) {
  if (key == "device") return find_gpu(text) != nullptr || one_of(text, {"hip", "cuda", "host"});
  if (key == "fp") return one_of(text, {"auto", "ieee", "gfx1151", "gfx1201"});
  return (key == "module" || key == "prep") && !text.empty();
}

const KeyHelp* find_key(std::string_view key) {
  const auto found = std::ranges::find(case_keys(), key, &KeyHelp::key);
  return found == case_keys().end() ? nullptr : &*found;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

// ", the nearest is 'k'", or nothing where no key shares a letter.
std::string nearest_key(std::string_view key) {
  const std::string_view word = key.substr(0, 32);  // a key is short; keeps the search cheap
  const auto distance = [word](const KeyHelp& k) { return edit_distance(word, k.key); };
  const auto nearest = std::ranges::min_element(case_keys(), {}, distance);
  if (distance(*nearest) >= std::max(word.size(), nearest->key.size())) return "";
  return fmt::format(", the nearest is '{}'", nearest->key);
}

struct Word {
  std::string_view text;
  size_t column = 1;
};

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  for (size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

// Long values (a path, a binary blob by mistake) are cut in messages.
std::string quoted(std::string_view text) {
  constexpr size_t kShown = 60;
  if (text.size() <= kShown) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, kShown));
}

Result<void> set_field(Case& c, std::string_view key, const Word& word, std::string_view value) {
  bool ok = false;
  for_each_case_field(c, [&](std::string_view name, auto& member) {
    if (name != key) return;
    if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, std::string>) {
      ok = legal_text(key, value);
      if (ok) member = value;
    } else {
      ok = read(value, member);
    }
  });
  if (ok) return {};
  if (key == "mutate") {
    return fail("column {}: {}", word.column, parse_mutation(value).error().text);
  }
  return fail("column {}: {}={} is not legal; {} takes {}", word.column, key, quoted(value), key,
              find_key(key)->legal);
}

}  // namespace

bool legal_kernel_name(std::string_view name) {
  constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyz";
  return !name.empty() && kFirst.find(name.front()) != std::string_view::npos &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

Result<Case> parse_case(std::string_view line) {
  const auto control = std::ranges::find_if(line, [](char ch) {
    const auto byte = static_cast<unsigned char>(ch);
    return (byte < 0x20 && ch != '\t') || byte == 0x7F;
  });
  if (control != line.end()) {
    return fail("column {}: control character {:#04x} in a case line; legal is printable text",
                control - line.begin() + 1, static_cast<unsigned char>(*control));
  }
  const std::vector<Word> words = words_of(line);
  if (words.empty()) {
    return fail(
        "column 1: empty case line; legal is <kernel> key=value ...: decode m=1 n=64 k=256");
  }
  if (!legal_kernel_name(words[0].text)) {
    return fail("column {}: a case line starts with the kernel's name ([a-z][a-z0-9_]*), got {}",
                words[0].column, quoted(words[0].text));
  }
  Case c;
  c.kernel = words[0].text;
  std::vector<std::string_view> seen;
  for (const Word& word : std::span(words).subspan(1)) {
    const size_t equals = word.text.find('=');
    if (equals == std::string_view::npos) {
      return fail("column {}: {} has no '='; legal is key=value", word.column, quoted(word.text));
    }
    const std::string_view key = word.text.substr(0, equals);
    if (find_key(key) == nullptr) {
      std::vector<std::string_view> keys;
      for (const KeyHelp& k : case_keys()) keys.push_back(k.key);
      return fail("column {}: unknown key {}{}; legal keys: {}", word.column, quoted(key),
                  nearest_key(key), fmt::join(keys, " "));
    }
    if (std::ranges::find(seen, key) != seen.end()) {
      return fail("column {}: key '{}' is given twice; legal is once", word.column, key);
    }
    seen.push_back(key);
    if (auto set = set_field(c, key, word, word.text.substr(equals + 1)); !set) {
      return std::unexpected(set.error());
    }
  }
  return c;
}

Result<std::vector<Case>> parse_cases(std::string_view text, std::string_view file_name) {
  std::vector<Case> cases;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > kMaxLine) {
      return fail("{}:{}: column {}: line of {} characters; legal is at most {}", file_name, number,
                  kMaxLine + 1, line.size(), kMaxLine);
    }
    if (const size_t nul = line.find('\0'); nul != std::string_view::npos) {
      return fail("{}:{}: column {}: NUL byte; legal is printable text", file_name, number,
                  nul + 1);
    }
    // A '#' inside a word belongs to it: module=a#b.
    for (size_t hash = line.find('#'); hash != std::string_view::npos;
         hash = line.find('#', hash + 1)) {
      if (hash == 0 || line[hash - 1] == ' ' || line[hash - 1] == '\t') {
        line = line.substr(0, hash);
        break;
      }
    }
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    Result<Case> parsed = parse_case(line);
    if (!parsed) return fail("{}:{}: {}", file_name, number, parsed.error().text);
    cases.push_back(std::move(*parsed));
  }
  if (cases.empty()) return fail("{}: no case line in it; legal is at least one", file_name);
  return cases;
}

}  // namespace w4
