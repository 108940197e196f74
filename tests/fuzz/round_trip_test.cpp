// The round trip of weights sees what a preparation may get wrong.
#include "fuzz/round_trip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "fuzz/inputs.h"
#include "kernels/lookup.h"
#include "kernels/table.h"

namespace w4 {
namespace {

using testing::HasSubstr;

const w4_kernel& built_in(const char* row) { return *find_kernel(builtin_module(), row); }

Case line(const std::string& text) {
  const auto c = parse_case(text);
  EXPECT_TRUE(c) << text;
  return *c;
}

// Prepares as the built-in row does, then damages what it made. One at a time.
std::function<void(w4_prepared&)> damage;
w4_kernel liar(const char* row) {
  w4_kernel k = built_in(row);
  k.data = &built_in(row);
  k.prepare = [](const w4_kernel* self, const w4_source* source, const w4_device* device,
                 w4_prepared* out) {
    const auto& honest = *static_cast<const w4_kernel*>(self->data);
    const int result = honest.prepare(&honest, source, device, out);
    if (result == 0) damage(*out);
    return result;
  };
  return k;
}

std::string told(const std::string& text, std::function<void(w4_prepared&)> how) {
  const Case c = line(text);
  damage = std::move(how);
  return fuzz::wrong_preparation(c, liar(c.kernel.c_str()), 1).value_or("nothing");
}

uint8_t* bytes_of_row(w4_tensor& t, int64_t row, int64_t element) {
  return static_cast<uint8_t*>(t.host) + row * t.stride[t.rank - 2] * element;
}

TEST(RoundTrip, HonestPreparationsPass) {
  Draw draw(1);
  for (int i = 0; i < 400; ++i) {
    std::vector<uint8_t> bytes(kInputBytes);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(draw(256));
    const auto [c, more] = fuzz::preparation_input(bytes);
    const auto bad = fuzz::wrong_preparation(c, built_in(c.kernel.c_str()), more);
    EXPECT_FALSE(bad) << *bad << "\n" << to_string(c);
  }
}

TEST(RoundTrip, SeesDamage) {
  const std::string packed = "decode n=16 k=128 g=32 zp=packed src=gptq1 wpad=4 spad=1";
  EXPECT_EQ(told(packed, [](w4_prepared&) {}), "nothing");
  EXPECT_THAT(told(packed, [](w4_prepared& p) { bytes_of_row(p.wei, 3, 1)[7] ^= 0x10; }),
              HasSubstr("weights have code"));
  EXPECT_THAT(told(packed, [](w4_prepared& p) { bytes_of_row(p.wei, 3, 1)[64] = 1; }),
              HasSubstr("pads of weights"));
  EXPECT_THAT(told(packed, [](w4_prepared& p) { bytes_of_row(p.scale, 2, 2)[3] ^= 1; }),
              HasSubstr("scales have bits"));
  EXPECT_THAT(told(packed, [](w4_prepared& p) { bytes_of_row(p.zp, 1, 4)[0] ^= 4; }),
              HasSubstr("zero points are"));
  EXPECT_THAT(told(packed, [](w4_prepared& p) { p.zp.host = nullptr; }),
              HasSubstr("no zero points"));
  EXPECT_THAT(told(packed, [](w4_prepared& p) { p.wei.layout = W4_WEI_SEQUENTIAL; }),
              HasSubstr("asked for"));
  EXPECT_THAT(told(packed, [](w4_prepared& p) { --p.wei.dim[0]; }), HasSubstr("bytes"));
  EXPECT_THAT(told("decode n=9 k=64 g=32", [](w4_prepared& p) { p.zp = p.scale; }),
              HasSubstr("symmetric"));
  EXPECT_THAT(told("prefill_dense n=8 k=64 g=32 act=bf16 src=awq",
                   [](w4_prepared& p) { bytes_of_row(p.wei, 1, 2)[0] ^= 1; }),
              HasSubstr("dense weights have bits"));
  EXPECT_THAT(told("prefill_carrier n=8 k=64 g=32 zp=packed cpad=1",
                   [](w4_prepared& p) { bytes_of_row(p.carrier, 1, 4)[3] ^= 0x40; }),
              HasSubstr("the carrier is"));
  EXPECT_THAT(told("moe m=2 n=8 k=64 g=32 zp=packed src=ct experts=3 topk=2",
                   [](w4_prepared& p) {
                     std::swap(bytes_of_row(p.wei, 8, 1)[0], bytes_of_row(p.wei, 16, 1)[0]);
                   }),
              HasSubstr("weights have code"));
}

TEST(RoundTrip, SeesARefusal) {
  w4_kernel k = built_in("decode");
  k.prepare = [](const w4_kernel*, const w4_source*, const w4_device* device, w4_prepared*) {
    device->refuse(device->self, "k.step", "no");
    return 1;
  };
  EXPECT_EQ(fuzz::wrong_preparation(line("decode n=8"), k, 0).value_or(""),
            "a legal source is refused, k.step: no");
}

}  // namespace
}  // namespace w4
