#include "tests/fuzz/seeds.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "core/contract.h"
#include "fuzz/inputs.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

constexpr std::array<std::string_view, 9> kTargets{
    "decode", "hybrid", "illegal", "laws", "moe", "preparation", "prefill", "rows", "schedules"};

const Problem& problem(const Seed& s) { return s.line.problem; }

// "m5": the field is that number.
std::optional<Says> number_word(std::string_view word) {
  static const std::map<std::string_view, int64_t Problem::*> fields{
      {"m", &Problem::m},          {"n", &Problem::n},       {"k", &Problem::k},
      {"g", &Problem::g},          {"topk", &Problem::topk}, {"experts", &Problem::experts},
      {"blockm", &Problem::blockm}};
  const size_t digits = word.find_first_of("0123456789");
  const auto field = fields.find(word.substr(0, digits));
  if (digits == std::string_view::npos || field == fields.end()) return {};
  if (word.find_first_not_of("0123456789", digits) != std::string_view::npos) return {};
  const int64_t value = std::atoll(std::string(word.substr(digits)).c_str());
  return [at = field->second, value](const Seed& s) { return problem(s).*at == value; };
}

// Names of enumerations and of rows, '-' for '_'.
template <class E>
std::optional<Says> member_word(std::string_view word, E last, E Problem::* field) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const E v = static_cast<E>(i);
    if (name_of(v) == word) return [=](const Seed& s) { return problem(s).*field == v; };
  }
  return {};
}

std::optional<Says> enumeration_word(std::string_view word) {
  for (const DType t : {DType::f16, DType::bf16}) {
    if (name_of(t) == word) return [t](const Seed& s) { return problem(s).act == t; };
  }
  for (const Fill f : all_fills()) {
    if (name_of(f) == word) return [f](const Seed& s) { return s.line.fill == f; };
  }
  for (const Order o : {Order::rr, Order::reversed, Order::random, Order::priority}) {
    if (name_of(o) == word) return [o](const Seed& s) { return s.line.sched.order == o; };
  }
  if (word != "none") {
    if (auto says = member_word(word, Source::gptq2, &Problem::src)) return says;
    if (auto says = member_word(word, ZpMode::unpacked, &Problem::zp)) return says;
    if (auto says = member_word(word, Padding::v3, &Problem::pad)) return says;
    if (auto says = member_word(word, Rows::contiguous, &Problem::rows)) return says;
  }
  return {};
}

