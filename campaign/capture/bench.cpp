#include "campaign/capture/bench.h"

#include <array>
#include <cstring>
#include <span>

namespace w4::capture {

Result<std::vector<uint32_t>> Bench::run(const Probe& p, const Operands& operands,
                                         std::string_view fp) {
  const auto object = probe_object(arch());
  if (object.empty()) return fail("capture: no probes were compiled for {}", arch());
  unsupported_ = false;
  device_.reset();
  std::array<uint64_t, 4> args{};
  const std::array<const std::vector<uint32_t>*, 3> arrays{&operands.a, &operands.b, &operands.c};
  const size_t words = operands.c.size();
  for (size_t i = 0; i < 4; ++i) {
    BufferRequest request;
    request.name = i < 3 ? std::string(1, static_cast<char>('a' + i)) : "out";
    request.bytes = 4 * (i < 3 ? arrays[i]->size() : words);
    request.writable = i == 3;
    const auto base = device_.allocate(request);
    if (!base) return std::unexpected(base.error());
    args[i] = *base;
    if (i == 3) break;
    if (const auto wrote = device_.write(*base, std::as_bytes(std::span(*arrays[i]))); !wrote)
      return std::unexpected(wrote.error());
  }
  const std::string symbol(p.name);
  w4_launch launch{};
  launch.object = object.data(), launch.object_bytes = object.size();
  launch.symbol = symbol.c_str();
  launch.grid[0] =
      static_cast<uint32_t>(words / (32 * static_cast<size_t>(p.registers_out(family()))));
  launch.grid[1] = launch.grid[2] = 1;
  launch.block[0] = 32, launch.block[1] = launch.block[2] = 1;
  launch.args = args.data(), launch.arg_bytes = sizeof args;
  LaunchOptions options;
  // Inactive lanes and operands that no rule covers are what is asked about.
  options.checks.mask = 0;
  options.fp = fp.empty() ? default_fp(arch()) : fp;
  const LaunchResult result = device_.launch(launch, options);
  if (result.end != LaunchResult::End::completed) {
    unsupported_ = result.end == LaunchResult::End::unsupported;
    if (!result.findings.empty()) return fail("{}", to_string(result.findings.front()));
    return fail("{}", result.why.empty() ? "the launch did not complete" : result.why);
  }
  std::vector<uint32_t> out(words);
  if (const auto read = device_.read(args[3], std::as_writable_bytes(std::span(out))); !read)
    return std::unexpected(read.error());
  return out;
}

}  // namespace w4::capture
