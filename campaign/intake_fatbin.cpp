#include "campaign/intake_fatbin.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "campaign/commands.h"
#include "intake/fatbin.h"
#include "intake/mapped_file.h"
#include "rdna/emulator.h"
#include "results/text.h"

namespace w4 {
namespace {

std::string arch_of(const FatObject& o) { return o.arch.empty() ? "unknown" : o.arch; }

void print_object(size_t number, const FatObject& o) {
  fmt::print("{:>3}  {:<8} {}  {} bytes at {}{}{}\n", number, printable_utf8(arch_of(o)),
             o.version ? fmt::format("v{}", o.version) : "--", o.bytes.size(), o.at,
             o.owner ? ", compressed" : "",
             o.target.empty() ? "" : ", " + printable_utf8(o.target));
  if (o.version == 0) {
    fmt::print("       not an HSA code object\n");
    return;
  }
  const auto object = rdna::CodeObject::load(o.bytes);
  if (!object) {
    fmt::print("       {}\n", printable_utf8(object.error().text));
    return;
  }
  for (const rdna::KernelInfo& k : (*object)->kernels())
    fmt::print("       {}\n", printable_utf8(k.demangled));
}

// Archs come from the file: what is no plain word is no file name.
std::string file_name(const std::string& stem, size_t number, const FatObject& o) {
  std::string arch = arch_of(o);
  std::ranges::replace_if(arch, [](unsigned char x) { return !std::isalnum(x) && x != '-'; }, '_');
  return fmt::format("{}.{}.{}.co", stem, number, arch.substr(0, 64));
}

}  // namespace

int intake_fatbin(const IntakeCommand& c) {
  const auto file = MappedFile::open(c.fatbin);
  if (!file) return usage_error(printable_utf8("--fatbin: " + file.error().text));
  const Fatbin found = read_fatbin(file->bytes());
  for (const std::string& p : found.problems) fmt::print("wrong: {}\n", printable_utf8(p));
  if (found.objects.empty() && !found.problems.empty()) return kRed;
  std::set<std::string> archs;
  for (const FatObject& o : found.objects) archs.insert(arch_of(o));
  if (archs.empty()) {
    return usage_error(printable_utf8(
        fmt::format("--fatbin: '{}' holds no device code; legal: a shared library or program with "
                    "some, an offload bundle, or a code object",
                    c.fatbin)));
  }
  if (!c.arch.empty() && !archs.contains(c.arch)) {
    return usage_error(printable_utf8(fmt::format("--arch: there is no code for '{}'; legal: {}",
                                                  c.arch, fmt::join(archs, ", "))));
  }
  const std::filesystem::path folder = c.out;
  std::error_code error;
  if (!c.out.empty() && !std::filesystem::is_directory(folder, error) &&
      !std::filesystem::create_directories(folder, error)) {
    fmt::print(stderr, "w4check: -o: cannot make '{}': {}\n", printable_utf8(c.out),
               error.message());
    return kHarnessError;
  }
  const std::string stem = std::filesystem::path(c.fatbin).stem().string();
  size_t taken = 0;
  for (size_t i = 0; i < found.objects.size(); ++i) {
    const FatObject& o = found.objects[i];
    if (!c.arch.empty() && arch_of(o) != c.arch) continue;
    ++taken;
    print_object(i + 1, o);
    if (c.out.empty()) continue;
    const std::filesystem::path path = folder / file_name(stem, i + 1, o);
    std::ofstream to(path, std::ios::binary | std::ios::trunc);
    to.write(reinterpret_cast<const char*>(o.bytes.data()),
             static_cast<std::streamsize>(o.bytes.size()));
    if (!to.flush()) {
      fmt::print(stderr, "w4check: -o: cannot write '{}'\n", printable_utf8(path.string()));
      return kHarnessError;
    }
  }
  fmt::print("{} of {} code objects{}\n", taken, found.objects.size(),
             c.out.empty() ? "" : " written");
  return found.problems.empty() ? kGreen : kRed;
}

}  // namespace w4
