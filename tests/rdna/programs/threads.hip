// A grid whose workgroups compute for a while; workgroup `at` (or all from it on) does something
// that one thread and several must see alike.
#include "tests/rdna/programs/mini.h"

enum Kind {
  kClean,
  kForeignElement,   // writes what the workgroup before it owns
  kAtomic,           // from `at` on: counts
  kReadsOthers,      // reads what workgroup 0 wrote
  kInPlace,          // from `at` on: reads its own elements of the output first
  kUndefined,        // stores LDS that nobody wrote
  kOutOfBounds,
  kTrap,
  kLong,             // does not end for long
  kTwice,            // from `at` on: the same lane writes its element twice
  kLdsRace,
  kBytes,            // stores single bytes
  kTwoOwners,        // two lanes of it write one element
  kAcrossBarrier,    // wave 1 writes what wave 0 wrote before a barrier
  kLastWins,         // every workgroup writes element 0 of the shared row
  kReciprocal,       // from `at` on: an instruction whose evidence is weak (kTrap: after `at`)
  kUnaligned,        // from `at` on: 4-byte stores at odd addresses
};

struct __attribute__((packed)) Loose {
  u32 x;
};

extern "C" __global__ __launch_bounds__(64) void apart(const u32* in, u32* out, u32* shared, int kind,
                                                       u32 at, u32 rounds) {
  __shared__ u32 row[64];
  const u32 i = global_id(), t = thread(), b = block();
  const bool me = b == at, from = b >= at;
  u32 x = in[i];
  for (u32 n = 0; n < (kind == kLong && me ? 1u << 30 : rounds); ++n) x = x * 1664525u + 1013904223u;
  if (kind == kUndefined && me) x += row[t ^ 1];
  if (kind == kLdsRace && me) {
    row[t] = x;
    x += row[t ^ 32];
  }
  if (kind == kTrap && me) __builtin_trap();
  if ((kind == kReciprocal && from) || (kind == kTrap && b > at)) x += __builtin_bit_cast(u32, __builtin_amdgcn_rcpf(__builtin_bit_cast(float, x | 1)));
  if (kind == kReadsOthers && me) x += *(volatile u32*)&out[t];
  if (kind == kInPlace && from) x += *(volatile u32*)&shared[i + 64];
  if (kind == kBytes) {
    for (u32 k = 0; k < 4; ++k) ((volatile u8*)out)[i * 4 + k] = static_cast<u8>(x >> 8 * k);
  } else if (kind == kUnaligned && from) {
    ((Loose*)((u8*)shared + 257))[i].x = x;
    out[i] = x;
  } else {
    if (kind == kTwice && from) *(volatile u32*)&out[i] = x + 1;
    *(volatile u32*)&out[i] = x;
  }
  if (kind == kForeignElement && me && b) out[i - 64] = x;
  if (kind == kOutOfBounds && me && t == 7) out[1 << 20] = x;
  if (kind == kTwoOwners && me) shared[t / 2] = x;
  if (kind == kLastWins) shared[0] = x;
  if (kind == kAtomic && from) __hip_atomic_fetch_add(&shared[0], x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  if (kind == kAcrossBarrier && me) {
    if (t < 32) *(volatile u32*)&shared[t] = x;
    barrier();
    if (t >= 32) *(volatile u32*)&shared[t - 32] = x;
  }
}
