// Damaged code objects: bytes choose a whole object and what happens to it (a cut, flipped bits,
// wrong numbers, moved blocks), or are the object themselves. Loading, listing and a short launch
// under every check must each end, with a reason where they refuse.
#include <algorithm>
#include <cstring>

#include "fuzz/broken_code.h"
#include "fuzz/target.h"

namespace w4::fuzz {
namespace {

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

}  // namespace

FUZZ_TARGET(loader,
            "damaged code objects load, list and run to an end, or are refused with a reason") {
  if (bytes.empty()) return;
  Object object;
  ByteChooser choose(bytes.subspan(1));
  if (bytes[0] == 0) {
    const auto raw = std::as_bytes(bytes.subspan(1));
    object.assign(raw.begin(), raw.end());
  } else {
    object = whole_objects()[(bytes[0] - 1u) % whole_objects().size()];
    for (int n = choose.pick(9); n > 0; --n) damage(choose, object);
  }
  load_and_launch(object, choose);
}

}  // namespace w4::fuzz
