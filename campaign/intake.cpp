#include "campaign/intake.h"

#include <dlfcn.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <span>
#include <sstream>

#include "campaign/commands.h"
#include "campaign/intake_fatbin.h"
#include "campaign/interrupt.h"
#include "intake/compile.h"
#include "intake/fatbin.h"
#include "intake/manifest.h"
#include "intake/op_module.h"
#include "intake/shared_module.h"
#include "rdna/emulator.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_whole(const std::string& path) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.good() && !in.eof()) return std::nullopt;
  return text;
}

// What is wrong with the words given.
std::optional<std::string> wrong_value(const IntakeCommand& c) {
  if (std::ranges::find(kIntakeArchs, c.arch) == std::end(kIntakeArchs))
    return fmt::format("--arch: '{}'; legal: {}", c.arch, fmt::join(kIntakeArchs, ", "));
  for (const std::string& path : c.sources) {
    std::error_code ec;
    if (!fs::is_regular_file(path, ec)) return fmt::format("FILE: '{}': no such file", path);
    if (path.find_first_of("\"\n") != path.npos)
      return "FILE: a path with a quote or a line break in it cannot be included";
  }
  static const std::regex kName(R"([A-Za-z_]\w*(::[A-Za-z_]\w*)*)");
  for (const std::string& op : c.ops) {
    if (!std::regex_match(op, kName))
      return fmt::format("--op: '{}'; legal: the name of a function, a::b::c in namespaces", op);
  }
  for (const std::string& d : c.include_dirs) {
    std::error_code ec;
    if (!fs::is_directory(d, ec)) return fmt::format("-I: '{}' is no folder", d);
  }
  std::error_code ec;
  if (fs::is_directory(c.out, ec)) return fmt::format("-o: '{}' is a folder; legal: a file", c.out);
  if (fs::exists(c.out, ec) && !fs::is_regular_file(c.out, ec))
    return fmt::format("-o: '{}' is not a regular file", c.out);
  // Before it compiles for minutes.
  const fs::path folder = fs::absolute(c.out, ec).parent_path();
  if (!fs::is_directory(folder, ec))
    return fmt::format("-o: '{}': there is no folder '{}'", c.out, folder.string());
  if (access(folder.c_str(), W_OK) != 0)
    return fmt::format("-o: '{}': cannot write into the folder '{}'", c.out, folder.string());
  std::vector<std::string> inputs = c.sources;
  if (!c.manifest.empty()) inputs.push_back(c.manifest);
  for (const std::string& input : inputs) {
    if (fs::exists(c.out, ec) && fs::equivalent(c.out, input, ec))
      return fmt::format("-o: '{}' is what is taken in; legal: another file", c.out);
  }
  return std::nullopt;
}

std::string_view kind_name(w4_op_kind k) {
  constexpr std::string_view kNames[] = {"tensor", "optional tensor", "int",    "float", "bool",
                                         "text",   "nothing",         "unknown"};
  return kNames[std::clamp<int>(k, 0, std::size(kNames) - 1)];
}

void say_kernels(const std::string& path) {
  const auto file = read_whole(path);
  if (!file) return;
  for (const FatObject& o : read_fatbin(std::as_bytes(std::span(*file))).objects) {
    const auto code = rdna::CodeObject::load(o.bytes);
    if (code && !(*code)->kernels().empty())
      fmt::print("  {} kernels for {}\n", (*code)->kernels().size(), o.arch);
  }
}

// Finds what the module that was made has, and prints it.
int say_what_is_in(const IntakeCommand& c) {
  const auto library = load_library(c.out);
  if (!library) {
    fmt::print(stderr, "w4check: harness error: {}\n", library.error().text);
    return kHarnessError;
  }
  const auto entry = reinterpret_cast<const w4_ops* (*)()>(dlsym(*library, W4_OPS_ENTRY));
  const w4_ops* const ops = entry == nullptr ? nullptr : entry();
  if (ops == nullptr) {
    fmt::print(stderr, "w4check: harness error: '{}' has no table of operators\n", c.out);
    return kHarnessError;
  }
  fmt::print("{}: for {}\n", c.out, ops->arch);
  say_kernels(c.out);
  bool callable = true;
  for (int32_t i = 0; i < ops->count; ++i) {
    const w4_op& op = ops->ops[i];
    std::vector<std::string_view> takes;
    for (int32_t p = 0; p < op.parameters; ++p) takes.push_back(kind_name(op.takes[p]));
    fmt::print("  {}({}) returns {}\n", op.name, fmt::join(takes, ", "), kind_name(op.returns));
    callable = callable && op.returns != W4_OP_UNKNOWN &&
               std::ranges::find(takes, kind_name(W4_OP_UNKNOWN)) == takes.end();
  }
  if (!callable) {
    fmt::print(
        "  unknown: a type that torch_lite has no value for; such an operator cannot be called\n");
  }
  if (c.manifest.empty()) {
    fmt::print("  no manifest: nothing says what they compute, so no case can run yet\n");
    return kGreen;
  }
  if (const auto module = OpModule::make(*ops, c.out); !module)
    return usage_error(module.error().text);
  return kGreen;
}

}  // namespace

