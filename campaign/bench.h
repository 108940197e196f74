// `w4check bench`: what kernels take of a GPU's time, and of an emulated one's instructions
// (docs/bench.md).
#pragma once

#include <cstdint>
#include <string>

#include "campaign/bench/asked.h"

namespace CLI {
class App;
}

namespace w4 {

struct BenchCommand {
  bench::Asked asked{.device = {},
                     .kernels = {},
                     .shapes = {"qkv", "gate_up", "down"},
                     .model = "Qwen3-8B",
                     .m = {},
                     .act = {"f16"},
                     .zp = {"packed"},
                     .lines = {}};
  bench::Clock clock;
  int64_t rotate = 512, copy = 1024;  // MiB
  std::string with, json, db;
};

void add_bench(CLI::App& app, BenchCommand& c);

// Exit code: 0 every call was green and has a figure, or is one that its kernel does not take; 1 a
// call is not green, or nothing was measured; 2 usage; 3 harness error; 130 interrupted.
int bench_command(const BenchCommand& c);

}  // namespace w4
