// A program with a table of captures (rdna/captured.h), which w4check gets from its build: what it
// says of v_dot2_f32_f16, and what a launch of it rests on by arithmetic model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "campaign/capture/probe.h"
#include "devices/device.h"
#include "rdna/captured.h"

namespace {

std::vector<std::string> rests_on(const std::string& fp) {
  auto device = std::move(*w4::make_device("gfx1151"));
  std::array<uint64_t, 4> args{};
  for (uint64_t& a : args) {
    w4::BufferRequest request;
    request.name = "words", request.bytes = 128, request.writable = true;
    a = *device->allocate(request);
  }
  const auto object = w4::capture::probe_object("gfx1151");
  w4_launch launch{};
  launch.object = object.data(), launch.object_bytes = object.size();
  launch.symbol = "dot2_f32_f16";
  launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
  launch.block[0] = 32, launch.block[1] = launch.block[2] = 1;
  launch.args = args.data(), launch.arg_bytes = sizeof args;
  w4::LaunchOptions options;
  options.fp = fp;
  options.checks.mask = 0;
  return device->launch(launch, options).inexact;
}

}  // namespace

int main() {
  static constexpr w4::rdna::Captured kTable[] = {{"v_dot2_f32_f16", 11, "fixture.json"}};
  const auto before = rests_on("gfx1151");
  w4::rdna::set_captures(kTable);
  const w4::rdna::Row& row = *w4::rdna::find_row("v_dot2_f32_f16");
  fmt::print("{}: {} ({})\n", row.mnemonic, name_of(w4::rdna::evidence_of(row)),
             w4::rdna::captures_of(row.mnemonic));
  fmt::print("auto: {}\n", fmt::join(rests_on("gfx1151"), " "));
  fmt::print("ieee: {}\n", fmt::join(rests_on("ieee"), " "));
  return before.size() == 1 &&
                 w4::rdna::evidence_on("v_dot2_f32_f16", 12) == w4::rdna::Evidence::public_report
             ? 0
             : 1;
}
