// w4_find_seeds CORPUS TARGET [NAME…]: writes CORPUS/TARGET/NAME, a small input that reaches what
// the name says (seeds.h). Without names: those of the folder whose seeds no longer do, as after a
// change of the generators.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "tests/fuzz/seeds.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using Input = std::vector<uint8_t>;

constexpr int kTries = 60'000;

bool reaches(std::string_view target, std::string_view name, const Input& input) {
  // Costly words stand last in a name.
  const Seed seed = seed_of(target, input);
  return std::ranges::all_of(words_of_name(name), [&](const std::string& word) {
    return untrue_words(word, seed).empty();
  });
}

void trim(Input& input) {
  while (!input.empty() && input.back() == 0) input.pop_back();
}

// Sparse inputs are the plainest: most bytes 0, the plainest choice.
Input random_input(Draw& draw) {
  Input out(kInputBytes);
  const uint32_t one_in = 1 + draw(8);
  for (uint8_t& byte : out) byte = draw(one_in) == 0 ? static_cast<uint8_t>(draw(256)) : 0;
  return out;
}

void make_small(std::string_view target, std::string_view name, Input& input) {
  for (size_t i = input.size(); i-- > 0;) {
    const uint8_t was = std::exchange(input[i], uint8_t{0});
    if (was == 0 || reaches(target, name, input)) continue;
    input[i] = was;
    for (uint8_t less = 1; less < was; ++less) {
      input[i] = less;
      if (reaches(target, name, input)) break;
      input[i] = was;
    }
  }
  trim(input);
}

std::optional<Input> find(std::string_view target, std::string_view name) {
  Draw draw(1);
  for (int i = 0; i < kTries; ++i) {
    Input input = i == 0 ? Input{} : random_input(draw);
    if (!reaches(target, name, input)) continue;
    make_small(target, name, input);
    return input;
  }
  return std::nullopt;
}

Input read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> outdated(const fs::path& folder, std::string_view target) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!reaches(target, name, read(entry.path()))) out.push_back(name);
  }
  std::ranges::sort(out);
  return out;
}

int run(const fs::path& folder, std::string_view target, std::vector<std::string> names) {
  if (std::ranges::find(case_targets(), target) == case_targets().end()) {
    fmt::print(stderr, "w4_find_seeds: '{}' is no target of cases\n", target);
    return 2;
  }
  if (names.empty()) names = outdated(folder, target);
  int missing = 0;
  for (const std::string& name : names) {
    const auto input = find(target, name);
    if (!input) {
      fmt::print(stderr, "{}/{}: none of {} inputs\n", target, name, kTries);
      ++missing;
      continue;
    }
    std::ofstream(folder / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(input->data()), std::ssize(*input));
    fmt::print("{}/{}: {} bytes: {}\n", target, name, input->size(),
               to_string(seed_of(target, *input).line));
  }
  return missing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace w4

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    fmt::print(stderr, "w4_find_seeds CORPUS TARGET [NAME...]\n");
    return 2;
  }
  return w4::run(std::filesystem::path(words[0]) / words[1], words[1],
                 {words.begin() + 2, words.end()});
}
