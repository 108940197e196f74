#include "fuzz/broken_code.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz/counters.h"
#include "fuzz/data.h"
#include "rdna/listing.h"

namespace w4::fuzz {
namespace {

constexpr size_t kKernels = 3;  // of one object that are listed and launched
constexpr uint64_t kSteps = 3000;

std::vector<Object> read_objects() {
  std::vector<Object> out;
  std::string_view paths = W4_FUZZ_OBJECTS;
  while (!paths.empty()) {
    const size_t end = std::min(paths.find('|'), paths.size());
    out.push_back(read_data(paths.substr(0, end)));
    paths.remove_prefix(std::min(end + 1, paths.size()));
  }
  return out;
}

[[noreturn]] void silent(const char* what) {
  std::fprintf(stderr, "w4fuzz: %s without a reason\n", what);
  std::abort();
}

// What the engine keeps inputs by: what instructions there are, why things end.
std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
  return text;
}

// Pointers to one buffer, small integers, zeros.
std::vector<std::byte> arguments(const rdna::KernelInfo& k, uint64_t buffer) {
  std::vector<std::byte> out;
  for (const rdna::ArgInfo& a : k.args) {
    if (a.value_kind.starts_with("hidden_") || a.size == 0) continue;
    out.resize(std::max<size_t>(out.size(), a.offset + a.size));
    const uint64_t value = a.size == 8 ? buffer : 3;
    std::memcpy(out.data() + a.offset, &value, std::min<size_t>(a.size, 8));
  }
  return out;
}

void launch(ByteChooser& choose, const rdna::CodeObject& object, const rdna::KernelInfo& k) {
  constexpr uint32_t kBlocks[] = {32, 1, 64, 128, 1024, 33};
  constexpr uint32_t kLds[] = {0, 64, 4096, 65536, 65537};
  const auto archs = rdna::emulated_archs();
  const bool right = choose.pick(16) != 15;
  rdna::Emulator emulator(right ? object.arch()
                                : archs[choose.pick(static_cast<int>(archs.size()))]);
  rdna::LaunchConfig c;
  c.grid = {static_cast<uint32_t>(1 + choose.pick(3)), 1, 1};
  c.block = {kBlocks[choose.pick(static_cast<int>(std::size(kBlocks)))], 1, 1};
  c.dynamic_lds = kLds[choose.pick(static_cast<int>(std::size(kLds)))];
  c.schedule.order = static_cast<Order>(choose.pick(4));
  c.schedule.seed = 1;
  c.confirm = choose.pick(4) == 3;
  c.step_limit = kSteps;
  const auto buffer = emulator.memory().allocate(
      {.name = "buffer", .bytes = 4096, .writable = true, .initialised = true});
  if (!buffer) std::abort();
  const rdna::LaunchReport r = emulator.launch(object, k.symbol, c, arguments(k, *buffer));
  using End = rdna::LaunchReport::End;
  if ((r.end == End::refused || r.end == End::unsupported) && r.why.empty()) silent("a launch");
  if (r.end == End::findings && r.findings.empty()) silent("a finding");
  count_class(without_digits(r.why));
  for (const Finding& f : r.findings) count_class(name_of(f.kind));
}

}  // namespace

const std::vector<Object>& whole_objects() {
  static const std::vector<Object> all = read_objects();
  return all;
}

void load_and_launch(std::span<const std::byte> object, ByteChooser& choose) {
  const auto loaded = rdna::CodeObject::load(object);
  if (!loaded) {
    if (loaded.error().text.empty()) silent("a refusal");
    count_class(without_digits(loaded.error().text));
    return;
  }
  const auto kernels = (*loaded)->kernels();
  for (size_t i = 0; i < std::min(kKernels, kernels.size()); ++i) {
    rdna::KernelCounts counts;
    counts.object = *loaded;
    counts.index = i;
    const rdna::Listing listing = rdna::list_code(counts);
    if (listing.code.empty()) silent("a listing");
    for (const rdna::ListedInstruction& x : listing.code) {
      if (x.text.empty()) silent("an instruction");
      count_class(x.text.substr(0, x.text.find(' ')));
    }
    launch(choose, **loaded, kernels[i]);
  }
}

}  // namespace w4::fuzz
