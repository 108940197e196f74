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

std::vector<KernelObject> objects(std::string_view kernel, bool host) {
  std::vector<KernelObject> out;
  std::ranges::copy_if(kernel_objects(), std::back_inserter(out), [&](const KernelObject& o) {
    return o.kernel == kernel && (o.arch == "host") == host;
  });
  return out;
}

TEST(KernelObjects, EveryArchHasEveryDtypeAndGroupSize) {
  size_t archs = 0, all = 0;
  for (const char* const* a = kernel_archs(); *a != nullptr; a++) archs++;
  EXPECT_EQ(archs, size_t{W4_TEST_ARCHS});
  for (const Expectation& e : expectations()) {
    const size_t each = 2 * e.groups.size();
    EXPECT_EQ(objects(e.kernel, false).size(), (archs - 1) * each) << e.kernel;
    EXPECT_EQ(objects(e.kernel, true).size(), each) << e.kernel;
    all += archs * each;
  }
  EXPECT_EQ(kernel_objects().size(), all);  // and each has an expectation
}

TEST(KernelObjects, OfTheHostHoldTheSame) {
  for (const Expectation& e : expectations()) {
    for (const KernelObject& o : objects(e.kernel, true)) {
      HostObject object{};
      ASSERT_EQ(o.bytes(), sizeof(object));
      std::memcpy(&object, o.begin, sizeof(object));
      EXPECT_EQ(object.magic, kHostObject);
      std::set<std::string> names, want;
      for (const HostKernel& k : std::span(object.kernels, object.count)) {
        names.insert(k.symbol);
        EXPECT_EQ(k.arg_bytes, e.arg_bytes) << k.symbol;
      }
      for (const ExpectedKernel& k : e.kernels(o.act, o.group_size)) want.insert(k.symbol);
      EXPECT_EQ(names, want);
      EXPECT_EQ(names.size(), object.count);
    }
  }
}

}  // namespace
}  // namespace w4
