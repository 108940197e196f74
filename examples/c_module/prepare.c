/* Weights of a checkpoint, in any of the formats that the case line's src= names, as the kernel
 * reads them: [N,K/2] in shuffled order, scales [N,K/G], zero points as the caller wants them. One
 * code at a time, by the index of each format: plain before fast. */
#include <string.h>

#include "skinny.h"

/* Nibble i of a word holds code kOrder[i]: of shuffled words along K, of AWQ words along N. */
static unsigned slot_of(int64_t i) { return (unsigned)(i / 2 + i % 2 * 4); }

static uint32_t word_at(const w4_tensor* t, int64_t row, int64_t col) {
  uint32_t w;
  memcpy(&w, (const char*)t->host + 4 * (row * t->stride[0] + col), 4);
  return w;
}

static unsigned code(const w4_source* s, int64_t n, int64_t k) {
  const w4_tensor* t = s->wei;
  uint32_t w;
  switch (t->layout) {
    case W4_WEI_AWQ:
      return word_at(t, k, n / 8) >> (4 * slot_of(n % 8)) & 15;
    case W4_WEI_GPTQ:
      return word_at(t, k / 8, n) >> (4 * (k % 8)) & 15;
    case W4_WEI_SEQUENTIAL:
      return word_at(t, n, k / 8) >> (4 * (k % 8)) & 15;
    default: /* shuffled, in bytes */
      memcpy(&w, (const char*)t->host + n * t->stride[0] + k / 8 * 4, 4);
      return w >> (4 * slot_of(k % 8)) & 15;
  }
}

/* Of packed formats; GPTQ v1 stores z - 1. */
static unsigned zero(const w4_tensor* t, int64_t n, int64_t g) {
  switch (t->layout) {
    case W4_ZP_AWQ:
      return word_at(t, g, n / 8) >> (4 * slot_of(n % 8)) & 15;
    case W4_ZP_GPTQ_V1:
      return ((word_at(t, g, n / 8) >> (4 * (n % 8)) & 15) + 1) & 15;
    case W4_ZP_GPTQ_V2:
      return word_at(t, g, n / 8) >> (4 * (n % 8)) & 15;
    default:
      return word_at(t, n / 8, g) >> (4 * (n % 8)) & 15;
  }
}

static uint16_t half_at(const w4_tensor* t, int64_t row, int64_t col) {
  uint16_t v;
  memcpy(&v, (const char*)t->host + 2 * (row * t->stride[0] + col), 2);
  return v;
}

static w4_tensor make(const w4_device* device, w4_dtype dtype, w4_layout layout, int64_t rows,
                      int64_t cols, int64_t element) {
  const w4_tensor t = {.dtype = dtype,
                       .layout = layout,
                       .rank = 2,
                       .dim = {rows, cols},
                       .stride = {cols, 1},
                       .bytes = (uint64_t)(rows * cols * element),
                       .host = device->host_alloc(device->self, (size_t)(rows * cols * element))};
  return t;
}

