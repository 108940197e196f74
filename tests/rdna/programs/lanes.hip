// Values between lanes: every kind of shuffle, ballots, scans and reductions of a wave.
// Answers: lanes.cpp.
#include "tests/rdna/programs/mini.h"

static inline __device__ i32 shuffle(i32 x, u32 from) { return __builtin_amdgcn_ds_bpermute(static_cast<i32>(from << 2), x); }
static inline __device__ u32 as_u32(i32 x) { return static_cast<u32>(x); }
static inline __device__ u32 ballot(bool b) { return __builtin_amdgcn_ballot_w32(b); }

template <int kControl, int kRows = 15, int kBanks = 15, bool kZero = true>
static inline __device__ i32 dpp(i32 old, i32 x) {
  return __builtin_amdgcn_update_dpp(old, x, kControl, kRows, kBanks, kZero);
}

extern "C" {

__global__ void shuffle_by_index(const i32* in, const u32* index, i32* out) {
  out[global_id()] = shuffle(in[global_id()], index[global_id()] & 31);
}

__global__ void shuffle_push(const i32* in, u32* out) {
  const u32 to = (lane() * 11 + 5) & 31;
  out[global_id()] = as_u32(__builtin_amdgcn_ds_permute(static_cast<i32>(to << 2), in[global_id()]));
}

__global__ void shuffle_up_down_xor(const i32* in, u32* out) {
  const i32 x = in[global_id()];
  const u32 l = lane();
  u32 r = as_u32(shuffle(x, l >= 3 ? l - 3 : l)) * 3;
  r += as_u32(shuffle(x, l + 7 < 32 ? l + 7 : l)) * 5;
  r ^= as_u32(shuffle(x, l ^ 21));
  out[global_id()] = r;
}

__global__ void swizzles(const i32* in, u32* out) {
  const i32 x = in[global_id()];
  u32 r = as_u32(__builtin_amdgcn_ds_swizzle(x, 0x041f));       // xor 1
  r = r * 3 + as_u32(__builtin_amdgcn_ds_swizzle(x, 0x401f));   // xor 16
  r = r * 3 + as_u32(__builtin_amdgcn_ds_swizzle(x, 0x7c1f));   // reverse 32
  r = r * 3 + as_u32(__builtin_amdgcn_ds_swizzle(x, 0x0018));   // broadcast first of eight
  r = r * 3 + as_u32(__builtin_amdgcn_ds_swizzle(x, 0x0060 | 0x1c));  // or 3
  r = r * 3 + as_u32(__builtin_amdgcn_ds_swizzle(x, 0x8000 | 0x1b));  // quads reversed
  r = r * 3 + as_u32(__builtin_amdgcn_ds_swizzle(x, 0x8000 | 0x50));  // quads 0 0 1 1
  out[global_id()] = r;
}

__global__ void dpp_quads_and_mirrors(const i32* in, u32* out) {
  const i32 x = in[global_id()];
  u32 r = as_u32(dpp<0x1b>(0, x));
  r = r * 3 + as_u32(dpp<0x50>(0, x));
  r = r * 3 + as_u32(dpp<0x140>(0, x));
  r = r * 3 + as_u32(dpp<0x141>(0, x));
  out[global_id()] = r;
}

__global__ void dpp_rows(const i32* in, u32* out) {
  const i32 x = in[global_id()];
  u32 r = as_u32(dpp<0x101>(0, x));          // row_shl 1, zeros in
  r = r * 3 + as_u32(dpp<0x113>(0, x));      // row_shr 3
  r = r * 3 + as_u32(dpp<0x125>(0, x));      // row_ror 5
  r = r * 3 + as_u32(dpp<0x153>(0, x));      // row_share 3
  r = r * 3 + as_u32(dpp<0x166>(0, x));      // row_xmask 6
  r = r * 3 + as_u32(dpp<0x112, 15, 15, false>(77, x));  // row_shr 2, the old value in
  out[global_id()] = r;
}

__global__ void dpp_masks(const i32* in, u32* out) {
  const i32 x = in[global_id()];
  u32 r = as_u32(dpp<0x140, 0x1, 0xf>(-5, x));
  r = r * 3 + as_u32(dpp<0x140, 0xf, 0x6>(-6, x));
  r = r * 3 + as_u32(dpp<0x111, 0x2, 0x9, false>(-7, x));
  out[global_id()] = r;
}

__global__ void dpp_eights(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = __builtin_amdgcn_mov_dpp8(x, 0x05397 | 6 << 15 | 2 << 18 | 0 << 21);
  r = r * 3 + __builtin_amdgcn_mov_dpp8(x, 0xfac688);  // identity
  out[global_id()] = r;
}

__global__ void permute_rows(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = __builtin_amdgcn_permlane16(0, x, 0x01234567, 0x89abcdef, false, false);
  r = r * 3 + __builtin_amdgcn_permlanex16(0, x, 0xfedcba98, 0x76543210, false, false);
  r = r * 3 + __builtin_amdgcn_permlane16(0, x, 0x33333333, 0xcccccccc, true, false);
  out[global_id()] = r;
}

__global__ void read_lanes(const u32* in, u32* out) {
  const i32 x = static_cast<i32>(in[global_id()]);
  const i32 first = __builtin_amdgcn_readfirstlane(x);
  const i32 fixed = __builtin_amdgcn_readlane(x, 13);
  const i32 chosen = __builtin_amdgcn_readlane(x, first & 31);
  out[global_id()] = as_u32(first) + as_u32(fixed) * 3 + as_u32(chosen) * 5;
}

__global__ void first_of_the_active(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = x;
  if (x % 3 == 1) r = as_u32(__builtin_amdgcn_readfirstlane(static_cast<i32>(x))) * 2 + 1;
  out[global_id()] = r;
}

__global__ void ballots(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  const u32 odd = ballot(x & 1), large = ballot(x > 0x10000);
  u32 r = odd ^ large << 1;
  if (x % 3 == 0) r += ballot(x & 2) * 7;
  r += odd == ~0u ? 1u : odd != 0 ? 2u : 3u;
  out[global_id()] = r + static_cast<u32>(__builtin_popcount(odd)) * 1000;
}

// Kept elements move to the front of their wave.
__global__ void compaction(const u32* in, u32* out) {
  const u32 x = in[global_id()], wave = global_id() / 32 * 32;
  const bool keep = x % 3 != 0;
  const u32 mask = ballot(keep);
  const u32 before = __builtin_amdgcn_mbcnt_lo(mask, 0), kept = static_cast<u32>(__builtin_popcount(mask));
  const u32 dropped = __builtin_amdgcn_mbcnt_hi(0, __builtin_amdgcn_mbcnt_lo(~mask, 0));
  out[wave + (keep ? before : kept + dropped)] = x;
}

__global__ void wave_scan(const u32* in, u32* out) {
  i32 x = static_cast<i32>(in[global_id()]);
  x += dpp<0x111>(0, x);
  x += dpp<0x112>(0, x);
  x += dpp<0x114>(0, x);
  x += dpp<0x118>(0, x);
  // The last of the first row, for the second row.
  const i32 carry = static_cast<i32>(__builtin_amdgcn_permlanex16(0, as_u32(x), ~0u, ~0u, true, false));
  out[global_id()] = as_u32(x) + (lane() >= 16 ? as_u32(carry) : 0);
}

__global__ void wave_reduction_f32(const float* in, float* out) {
  float x = in[global_id()];
  for (u32 m = 16; m; m >>= 1) x += __builtin_bit_cast(float, shuffle(__builtin_bit_cast(i32, x), lane() ^ m));
  if (lane() == 0) out[global_id() / 32] = x;
}

__global__ void wave_maximum_64(const u64* in, u64* out) {
  u64 x = in[global_id()];
  for (u32 m = 1; m < 32; m <<= 1) {
    const u64 y = as_u32(shuffle(static_cast<i32>(x), lane() ^ m)) | static_cast<u64>(as_u32(shuffle(static_cast<i32>(x >> 32), lane() ^ m))) << 32;
    x = x > y ? x : y;
  }
  out[global_id()] = x;
}

// A loop over the distinct values of a wave: the first lane's value, its peers, the next.
__global__ void distinct_values(const u32* in, u32* out) {
  const u32 x = in[global_id()] % 7;
  u32 turn = 0, r = 0;
  for (bool done = false; !done;) {
    const u32 v = as_u32(__builtin_amdgcn_readfirstlane(static_cast<i32>(x)));
    ++turn;
    if (x == v) {
      r = ballot(true) + turn;
      done = true;
    }
  }
  out[global_id()] = r;
}

__global__ void shuffle_among_some(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = x;
  // The lower half of each wave works alone.
  if (lane() < 16) {
    r = as_u32(shuffle(static_cast<i32>(x), 15 - lane())) * 3;
    r += as_u32(dpp<0x140>(0, static_cast<i32>(x)));
  }
  out[global_id()] = r;
}
}
