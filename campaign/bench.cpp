#include "campaign/bench.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "campaign/bench/foreign.h"
#include "campaign/bench/plan.h"
#include "campaign/bench/shown.h"
#include "campaign/bench/time_case.h"
#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "campaign/report/filing.h"
#include "core/gpu.h"
#include "results/text.h"

namespace w4 {
namespace {

using bench::Foreign;
using bench::Row;

constexpr int kMostSamples = 1000;

Result<void> check(const BenchCommand& c) {
  const std::string& device = c.asked.device;
  if (device == "host")
    return fail(
        "--device: on host the kernels stand in for nothing; legal: cuda, hip, an emulated "
        "arch");
  if (find_gpu(device) == nullptr && !is_native_device(device)) {
    std::vector<std::string_view> archs;
    for (const GpuModel& gpu : gpu_models()) archs.push_back(gpu.arch);
    return fail("--device: there is no '{}'; legal: cuda, hip, {}", device, fmt::join(archs, ", "));
  }
  if (c.clock.samples < 1 || c.clock.samples > kMostSamples)
    return fail("--repeat: {}; legal: 1 to {}", c.clock.samples, kMostSamples);
  if (!(c.clock.floor >= 0) || c.clock.floor > 3600)
    return fail("--floor: {}; legal: 0 to 3600 seconds", c.clock.floor);
  if (c.copy < 0 || c.copy > 1 << 16)
    return fail("--copy: {}; legal: 0 (none) to {} MiB", c.copy, 1 << 16);
  if (c.rotate < 1 || c.rotate > 1 << 20)
    return fail("--rotate: {}; legal: 1 to {} MiB", c.rotate, 1 << 20);
  return {};
}

Result<std::vector<Foreign>> foreign_of(const BenchCommand& c) {
  if (c.with.empty()) return std::vector<Foreign>{};
  if (find_gpu(c.asked.device) != nullptr)
    return fail("--with: {} counts and has no times; legal with cuda, hip", c.asked.device);
  const auto text = read_text(c.with);
  if (!text) return fail("--with: {}", text.error().text);
  auto read = bench::read_foreign(*text);
  if (!read) return fail("--with: '{}': {}", c.with, read.error().text);
  return read;
}

Row count(const bench::Wanted& wanted) {
  Row row{.of = wanted};
  Case c = wanted.value;
  c.checks = *parse_checks("none");
  const FigureRow counted = count_case(c);
  row.green = counted.green;
  row.verdict = counted.verdict;
  row.instantiation = counted.instantiation;
  row.least = counted.least;
  // A refusal that the case asks for is green and launches nothing.
  row.skipped = counted.idle;
  row.counted = counted;
  return row;
}

void count_all(const std::vector<bench::Wanted>& wanted, bench::Measured& out) {
  for (const bench::Wanted& w : wanted) {
    if (interrupted()) return;
    out.rows.push_back(count(w));
  }
}

void time_all(const std::vector<bench::Wanted>& wanted, const bench::Clock& clock,
              bench::Measured& out) {
  auto made = make_device(out.device);
  if (!made) {
    out.skipped = made.error().text;
    return;
  }
  auto owned = std::make_unique<bench::RecordedDevice>(std::move(*made));
  bench::RecordedDevice& device = *owned;
  Context context;
  context.put_device(out.device, std::move(owned));
  out.about = device.describe();
  out.cache = device.cache_bytes();
  auto copy = clock.copy == 0 ? Result<bench::DeviceCopy>(fail("--copy 0"))
                              : bench::time_copy(device, clock);
  if (copy) {
    out.copy = std::move(*copy);
  } else {
    out.no_copy = copy.error().text;
  }
  for (const bench::Wanted& w : wanted) {
    if (interrupted()) return;
    out.rows.push_back(bench::time_case(w, context, device, clock));
  }
}

int exit_code(const bench::Measured& r, size_t wanted) {
  const auto bad = [](const Row& row) { return !row.green && !row.skipped; };
  if (std::ranges::any_of(r.rows, bad)) return kRed;
  if (r.skipped.empty() && r.rows.size() < wanted) return kInterrupted;
  const auto has = [](const Row& row) { return row.figure().has_value(); };
  return std::ranges::any_of(r.rows, has) ? kGreen : kRed;
}

}  // namespace

void add_bench(CLI::App& app, BenchCommand& c) {
  CLI::App* b = app.add_subcommand("bench",
                                   "Measure kernels on real shapes: bandwidth and TFLOP/s on a "
                                   "GPU, wave-instructions per weight "
                                   "on an emulated device");
  bench::Asked& a = c.asked;
  const auto list = [&](const char* name, auto& to, const char* text, const char* value) {
    b->add_option(name, to, text)->option_text(value)->delimiter(',')->allow_extra_args(false);
  };
  b->add_option("--device", a.device, "cuda, hip, or an emulated arch")
      ->option_text("NAME")
      ->required();
  list("--kernel", a.kernels,
       "Kernels, joined by commas (default: decode, chunked or prefill, as the hybrid op's route "
       "takes them)",
       "NAMES");
  list("--shapes", a.shapes, "Layers of --model, or NxK (default: qkv,gate_up,down)", "SHAPES");
  b->add_option("--model", a.model, "Whose layers they are (default: Qwen3-8B)")
      ->option_text("NAME");
  list("--m", a.m, "Tokens (default: 1,2,3,4,5; 64,512 for prefill, moe_prefill and hybrid)", "M");
  b->add_option("--g", a.g, "Group size (default: 128)")->option_text("G");
  list("--act", a.act, "f16, bf16 (default: f16)", "TYPES");
  list("--zp", a.zp, "none, packed, unpacked (default: packed)", "FORMS");
  b->add_option("--experts", a.experts, "Of kernels with experts (default: 8)")->option_text("N");
  b->add_option("--topk", a.topk, "Of those: experts of each token (default: 2)")->option_text("N");
  b->add_option("--case", a.lines,
                "Measure this case line instead, on --device; repeatable; shapes and the like say "
                "nothing then")
      ->option_text("LINE")
      ->allow_extra_args(false);
  b->add_option("--repeat", c.clock.samples,
                "GPUs: samples of each figure, whose median is shown (default: 7)")
      ->option_text("N");
  b->add_option("--floor", c.clock.floor,
                "GPUs: seconds that the samples of a figure measure together, at least (default: "
                "0.2)")
      ->option_text("SECONDS");
  b->add_option("--rotate", c.rotate,
                "GPUs: MiB of operands that cold calls go over in turn, to find none of them in a "
                "cache (default: 512)")
      ->option_text("MIB");
  b->add_option("--copy", c.copy,
                "GPUs: MiB of the device's own copy, which bandwidths are held against; 0: none "
                "(default: 1024)")
      ->option_text("MIB");
  b->add_option("--with", c.with,
                "GPUs: file of times that somebody else measured, to show beside ours "
                "(docs/bench.md)")
      ->option_text("FILE");
  b->add_option("--json", c.json, "Write the result as JSON to FILE, - is standard output")
      ->option_text("FILE");
  b->add_option("--db", c.db,
                "SQLite store to file the result in for `w4check report`, made where there is none")
      ->option_text("FILE");
  b->footer(
      "A call has figures only where it is green. Without the GPU: skipped, with the reason.\n"
      "Exit codes: 0 measured, 1 a call is not green or nothing was measured, 2 usage, 3 harness "
      "error, 130 interrupted.");
}

int bench_command(const BenchCommand& given) {
  BenchCommand c = given;
  if (const auto ok = check(c); !ok)
    return usage_error("bench: " + printable_utf8(ok.error().text));
  c.clock.copy = static_cast<uint64_t>(c.copy) << 20;
  c.clock.cold = static_cast<uint64_t>(c.rotate) << 20;
  const auto wanted = bench::plan(c.asked);
  if (!wanted) return usage_error("bench: " + printable_utf8(wanted.error().text));
  auto foreign = foreign_of(c);
  if (!foreign) return usage_error("bench: " + printable_utf8(foreign.error().text));
  auto filing = Filing::open(c.db, c.json);
  if (!filing) return usage_error("bench: " + printable_utf8(filing.error().text));
  const JsonAside aside(c.json, false);
  if (!aside.error().empty()) return usage_error("bench: " + aside.error());
  catch_interrupts();
  bench::Measured result{.device = c.asked.device,
                         .about = {},
                         .asked = bench::to_string(c.asked),
                         .skipped = {},
                         .no_copy = {},
                         .copy = {},
                         .samples = c.clock.samples,
                         .floor = c.clock.floor,
                         .rows = {},
                         .foreign = std::move(*foreign)};
  if (find_gpu(result.device) != nullptr) {
    count_all(*wanted, result);
  } else {
    time_all(*wanted, c.clock, result);
  }
  bench::name_shapes(result.foreign, result.rows);
  fmt::print(aside.people(), "{}", bench::text_of(result));
  const std::string json = bench::json_of(result);
  if (!aside.write(json)) return kHarnessError;
  const int code = exit_code(result, wanted->size());
  if (code == kInterrupted) filing->leave_out("bench");
  if (code != kInterrupted && result.skipped.empty() && !filing->file("bench", result.asked, json))
    return kHarnessError;
  return code;
}

}  // namespace w4