static int check(const w4_source* s, const w4_device* device) {
  const int along_n = s->wei->layout == W4_WEI_AWQ ||
                      (s->zp != NULL && !s->symmetric && s->zp->layout != W4_ZP_UNPACKED);
  if (s->experts != 0) return skinny_refuse(device, "experts.none", "a source of experts");
  if (s->group_size < 1) return skinny_refuse(device, "group.size", "G is less than 1");
  if (s->n < 1) return skinny_refuse(device, "n.positive", "N is less than 1");
  if (s->k < 1) return skinny_refuse(device, "k.positive", "K is less than 1");
  if (s->k % s->group_size != 0 || s->k % 8 != 0) {
    return skinny_refuse(device, "k.group", "K = %lld; legal: multiples of G and 8",
                         (long long)s->k);
  }
  if (s->weight_row_pad_bytes != 0) {
    return skinny_refuse(device, "weight.contiguous", "a pad of weight rows; legal: none");
  }
  if (s->scale_row_pad != 0) {
    return skinny_refuse(device, "scale.contiguous", "a pad of scale rows; legal: none");
  }
  if (s->n0 < 0 || s->k0 < 0) return skinny_refuse(device, "shard.range", "starts before 0");
  if (s->k0 % s->group_size != 0) {
    return skinny_refuse(device, "shard.group", "starts at column %lld", (long long)s->k0);
  }
  if (along_n && s->n0 % 8 != 0) {
    return skinny_refuse(device, "shard.octet", "starts at row %lld", (long long)s->n0);
  }
  if (along_n && s->wei->layout != W4_WEI_SHUFFLED && s->n % 8 != 0) {
    return skinny_refuse(device, "source.octet", "N = %lld; legal: multiples of 8",
                         (long long)s->n);
  }
  if (along_n && s->n % 8 != 0) {
    return skinny_refuse(device, "zp.octet", "N = %lld; legal: multiples of 8", (long long)s->n);
  }
  if (s->g_idx != NULL && s->wei->layout != W4_WEI_GPTQ) {
    return skinny_refuse(device, "source.gidx", "a g_idx beside other weights than GPTQ's");
  }
  for (int64_t k = s->k0; s->g_idx != NULL && k < s->k0 + s->k; k++) {
    if (((const int32_t*)s->g_idx->host)[k] != k / s->group_size) {
      return skinny_refuse(device, "act.order", "g_idx[%lld] is not k div G", (long long)k);
    }
  }
  return 0;
}

static w4_tensor zero_points(const w4_source* s, const w4_device* device) {
  const int64_t groups = s->k / s->group_size, g0 = s->k0 / s->group_size;
  if (s->zp_wanted == W4_ZP_PACKED) {
    const w4_tensor out = make(device, W4_I32, W4_ZP_PACKED, s->n / 8, groups, 4);
    uint32_t* words = out.host;
    for (int64_t n = 0; n < s->n; n++) {
      for (int64_t g = 0; g < groups; g++) {
        words[n / 8 * groups + g] |= (uint32_t)zero(s->zp, s->n0 + n, g0 + g) << (4 * (n % 8));
      }
    }
    return out;
  }
  const w4_tensor out = make(device, W4_F16, W4_ZP_UNPACKED, s->n, groups, 2);
  for (int64_t n = 0; n < s->n; n++) {
    for (int64_t g = 0; g < groups; g++) {
      const int64_t row = s->n0 + n, group = g0 + g;
      if (s->zp->layout == W4_ZP_UNPACKED) {
        ((uint16_t*)out.host)[n * groups + g] = half_at(s->zp, row, group);
      } else {
        ((_Float16*)out.host)[n * groups + g] = (_Float16)(float)zero(s->zp, row, group);
      }
    }
  }
  return out;
}

int skinny_prepare(const w4_kernel* self, const w4_source* s, const w4_device* device,
                   w4_prepared* out) {
  (void)self;
  if (check(s, device) != 0) return 1;
  const int64_t groups = s->k / s->group_size, g0 = s->k0 / s->group_size;
  memset(out, 0, sizeof *out);
  out->wei = make(device, W4_I8, W4_WEI_SHUFFLED, s->n, s->k / 2, 1);
  for (int64_t n = 0; n < s->n; n++) {
    uint32_t* words = (uint32_t*)((char*)out->wei.host + n * (s->k / 2));
    for (int64_t k = 0; k < s->k; k++) {
      words[k / 8] |= (uint32_t)code(s, s->n0 + n, s->k0 + k) << (4 * slot_of(k % 8));
    }
  }
  out->scale = make(device, s->scale->dtype, W4_DENSE, s->n, groups, 2);
  const int transposed = s->scale->layout == W4_SCALE_TRANSPOSED;
  for (int64_t n = 0; n < s->n; n++) {
    for (int64_t g = 0; g < groups; g++) {
      const int64_t row = s->n0 + n, group = g0 + g;
      ((uint16_t*)out->scale.host)[n * groups + g] =
          transposed ? half_at(s->scale, group, row) : half_at(s->scale, row, group);
    }
  }
  if (!s->symmetric) out->zp = zero_points(s, device);
  return 0;
}
