#include "campaign/capture.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>

#include "campaign/capture/cases.h"
#include "campaign/capture/record.h"
#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "campaign/progress.h"
#include "core/gpu.h"
#include "devices/gpu_api.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

using capture::Capture;
using capture::Replayed;

// A file that is there whole or not at all.
class WholeFile {
 public:
  // A usage error where it cannot be written.
  explicit WholeFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
    if (std::filesystem::is_directory(path_)) {
      error_ = fmt::format("--out: '{}' is a folder", printable_utf8(path_));
      return;
    }
    file_ = std::fopen(part_.c_str(), "we");
    // A byte that the text replaces: a full disk shows now.
    if (file_ == nullptr || std::fputc('\n', file_) == EOF || std::fflush(file_) != 0) {
      error_ =
          fmt::format("--out: cannot write '{}': {}", printable_utf8(path_), std::strerror(errno));
    }
  }
  WholeFile(const WholeFile&) = delete;
  ~WholeFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    ::unlink(part_.c_str());
  }
  const std::string& error() const { return error_; }
  bool write(const std::string& text) {
    std::rewind(file_);
    bool good = std::fwrite(text.data(), 1, text.size(), file_) == text.size();
    good = std::fclose(file_) == 0 && good;
    file_ = nullptr;
    good = good && std::rename(part_.c_str(), path_.c_str()) == 0;
    if (!good) {
      fmt::print(stderr, "w4check: cannot write '{}': {}\n", printable_utf8(path_),
                 std::strerror(errno));
      ::unlink(part_.c_str());
    }
    return good;
  }

 private:
  std::string path_, part_, error_;
  FILE* file_ = nullptr;
};

