// Files that may hold device code, the bytes as they are: whatever they claim, reading ends, what
// is taken out lies in the file or in memory of its own, and what is refused has a reason.
#include "intake/fatbin.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "fuzz/target.h"

namespace w4::fuzz {
namespace {

[[noreturn]] void wrong(const char* what) {
  std::fprintf(stderr, "fatbin: %s\n", what);
  std::abort();
}

void look_at(std::span<const FatObject> objects, std::span<const std::byte> file) {
  unsigned sum = 0;
  for (const FatObject& o : objects) {
    if (!o.owner && !o.bytes.empty() &&
        (o.bytes.data() < file.data() ||
         o.bytes.data() + o.bytes.size() > file.data() + file.size()))
      wrong("an object outside the file");
    for (const std::byte b : o.bytes) sum += static_cast<unsigned>(b);
  }
  static std::atomic<unsigned> sink;  // so that the bytes are read
  sink = sum;
}

}  // namespace

FUZZ_TARGET(fatbin, "files that may hold device code are read to an end or refused with a reason") {
  const auto file = std::as_bytes(bytes);
  const Fatbin all = read_fatbin(file);
  look_at(all.objects, file);
  for (const std::string& p : all.problems) {
    if (p.empty()) wrong("a problem without a reason");
  }
  uint64_t taken = 0;
  const auto first = read_bundle(file, &taken);
  if (!first) {
    if (first.error().text.empty()) wrong("a refusal without a reason");
    return;
  }
  look_at(*first, file);
  if (taken == 0 || taken > file.size()) wrong("a bundle of no length, or longer than the file");
}

}  // namespace w4::fuzz
