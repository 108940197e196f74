// w4_zoo_source ROOT OUT [--count N] [--seed S] FILE…: writes generated defects of host sources,
// OUT/<id>.edit each, and a line "id family file:line what" for each on standard output. FILEs are
// relative to ROOT. In the order of a draw by
// the seed, families by turns; with --count so many of them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "zoo/source/mutants.h"

namespace {

using w4::source::SourceMutant;

struct Named {
  std::string file;
  SourceMutant mutant;
};

// The place of a mutant in the draw depends on the seed and its name alone: a new one moves no
// other.
uint64_t turn(uint64_t seed, const std::string& id) {
  uint64_t h = 0xcbf29ce484222325 ^ (seed * 0x9E3779B97F4A7C15);
  for (const char c : id) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  h ^= h >> 29;
  h *= 0x9FB21C651E98DF25;
  return h ^ h >> 32;
}

// As many of each family as there are, by turns.
void draw(std::vector<Named>& all, uint64_t seed) {
  std::ranges::sort(
      all, {}, [&](const Named& n) { return std::pair(turn(seed, n.mutant.id), n.mutant.id); });
  std::map<std::string, int> drawn, round;
  for (const Named& n : all) round[n.mutant.id] = drawn[n.mutant.family]++;
  std::ranges::sort(
      all, {}, [&](const Named& n) { return std::tuple(round[n.mutant.id], n.mutant.family); });
}

std::optional<uint64_t> number(const char* text) {
  uint64_t v = 0;
  const char* const end = text + std::strlen(text);
  const auto [at, error] = std::from_chars(text, end, v);
  if (error != std::errc{} || at != end) return std::nullopt;
  return v;
}

int usage() {
  fmt::print(stderr, "usage: w4_zoo_source ROOT OUT [--count N] [--seed S] FILE…\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return usage();
  const std::filesystem::path root = argv[1], out = argv[2];
  std::vector<Named> all;
  uint64_t seed = 1, count = UINT64_MAX;
  int left_out = 0;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--count" || word == "--seed") {
      const auto v = i + 1 < argc ? number(argv[++i]) : std::nullopt;
      if (!v) return usage();
      (word == "--count" ? count : seed) = *v;
      continue;
    }
    std::ifstream in(root / word, std::ios::binary);
    if (!in) {
      fmt::print(stderr, "w4_zoo_source: cannot read {}\n", (root / word).string());
      return 1;
    }
    const std::string text(std::istreambuf_iterator<char>(in), {});
    for (SourceMutant& m : w4::source::mutants_of(word, text, &left_out))
      all.push_back({word, std::move(m)});
  }
  const size_t every = all.size();
  draw(all, seed);
  if (count < every) all.resize(count);
  std::filesystem::create_directories(out);
  for (const auto& [file, m] : all) {
    std::ofstream to(out / (m.id + ".edit"), std::ios::binary);
    to << m.edit;
    fmt::print("{}\t{}\t{}:{}\t{}\n", m.id, m.family, file, m.line, m.says);
    if (!to.flush()) return 1;
  }
  fmt::print(stderr, "{} of {} generated; {} places have no text of their own\n", all.size(), every,
             left_out);
  return 0;
}