std::optional<Says> prefixed_word(std::string_view word) {
  const size_t dash = word.find('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view kind = word.substr(0, dash);
  std::string rest(word.substr(dash + 1));
  if (kind == "breaks") {
    return [rest](const Seed& s) { return std::ranges::find(s.broken, rest) != s.broken.end(); };
  }
  if (kind == "bias") {
    return [rest](const Seed& s) { return to_string(problem(s).bias) == rest; };
  }
  if (kind == "to") return member_word(rest, Routing::outside, &Problem::route);
  if (kind != "law") return {};
  std::ranges::replace(rest, '-', '_');
  const auto law = law_from(rest);
  if (!law) return {};
  return [law](const Seed& s) { return s.line.law == *law; };
}

bool any_offset(const Problem& p) {
  return p.aoff != 0 || p.woff != 0 || p.soff != 0 || p.zoff != 0 || p.boff != 0 || p.yoff != 0;
}

bool walks(const Seed& s) { return routes_to_decode(problem(s).m, problem(s).k); }

// Runs the case.
bool is_judged(const Seed& s) {
  static Context context;
  return run_case(s.line, context).ran.relation.has_value();
}

const std::map<std::string_view, Says>& plain_words() {
  static const std::map<std::string_view, Says> words{
      {"empty", [](const Seed&) { return true; }},
      {"symmetric", [](const Seed& s) { return problem(s).zp == ZpMode::none; }},
      {"u32", [](const Seed& s) { return problem(s).zdt == DType::u32; }},
      {"qzeros", [](const Seed& s) { return problem(s).qzeros; }},
      {"actorder", [](const Seed& s) { return problem(s).gidx == GroupIndex::act; }},
      {"gidx", [](const Seed& s) { return problem(s).gidx == GroupIndex::sequential; }},
      // No whole step of a wave.
      {"ktail", [](const Seed& s) { return problem(s).k % 512 != 0 && problem(s).k > 512; }},
      {"onegroup", [](const Seed& s) { return problem(s).k == problem(s).g; }},
      {"raggedn", [](const Seed& s) { return problem(s).n % 8 != 0; }},
      {"large", [](const Seed& s) { return problem(s).k > 2048; }},
      {"bias", [](const Seed& s) { return problem(s).bias.rank > 0; }},
      {"shard", [](const Seed& s) { return problem(s).n0 > 0 && problem(s).k0 > 0; }},
      {"padded",
       [](const Seed& s) {
         return resolved_wpad(problem(s)) > 0 && resolved_spad(problem(s)) > 0;
       }},
      {"offsets", [](const Seed& s) { return any_offset(problem(s)); }},
      {"strided", [](const Seed& s) { return resolved_lda(problem(s)) > problem(s).k; }},
      {"leading", [](const Seed& s) { return problem(s).lead.value_or(1) > 1; }},
      {"forced", [](const Seed& s) { return problem(s).tile.has_value(); }},
      {"onecu", [](const Seed& s) { return problem(s).cus == 1; }},
      {"judged", is_judged},  // the law
      {"walk", walks},
      {"tiles", [](const Seed& s) { return !walks(s); }},
      {"silu", [](const Seed& s) { return problem(s).silu; }},
      {"widecarrier", [](const Seed& s) { return problem(s).cpad.value_or(0) > 0; }},
      {"alone", [](const Seed& s) { return s.broken.size() == 1; }},
      {"wide", [](const Seed& s) { return s.more > 0; }},
      {"shortturns", [](const Seed& s) { return s.orders.front().quantum < Schedule::kQuantum; }},
      {"reversed", [](const Seed& s) { return s.orders.front().order == Order::reversed; }},
      {"manychanges",
       [](const Seed& s) {
         return s.orders.front().order == Order::priority &&
                s.orders.front().changes == Schedule::kMaxChanges;
       }},
      {"nochanges",
       [](const Seed& s) {
         return s.orders.front().order == Order::priority && s.orders.front().changes == 0;
       }},
  };
  return words;
}

Seed legal(Case c) { return {.line = std::move(c), .broken = {}, .orders = {}}; }

}  // namespace

std::span<const std::string_view> case_targets() { return kTargets; }

Seed seed_of(std::string_view target, Bytes input) {
  if (target == "laws") return legal(fuzz::law_input(input));
  if (target == "illegal") {
    auto [line, broken] = fuzz::illegal_input(input);
    return {.line = std::move(line), .broken = std::move(broken), .orders = {}};
  }
  if (target == "schedules") {
    auto [line, orders] = fuzz::schedules_input(input);
    return {.line = std::move(line), .broken = {}, .orders = std::move(orders)};
  }
  if (target == "preparation") {
    auto [line, more] = fuzz::preparation_input(input);
    return {.line = std::move(line), .broken = {}, .orders = {}, .more = more};
  }
  return legal(fuzz::legal_input(input, target));
}

std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> out;
  while (!name.empty()) {
    const size_t end = std::min(name.find('_'), name.size());
    out.emplace_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return out;
}

std::optional<Says> meaning_of_word(std::string_view word) {
  if (const auto plain = plain_words().find(word); plain != plain_words().end())
    return plain->second;
  std::string row(word);
  std::ranges::replace(row, '-', '_');
  if (std::ranges::find(generated_rows(), row) != generated_rows().end())
    return [row](const Seed& s) { return s.line.kernel == row; };
  if (auto says = enumeration_word(word)) return says;
  if (auto says = number_word(word)) return says;
  return prefixed_word(word);
}

std::vector<std::string> untrue_words(std::string_view name, const Seed& seed) {
  std::vector<std::string> out;
  for (const std::string& word : words_of_name(name)) {
    const auto says = meaning_of_word(word);
    if (!says || !(*says)(seed)) out.push_back(word);
  }
  return out;
}

}  // namespace w4
