// w4_silicon_evidence OUT.cpp [CAPTURE.json…]: replays the captures and writes the table of the
// instructions that agree in every value (evidence.h). Captures of an emulator, quick ones and
// those that do not fit this build raise nothing; a file that is no capture ends it with 1.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "campaign/capture/replay.h"
#include "core/gpu.h"
#include "devices/device.h"

namespace w4::capture {
namespace {

Result<std::string> rows_of(const std::string& path) {
  const auto c = read_capture(path);
  if (!c) return std::unexpected(c.error());
  const GpuModel* gpu = find_gpu(c->arch);
  if (gpu == nullptr) return fail("{}: arch '{}' is not one that is emulated", path, c->arch);
  if (!c->silicon || c->quick) return std::string();
  auto device = make_device(c->arch);
  if (!device) return std::unexpected(device.error());
  Bench bench(**device);
  const auto all = replay_probes(*c, bench);
  std::string rows;
  for (const std::string& instruction : agreeing_instructions(*c, all)) {
    rows += fmt::format("      {{\"{}\", {}, \"{}\"}},\n", instruction, gpu->family,
                        std::filesystem::path(path).filename().string());
  }
  return rows;
}

int write(int argc, char** argv) {
  std::string rows;
  for (int i = 2; i < argc; ++i) {
    const auto of = rows_of(argv[i]);
    if (!of) {
      fmt::print(stderr, "w4_silicon_evidence: {}\n", of.error().text);
      return 1;
    }
    rows += *of;
  }
  std::ofstream out(argv[1]);
  out << "// Generated from docs/hardware: instructions that silicon and this emulator agree in.\n"
         "#include \"campaign/capture/evidence.h\"\n\nnamespace w4::capture {\n\n"
         "std::span<const rdna::Captured> silicon_evidence() {\n";
  if (rows.empty()) {
    out << "  return {};\n";
  } else {
    out << "  static constexpr rdna::Captured all[] = {\n" << rows << "  };\n  return all;\n";
  }
  out << "}\n\n}  // namespace w4::capture\n";
  out.flush();
  return out ? 0 : 1;
}

}  // namespace
}  // namespace w4::capture

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: w4_silicon_evidence OUT.cpp [CAPTURE.json…]\n");
    return 2;
  }
  return w4::capture::write(argc, argv);
}
