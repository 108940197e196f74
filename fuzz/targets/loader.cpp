// Damaged code objects: bytes choose a whole object and what happens to it (a cut, flipped bits,
// wrong numbers, moved blocks), or are the object themselves. Loading, listing and a short launch
// under every check must each end, with a reason where they refuse.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "fuzz/target.h"
#include "rdna/listing.h"

namespace w4::fuzz {
namespace {

using Object = std::vector<std::byte>;

constexpr size_t kKernels = 3;  // of one object that are listed and launched
constexpr uint64_t kSteps = 3000;

std::vector<Object> read_objects() {
  std::vector<Object> out;
  std::string_view paths = W4_FUZZ_OBJECTS;
  while (!paths.empty()) {
    const size_t end = std::min(paths.find('|'), paths.size());
    std::ifstream in(std::string(paths.substr(0, end)), std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    if (text.empty()) std::abort();  // the build made it
    out.emplace_back(text.size());
    std::memcpy(out.back().data(), text.data(), text.size());
    paths.remove_prefix(std::min(end + 1, paths.size()));
  }
  return out;
}

// Most of what a loader believes stands in the first and the last bytes.
size_t choose_place(ByteChooser& choose, size_t size) {
  const auto within = [&](size_t n) {
    return static_cast<size_t>(choose.pick(static_cast<int>(std::min(n, size))));
  };
  switch (choose.pick(4)) {
    case 1:
      return within(64);
    case 2:
      return within(2048);
    case 3:
      return size - 1 - within(4096);
    default:
      return within(size);
  }
}

void damage(ByteChooser& choose, Object& object) {
  constexpr uint64_t kNumbers[] = {
      0,          1,          7,          0x100,    0xffff,     0x10000,
      0x7fffffff, 0xffffffff, 0x80000000, 1u << 30, 1ull << 32, 1ull << 47,
      1ull << 63, ~0ull,      ~0ull - 63, 0x1000,   0x1700,     0x100000000 - 4};
  if (object.empty()) return;
  const size_t at = choose_place(choose, object.size());
  const size_t rest = object.size() - at;
  switch (choose.pick(6)) {
    case 0:
      object[at] ^= static_cast<std::byte>(1 << choose.pick(8));
      break;
    case 1:
      object[at] = static_cast<std::byte>(choose.pick(256));
      break;
    case 2: {
      const size_t bytes = std::min(rest, size_t{1} << choose.pick(4));
      const uint64_t number = kNumbers[choose.pick(static_cast<int>(std::size(kNumbers)))];
      std::memcpy(&object[at], &number, bytes);
      break;
    }
    case 3: {
      const size_t bytes = std::min(rest, static_cast<size_t>(choose.pick(256)));
      const size_t from = choose_place(choose, object.size() - bytes + 1);
      std::memmove(&object[at], &object[std::min(from, object.size() - bytes)], bytes);
      break;
    }
    case 4:
      std::memset(&object[at], choose.pick(2) * 255,
                  std::min(rest, static_cast<size_t>(choose.pick(256))));
      break;
    default:
      object.resize(at);
  }
}

[[noreturn]] void silent(const char* what) {
  std::fprintf(stderr, "loader: %s without a reason\n", what);
  std::abort();
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
}

}  // namespace

FUZZ_TARGET(loader,
            "damaged code objects load, list and run to an end, or are refused with a reason") {
  static const std::vector<Object> whole = read_objects();
  if (bytes.empty()) return;
  Object object;
  ByteChooser choose(bytes.subspan(1));
  if (bytes[0] == 0) {
    const auto raw = std::as_bytes(bytes.subspan(1));
    object.assign(raw.begin(), raw.end());
  } else {
    object = whole[(bytes[0] - 1u) % whole.size()];
    for (int n = choose.pick(9); n > 0; --n) damage(choose, object);
  }
  const auto loaded = rdna::CodeObject::load(object);
  if (!loaded) {
    if (loaded.error().text.empty()) silent("a refusal");
    return;
  }
  const auto kernels = (*loaded)->kernels();
  for (size_t i = 0; i < std::min(kKernels, kernels.size()); ++i) {
    rdna::KernelCounts counts;
    counts.object = *loaded;
    counts.index = i;
    if (rdna::list_code(counts).code.empty()) silent("a listing");
    launch(choose, **loaded, kernels[i]);
  }
}

}  // namespace w4::fuzz