// Names of files without their folders: a path may hold somebody's name.
std::string without_folders(const std::string& text) {
  std::string out, word;
  for (const char c : text + ' ') {
    if (c != ' ') {
      word += c;
      continue;
    }
    if (const size_t slash = word.rfind('/'); slash != std::string::npos) word.erase(0, slash + 1);
    out += (out.empty() ? "" : " ") + word;
    word.clear();
  }
  return out;
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

// Who is captured. Whatever is emulated says so: this one does, and so does libw4hip.
Result<void> name_device(const std::string& device, Capture& c) {
  if (device != "hip") {
    c.device = "w4check emulated " + c.arch, c.driver = "none: emulated";
    return {};
  }
  const auto api = open_hip();
  if (!api) return std::unexpected(api.error());
  c.device = without_folders((*api)->facts().name);
  c.driver = without_folders((*api)->facts().driver);
  c.silicon = !c.device.contains("emulated") && !c.driver.contains("w4hip");
  return {};
}

// Seconds of one part, and whether to go on.
class Part {
 public:
  Part(size_t of, const char* what)
      : progress_(stderr, static_cast<int64_t>(of), static_cast<double>(of), what) {}
  bool operator()(size_t done) {
    for (; done_ < done; ++done_) progress_.advance(1, true);
    return !interrupted();
  }
  double seconds() {
    progress_.clear();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  Progress progress_;
  size_t done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void print_order(const Capture& c) {
  for (const capture::OrderRecord& o : c.order) {
    std::vector<std::string> agree, differ;
    for (const capture::Model& m : o.models) {
      if (m.agrees == m.of && m.facts.empty()) {
        agree.push_back(m.name);
      } else {
        differ.push_back(fmt::format("{} in {} of {}", m.name, m.agrees, m.of));
      }
    }
    fmt::print("  {:<26} agrees with {}{}{}\n", o.instruction,
               agree.empty() ? "no model" : fmt::format("{}", fmt::join(agree, ", ")),
               differ.empty() ? "" : "; with ", fmt::join(differ, ", "));
  }
}

int failed(const std::string& why) {
  fmt::print("capture: {}\n", printable_utf8(why));
  return kRed;
}

int capture_here(const CaptureCommand& o) {
  Context context;
  const auto device = context.device(o.device);
  if (!device) return usage_error("--device: " + printable_utf8(device.error().text));
  Capture c;
  c.arch = (*device)->gpu().arch;
  c.quick = o.quick;
  c.build = build_id();
  c.version = c.build.substr(0, c.build.find(' '));
  c.date = today();
  if (const auto named = name_device(o.device, c); !named)
    return usage_error("--device: " + printable_utf8(named.error().text));
  const auto emulator = make_device(c.arch);
  if (!emulator) return usage_error("--device: " + printable_utf8(emulator.error().text));
  WholeFile file(o.out.empty() ? fmt::format("capture-{}.json", c.arch) : o.out);
  if (!file.error().empty()) return usage_error(file.error());

  capture::Bench silicon(**device), model(**emulator);
  Part probes(capture::probes().size(), "probes");
  const uint64_t words = capture::record_probes(
      silicon, model, c, [&](size_t done, size_t) { return probes(done) && !(*device)->lost(); });
  const double probe_seconds = probes.seconds();
  if (interrupted()) return kInterrupted;
  if ((*device)->lost())
    return failed(fmt::format("the GPU faulted at probe {}: {}; nothing was written",
                              c.probes.back().name, c.probes.back().failed));
  (*device)->reset();

  const auto count = static_cast<size_t>(o.quick ? std::min<int64_t>(o.cases, 200) : o.cases);
  context.witness_outputs();
  Part cases(count, "cases");
  if (!capture::has_kernels(c.arch)) {
    c.cases_left_out = fmt::format("this build has no kernels for {}", c.arch);
  } else {
    for (size_t i = 0; i < count && cases(i); ++i) {
      const Case line = capture::capture_case(c.arch, static_cast<int64_t>(i));
      c.cases.push_back(capture::record_case(line, o.device, context));
      if ((*device)->lost())
        return failed(fmt::format("the GPU faulted in {}; nothing was written", to_string(line)));
    }
  }
  const double case_seconds = cases.seconds();
  if (interrupted()) return kInterrupted;
  const std::string text = capture::to_json(c);
  if (!file.write(text)) return kHarnessError;
  fmt::print("{} ({}; {}), {}\n", c.arch, c.device, c.driver,
             c.silicon ? "silicon" : "emulated: it raises no evidence");
  fmt::print("  {} probes, {} values in {:.1f} s; {} cases in {:.1f} s; {} bytes\n",
             c.probes.size(), words, probe_seconds, c.cases.size(), case_seconds, text.size());
  for (const capture::ProbeRecord& p : c.probes) {
    if (!p.failed.empty()) fmt::print("  no results of {}: {}\n", p.name, printable_utf8(p.failed));
  }
  if (!c.cases_left_out.empty()) fmt::print("  no cases: {}\n", c.cases_left_out);
  print_order(c);
  return kGreen;
}

// Prints what differs; whether anything does.
bool report(const Replayed& r) {
  for (const capture::Difference& d : r.differences)
    fmt::print("DIFFERS {}\n", printable_utf8(to_string(d)));
  if (r.differing > r.differences.size()) {
    fmt::print("  and {} more of {}'s {} values\n", r.differing - r.differences.size(), r.probe,
               r.values);
  }
  return r.differing > 0;
}

int replay(const CaptureCommand& o) {
  const auto c = capture::read_capture(o.replay);
  if (!c) return usage_error("--replay: " + c.error().text);
  auto device = make_device(c->arch);
  if (find_gpu(c->arch) == nullptr || !device)
    return usage_error(fmt::format("--replay: arch '{}' is not emulated", printable_utf8(c->arch)));
  capture::Bench bench(**device);
  Context context;
  std::vector<Replayed> all = capture::replay_probes(*c, bench);
  Part part(c->cases.size(), "cases");
  all.push_back(
      capture::replay_cases(*c, context, [&](size_t done, size_t) { return part(done); }));
  part.seconds();
  if (interrupted()) return kInterrupted;
  uint64_t values = 0, differing = 0, ulp = 0, payloads = 0;
  for (const Replayed& r : all) {
    report(r);
    values += r.values, differing += r.differing, ulp += r.within_ulp, payloads += r.payloads;
    if (!r.left_out.empty())
      fmt::print("  not compared: {}: {}\n", r.probe, printable_utf8(r.left_out));
  }
  fmt::print("{} ({}), captured {}, {}: {} probes and {} cases, {} values: {} differ\n", c->arch,
             printable_utf8(c->device), printable_utf8(c->date),
             c->silicon ? "silicon" : "emulated", c->probes.size(), c->cases.size(), values,
             differing);
  if (ulp > 0)
    fmt::print("  {} values differ by the unit in the last place that documents allow\n", ulp);
  if (payloads > 0)
    fmt::print("  {} NaNs have another payload, which nothing here models\n", payloads);
  if (!c->checksum_fits)
    fmt::print("  the checksum does not fit: the file was edited or damaged\n");
  if (values == 0) fmt::print("  nothing could be compared\n");
  return differing > 0 || values == 0 ? kRed : kGreen;
}

}  // namespace

void add_capture(CLI::App& app, CaptureCommand& c) {
  CLI::App* capture = app.add_subcommand(
      "capture",
      "Record what a GPU's instructions give, as a small file that the emulator is held against");
  const auto option = [&](const char* name, auto& to, const char* text, const char* value) {
    return capture->add_option(name, to, text)->option_text(value);
  };
  option("--device", c.device, "hip (default), or an emulated arch, which captures the emulator",
         "NAME");
  option("--out", c.out, "File to write (default: capture-<arch>.json)", "FILE");
  option("--cases", c.cases, "Case lines to record (default: 2000)", "N")
      ->check(CLI::Range(int64_t{0}, int64_t{5000}));
  capture->add_flag("--quick", c.quick, "A tenth of it; raises no evidence");
  option("--replay", c.replay, "Hold a capture against the emulator of its arch instead", "FILE");
  capture->add_flag("--in-process", c.in_process)->group("");
  capture->footer(
      "docs/capture.md says what the file holds, what it does not, and where to send it.\n"
      "Exit codes: 0 captured, or everything agrees; 1 something differs, or the GPU failed; 2 "
      "usage, no such\ndevice, a file that cannot be written or read; 3 harness error; 130 "
      "interrupted, nothing written.");
}

int capture_command(const CaptureCommand& c) {
  catch_interrupts();
  if (!c.replay.empty()) return replay(c);
  if (c.device != "hip" && find_gpu(c.device) == nullptr) {
    std::string legal = "hip";
    for (const GpuModel& g : gpu_models()) legal += fmt::format(", {}", g.arch);
    return usage_error(fmt::format("--device: '{}' cannot be captured; legal: {}",
                                   printable_utf8(c.device), legal));
  }
  if (c.in_process) return as_own_process([&] { return capture_here(c); });
  if (c.device != "hip") return capture_here(c);
  std::vector<std::string> words{"capture", "--in-process", "--device=hip",
                                 fmt::format("--cases={}", c.cases)};
  if (!c.out.empty()) words.push_back("--out=" + c.out);
  if (c.quick) words.emplace_back("--quick");
  return in_own_process("capture", std::move(words), 3600);
}

}  // namespace w4
