#include "campaign/suites/refusals.h"

#include <array>

namespace w4 {
namespace {

constexpr std::array kLines{
    RefusalLine{"experts.none", "decode m=2 experts=2"},
    RefusalLine{"experts.none", "decode m=2 blockm=4"},
    RefusalLine{"experts.none", "decode m=2 silu=1"},
    RefusalLine{"weight.stride", "decode m=2 wpad=-16"},
    RefusalLine{"weight.stride", "decode m=2 wpad=2"},
    RefusalLine{"act.rank", "decode m=4 lead=2"},
    RefusalLine{"act.dtype", "decode m=2 act=f32"},
    RefusalLine{"scale.dtype", "decode m=2 sdt=f32"},
    RefusalLine{"scale.dtype", "decode m=2 act=bf16 sdt=f16"},
    RefusalLine{"group.size", "decode m=2 g=16"},
    RefusalLine{"group.size", "decode m=2 g=256"},
    RefusalLine{"group.size", "decode m=2 g=0"},
    RefusalLine{"k.group", "decode m=1 k=96 g=64"},
    RefusalLine{"k.group", "decode m=5 k=1216 g=128 zp=packed"},
    RefusalLine{"scale.stride", "decode m=2 spad=-1"},
    RefusalLine{"zp.dtype", "decode m=2 zp=packed zdt=f16"},
    RefusalLine{"zp.dtype", "decode m=2 zp=unpacked zdt=i32"},
    RefusalLine{"zp.octet", "decode m=2 n=12 zp=packed"},
    RefusalLine{"zp.octet", "decode m=5 n=65 zp=packed bias=n"},
    RefusalLine{"k.step", "decode m=1 k=200 g=64"},
    RefusalLine{"lds.limit", "decode m=5 n=16 k=8192"},
    RefusalLine{"lds.limit", "decode m=1 n=16 k=39424 lds=163840"},
    RefusalLine{"act.contiguous", "decode m=2 lda=272"},
    RefusalLine{"act.contiguous", "decode m=1 lda=512"},
    RefusalLine{"m.range", "decode m=0"},
    RefusalLine{"m.range", "decode m=6"},
    RefusalLine{"n.positive", "decode m=2 n=0"},
    RefusalLine{"k.positive", "decode m=2 k=0"},
    RefusalLine{"bias.shape", "decode m=2 bias=5"},
    RefusalLine{"bias.shape", "decode m=3 bias=2xn"},
    RefusalLine{"bias.dtype", "decode m=2 bias=n bdt=f32"},
    RefusalLine{"bias.contiguous", "decode m=2 bias=mxn ldb=80"},
    RefusalLine{"bias.contiguous", "decode m=2 bias=n ldb=2"},
    RefusalLine{"out.contiguous", "decode m=2 ldy=80"},
    RefusalLine{"out.contiguous", "decode m=1 ldy=80"},
    RefusalLine{"cus.positive", "decode m=2 cus=0"},
    RefusalLine{"cus.positive", "decode m=2 cus=-1"},
    RefusalLine{"lds.device", "decode m=2 lds=32768"},
    RefusalLine{"lds.device", "decode m=2 lds=65535"},
    RefusalLine{"align.act", "decode m=2 aoff=2"},
    RefusalLine{"align.act", "decode m=1 aoff=8"},
    RefusalLine{"align.weight", "decode m=2 woff=2"},
    RefusalLine{"align.scale", "decode m=2 soff=1"},
    RefusalLine{"align.zp", "decode m=2 zp=packed zoff=2"},
    RefusalLine{"align.zp", "decode m=2 zp=unpacked zoff=1"},
    RefusalLine{"align.bias", "decode m=2 bias=n boff=1"},
    RefusalLine{"align.out", "decode m=2 yoff=1"},
    RefusalLine{"tile.legal", "decode m=2 tile=y3u4a16w16"},
    RefusalLine{"source.octet", "decode m=2 n=12 src=awq"},
    RefusalLine{"source.gidx", "decode m=2 src=awq gidx=sequential"},
    RefusalLine{"act.order", "decode m=2 src=gptq1 gidx=act"},
    RefusalLine{"act.order", "decode m=2 src=gptq2 zp=packed k=128 gidx=act k0=128"},
    RefusalLine{"shard.range", "decode m=2 src=ct n0=-8"},
    RefusalLine{"shard.group", "decode m=2 src=ct k0=64"},
    RefusalLine{"shard.octet", "decode m=2 src=awq n0=4"},
    RefusalLine{"shard.octet", "decode m=2 src=ct zp=packed n0=4 k0=128"},
};

}  // namespace

std::span<const RefusalLine> refusal_lines() { return kLines; }

}  // namespace w4
