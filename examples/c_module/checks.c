/* Every reason for which the example refuses a call, by the name of its clause: `w4check list
 * clauses` says what each of them forbids. A call that breaks several may be refused by any. */
#include <limits.h>

#include "skinny.h"

const char* const skinny_clauses[] = {
    "experts.none",      "act.rank",         "act.f16",      "weight.contiguous", "scale.dtype",
    "group.size",        "k.group",          "k.positive",   "n.positive",        "m.range",
    "scale.contiguous",  "zp.dtype",         "zp.octet",     "act.contiguous",    "bias.shape",
    "bias.dtype",        "bias.contiguous",  "out.contiguous", "index.width",     "align.act",
    "align.weight",      "align.scale",      "align.zp",     "align.bias",        "align.out",
    "tile.auto",
    /* of prepare.c */
    "source.octet",      "source.gidx",      "act.order",    "shard.range",       "shard.group",
    "shard.octet",       NULL};

#define REFUSE_UNLESS(legal, clause, ...)                                    \
  do {                                                                       \
    if (!(legal)) return skinny_refuse(device, clause, __VA_ARGS__);         \
  } while (0)

/* [rows,cols] without a pad. */
static int is(const w4_tensor* t, int64_t rows, int64_t cols) {
  return t->rank == 2 && t->dim[0] == rows && t->dim[1] == cols && t->stride[0] == cols &&
         t->stride[1] == 1;
}

static int check_zero_points(const w4_call* call, const w4_device* device, int64_t n,
                             int64_t groups) {
  const w4_tensor* zp = call->zp;
  if (zp == NULL) return 0;
  const int packed = zp->layout == W4_ZP_PACKED;
  REFUSE_UNLESS(packed || zp->layout == W4_ZP_UNPACKED, "zp.dtype",
                "zero points have layout %d; legal: packed, unpacked", (int)zp->layout);
  REFUSE_UNLESS(packed ? zp->dtype == W4_I32 || zp->dtype == W4_U32 : zp->dtype == W4_F16,
                "zp.dtype", "zero points have dtype %d; legal: i32 packed, f16 unpacked",
                (int)zp->dtype);
  REFUSE_UNLESS(!packed || n % 8 == 0, "zp.octet", "N = %lld; legal: multiples of 8",
                (long long)n);
  REFUSE_UNLESS(is(zp, packed ? n / 8 : n, groups), "scale.contiguous",
                "zero points are [%lld,%lld]; legal: rows without a pad", (long long)zp->dim[0],
                (long long)zp->dim[1]);
  REFUSE_UNLESS(zp->device % (packed ? 4 : 2) == 0, "align.zp", "zp is at %llx",
                (unsigned long long)zp->device);
  return 0;
}

static int check_bias(const w4_call* call, const w4_device* device, int64_t m, int64_t n) {
  const w4_tensor* bias = call->bias;
  if (bias == NULL) return 0;
  REFUSE_UNLESS(bias->dtype == W4_F16, "bias.dtype", "bias has dtype %d; legal: f16",
                (int)bias->dtype);
  const int64_t cols = bias->dim[bias->rank - 1], rows = bias->rank == 1 ? 1 : bias->dim[0];
  REFUSE_UNLESS((rows == 1 || rows == m) && (cols == n || (bias->rank == 2 && cols == 1)),
                "bias.shape", "bias is [%lld,%lld]; legal: [N], [1,N], [M,N], [1,1], [M,1]",
                (long long)rows, (long long)cols);
  REFUSE_UNLESS(bias->stride[bias->rank - 1] == 1 && (bias->rank == 1 || bias->stride[0] == cols),
                "bias.contiguous", "bias rows are %lld apart; legal: %lld",
                (long long)bias->stride[0], (long long)cols);
  REFUSE_UNLESS(bias->device % 2 == 0, "align.bias", "bias is at %llx",
                (unsigned long long)bias->device);
  return 0;
}

int skinny_check(const w4_call* call, const w4_device* device) {
  const w4_tensor *act = call->act, *wei = call->wei, *scale = call->scale, *out = call->out;
  REFUSE_UNLESS(call->expert_ids == NULL && call->sorted_ids == NULL && call->top_k == 1 &&
                    call->block_m == 1 && !call->silu,
                "experts.none", "there are experts; legal: none");
  REFUSE_UNLESS(act->rank == 2, "act.rank", "act has rank %d; legal: 2", (int)act->rank);
  REFUSE_UNLESS(act->dtype == W4_F16, "act.f16", "act has dtype %d; legal: f16", (int)act->dtype);
  REFUSE_UNLESS(call->tile == NULL, "tile.auto", "tile %s; legal: none", call->tile);
  const int64_t m = act->dim[0], k = act->dim[1], n = wei->dim[0], g = call->group_size;
  REFUSE_UNLESS(m >= 1 && m <= SKINNY_M, "m.range", "M = %lld; legal: 1 to %d", (long long)m,
                SKINNY_M);
  REFUSE_UNLESS(n >= 1, "n.positive", "N = %lld; legal: at least 1", (long long)n);
  REFUSE_UNLESS(k >= 1, "k.positive", "K = %lld; legal: at least 1", (long long)k);
  REFUSE_UNLESS(g == 32 || g == 64 || g == 128, "group.size", "G = %lld; legal: 32, 64, 128",
                (long long)g);
  REFUSE_UNLESS(k % g == 0, "k.group", "K = %lld; legal: multiples of %lld", (long long)k,
                (long long)g);
  REFUSE_UNLESS(n <= INT_MAX / 8 / k && m <= INT_MAX / 8 / k && m <= INT_MAX / 8 / n, "index.width",
                "M, N, K = %lld, %lld, %lld: products must fit 28 bits", (long long)m, (long long)n,
                (long long)k);
  REFUSE_UNLESS(wei->dtype == W4_I8 && wei->layout == W4_WEI_SHUFFLED && is(wei, n, k / 2),
                "weight.contiguous", "weights of layout %d; legal: shuffled i8 [N,K/2], no pad",
                (int)wei->layout);
  REFUSE_UNLESS(scale->dtype == W4_F16, "scale.dtype", "scale has dtype %d; legal: f16",
                (int)scale->dtype);
  REFUSE_UNLESS(is(scale, n, k / g), "scale.contiguous", "scale rows are %lld apart; legal: %lld",
                (long long)scale->stride[0], (long long)(k / g));
  if (check_zero_points(call, device, n, k / g) != 0) return 1;
  REFUSE_UNLESS(is(act, m, k), "act.contiguous", "act rows are %lld apart; legal: %lld",
                (long long)act->stride[0], (long long)k);
  if (check_bias(call, device, m, n) != 0) return 1;
  REFUSE_UNLESS(out->dtype == W4_F16 && is(out, m, n), "out.contiguous",
                "out rows are %lld apart; legal: %lld", (long long)out->stride[0], (long long)n);
  REFUSE_UNLESS(act->device % 16 == 0, "align.act", "act is at %llx",
                (unsigned long long)act->device);
  REFUSE_UNLESS(wei->device % 4 == 0, "align.weight", "wei is at %llx",
                (unsigned long long)wei->device);
  REFUSE_UNLESS(scale->device % 2 == 0, "align.scale", "scale is at %llx",
                (unsigned long long)scale->device);
  REFUSE_UNLESS(out->device % 2 == 0, "align.out", "out is at %llx",
                (unsigned long long)out->device);
  return 0;
}