void add_intake(CLI::App& app, IntakeCommand& c) {
  CLI::App* intake = app.add_subcommand(
      "intake",
      "Compile an upstream HIP source, unmodified and with its host launcher, into a module for "
      "module=; or take code objects out of a shipped extension (--fatbin)");
  const auto option = [&](const char* name, auto& to, const char* text, const char* value) {
    return intake->add_option(name, to, text)->option_text(value);
  };
  intake
      ->add_option("source", c.sources,
                   "The source, HIP or CUDA as hipify would take it; further ones that it calls "
                   "functions of after it")
      ->option_text("FILE...");
  option("--fatbin", c.fatbin,
         "Instead of a source: list the code objects in this shared library, program, offload "
         "bundle (compressed ones too) or code object",
         "FILE")
      ->excludes("source");
  option("--arch", c.arch,
         "Arch of its device code (default gfx1151; with --fatbin: all that there are)", "NAME");
  option("--out,-o", c.out,
         "The module to write; with --fatbin a folder for NAME.NUMBER.ARCH.co, numbered as listed",
         "PATH");
  option("--manifest", c.manifest,
         "JSON that says what the operators' arguments mean; goes into the module. "
         "docs/intake.md is a guide, docs/manifest.md the format",
         "FILE");
  option("--op", c.ops,
         "Function to make callable; repeatable (default: those that the manifest names)", "NAME")
      ->allow_extra_args(false);
  option("-I", c.include_dirs, "Folder of headers, before torch_lite and its stand-ins; repeatable",
         "DIR")
      ->allow_extra_args(false);
  option("-D", c.defines, "Macro; repeatable", "NAME[=VALUE]")->allow_extra_args(false);
  option("--flags", c.flags,
         "Further words for the compiler, as --flags='-O1 -ffp-contract=off'; repeatable", "WORDS")
      ->allow_extra_args(false);
  option("--keep", c.keep, "Folder to leave the generated code and the compiler's command in",
         "DIR");
  intake->footer(
      "The compiler is $W4_CLANG, or the one of a ROCm in $ROCM_PATH or /opt/rocm that knows the "
      "arch, or clang++-19.\n"
      "Exit codes: 0 made, 1 device code in the file is damaged, 2 usage (also: a source that does "
      "not compile, a manifest that does not fit, a file without device code), 3 harness error, "
      "130 "
      "interrupted.");
}

int intake_command(const IntakeCommand& given) {
  if (!given.fatbin.empty()) return intake_fatbin(given);
  if (given.sources.empty() || given.out.empty())
    return usage_error("intake: what to take in? legal: FILE… -o FILE.w4m, or --fatbin FILE");
  IntakeCommand c = given;
  if (c.arch.empty()) c.arch = "gfx1151";
  if (const auto wrong = wrong_value(c)) return usage_error(*wrong);
  const auto source = read_whole(c.sources.front());
  if (!source) return usage_error(fmt::format("FILE: cannot read '{}'", c.sources.front()));
  CompileRequest r{c.sources,      c.arch,    c.out, "",     c.ops,
                   c.include_dirs, c.defines, {},    c.keep, interrupted};
  if (!c.manifest.empty()) {
    const auto text = read_whole(c.manifest);
    if (!text)
      return usage_error(
          fmt::format("--manifest: '{}': no such file, or not readable", c.manifest));
    const auto manifest = parse_manifest(*text, c.manifest);
    if (!manifest) return usage_error(manifest.error().text);
    for (const ManifestKernel& k : manifest->kernels) {
      if (k.op.empty()) {
        return usage_error(
            fmt::format("{}: kernel '{}' has no \"op\"; legal here: operators of "
                        "the source only",
                        c.manifest, k.name));
      }
      if (std::ranges::find(r.ops, k.op) == r.ops.end()) r.ops.push_back(k.op);
    }
    r.manifest = *text;
  }
  if (r.ops.empty()) {
    const auto found = functions_with_tensors(*source);
    return usage_error(fmt::format("no operator: give --manifest FILE or --op NAME; '{}' has {}",
                                   c.sources.front(),
                                   found.empty() ? "no function with tensors that could be told"
                                                 : fmt::format("{}", fmt::join(found, ", "))));
  }
  for (const std::string& words : c.flags) {
    std::istringstream in(words);
    for (std::string w; in >> w;) r.flags.push_back(w);
  }
  catch_interrupts();
  const auto tools = find_intake_tools(c.arch);
  const auto made =
      tools ? compile_source(r, *tools) : Result<bool>(std::unexpected(tools.error()));
  if (interrupted() && !made.value_or(false)) {
    fmt::print(stderr, "w4check: interrupted; nothing is written\n");
    return kInterrupted;
  }
  if (!made) {
    fmt::print(stderr, "w4check: harness error: {}\n", made.error().text);
    return kHarnessError;
  }
  if (!*made)
    return usage_error(
        fmt::format("'{}' does not compile with {} as operator{}; nothing is written. An operator "
                    "is one function: no overloads, no template, no member",
                    c.sources.front(), fmt::join(r.ops, ", "), r.ops.size() == 1 ? "" : "s"));
  return say_what_is_in(c);
}

}  // namespace w4
