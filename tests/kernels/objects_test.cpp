// The code objects in the binary: complete, those of the host alike. What they hold is audited by
// `w4check audit code` (tests/campaign).
#include "kernels/objects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "devices/host_lane.h"
#include "kernels/expectations.h"

namespace w4 {
namespace {

std::vector<KernelObject> objects(bool host) {
  std::vector<KernelObject> out;
  std::ranges::copy_if(kernel_objects(), std::back_inserter(out), [&](const KernelObject& o) {
    return o.kernel == "decode" && (o.arch == "host") == host;
  });
  return out;
}

// The symbols of every instantiation of an object's dtype and group size.
std::set<std::string> symbols(const KernelObject& o) {
  std::set<std::string> out;
  for (const ExpectedKernel& k : decode_expectation().kernels(o.act, o.group_size)) {
    out.insert(k.symbol);
  }
  return out;
}

TEST(DecodeObjects, EveryArchHasEveryDtypeAndGroupSize) {
  size_t archs = 0;
  for (const char* const* a = kernel_archs(); *a != nullptr; a++) archs++;
  EXPECT_EQ(archs, size_t{W4_TEST_ARCHS});
  EXPECT_EQ(objects(false).size() + objects(true).size(), archs * 2 * 3);
}

TEST(DecodeObjects, OfTheHostHoldTheSame) {
  const auto all = objects(true);
  EXPECT_EQ(all.size(), 2u * 3);
  for (const KernelObject& o : all) {
    HostObject object{};
    ASSERT_EQ(o.bytes(), sizeof(object));
    std::memcpy(&object, o.begin, sizeof(object));
    EXPECT_EQ(object.magic, kHostObject);
    std::set<std::string> names;
    for (const HostKernel& k : std::span(object.kernels, object.count)) {
      names.insert(k.symbol);
      EXPECT_EQ(k.arg_bytes, decode_expectation().arg_bytes) << k.symbol;
    }
    EXPECT_EQ(names, symbols(o));
    EXPECT_EQ(names.size(), object.count);
  }
}

}  // namespace
}  // namespace w4
