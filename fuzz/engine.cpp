// w4fuzz: what libFuzzer calls.
#include <cstdio>
#include <cstdlib>

#include "fuzz/cases.h"
#include "fuzz/classes.h"
#include "fuzz/inputs.h"
#include "fuzz/mutator.h"
#include "fuzz/novelty.h"
#include "fuzz/options.h"
#include "fuzz/unguided.h"

namespace w4::fuzz {
namespace {

Target chosen;

Novelty& seen() {
  static Novelty n;
  return n;
}

std::vector<uint64_t> classes_of_input(Bytes input) {
  return classes_of(draft_input(input, chosen.name));
}

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "w4fuzz: %s\n", why.c_str());
  std::exit(kUsage);
}

// The engine starts itself again for -merge, -fork and -jobs, with the words that it got: it passes
// over those that begin with "--". What it takes later overrides what it takes first.
std::vector<std::string> engine_words(const std::string& program, const Options& o) {
  std::vector<std::string> out{program};
  out.insert(out.end(), o.own.begin(), o.own.end());
  if (o.target.inputs == Inputs::cases) {
    out.push_back(fmt::format("-max_len={}", kInputBytes));
    out.emplace_back("-len_control=0");
    // It keeps most inputs: to weigh them anew costs a fifth of the time at first.
    out.emplace_back("-entropic=0");
    // Each input from what was picked, not from the one before.
    out.emplace_back("-mutate_depth=1");
  }
  out.insert(out.end(), o.rest.begin(), o.rest.end());
  return out;
}

void initialise(int* argc, char*** argv) {
  static std::vector<std::string> words(*argv, *argv + *argc);
  const auto options = parse_options(words);
  if (!options) stop(options.error().text);
  if (options->list || options->help) {
    std::fputs(options->list ? list_targets().c_str() : usage(true).c_str(), stdout);
    std::exit(0);
  }
  if (const auto used = use(options->module, options->devices); !used) stop(used.error().text);
  chosen = options->target;
  if (options->unguided) {
    const auto budget = parse_budget(options->rest);
    if (!budget) stop(budget.error().text);
    if (const auto done = run_unguided(chosen, *budget); !done) stop(done.error().text);
    std::exit(0);
  }
  words = engine_words(words[0], *options);
  static std::vector<char*> pointers{(*argv)[0]};
  for (size_t i = 1; i < words.size(); ++i) pointers.push_back(words[i].data());
  *argc = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  *argv = pointers.data();
}

}  // namespace
}  // namespace w4::fuzz

extern "C" {

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  w4::fuzz::initialise(argc, argv);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace w4::fuzz;
  chosen.run({data, size});
  if (chosen.inputs == Inputs::cases) seen().add(classes_of_input({data, size}));
  return 0;
}

// The engine's own mutators.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  using namespace w4::fuzz;
  if (chosen.inputs == Inputs::bytes) return LLVMFuzzerMutate(data, size, most);
  return write(next_input({data, size}, {}, seen(), classes_of_input, seed), {data, most});
}

// 0: not done, so that the engine takes another of its mutators.
size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                 uint8_t* out, size_t most, unsigned seed) {
  using namespace w4::fuzz;
  if (chosen.inputs == Inputs::bytes) return 0;
  return write(next_input({a, a_size}, {b, b_size}, seen(), classes_of_input, seed), {out, most});
}
}
