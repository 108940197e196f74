// Control flow: loops, divergence, switches, early exits, grids of every shape. Answers: control.cpp.
#include "tests/rdna/programs/mini.h"

extern "C" {

__global__ void nested_branches(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = 0;
  if (x & 1) {
    if (x & 2) {
      r = x * 3;
      if (x & 4) r ^= 0x55;
    } else {
      r = x + 11;
    }
  } else if (x % 3 == 0) {
    r = x / 3;
  } else {
    r = x & 8 ? x >> 2 : ~x;
  }
  out[global_id()] = r;
}

// Dense cases: a jump table or a chain of compares.
__global__ void dense_switch(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = x;
  switch (x & 15) {
    case 0: r = x * 7; break;
    case 1: r = x + 3; break;
    case 2: r ^= 0xff; [[fallthrough]];
    case 3: r += 100; break;
    case 4: r = x << 3; break;
    case 5: r = x >> 5; break;
    case 6: r = x * x; break;
    case 7: r = ~x; [[fallthrough]];
    case 8: r -= 9; [[fallthrough]];
    case 9: r = r * 2 + 1; break;
    case 11: r = x % 1000; break;
    case 12: r = x / 7; break;
    default: r = x ^ x >> 1;
  }
  out[global_id()] = r;
}

__global__ void sparse_switch(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = 1;
  switch (x % 5000) {
    case 0: case 17: r = 2; break;
    case 100: r = 3; break;
    case 999: r = 4; break;
    case 3: case 4: case 5: r = x; break;
    case 4999: r = 5; break;
  }
  out[global_id()] = r;
}

// The whole wave takes one case: scalar branches.
__global__ void uniform_switch(const u32* in, u32* out) {
  const u32 which = static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(thread() / 32 + block())));
  u32 r = in[global_id()];
  switch (which % 6) {
    case 0: r += 1; break;
    case 1: r *= 3; break;
    case 2: r ^= r >> 7; break;
    case 3: r = r << 9 | r >> 23; break;
    case 4: r -= which; break;
    case 5: r = ~r; break;
  }
  out[global_id()] = r;
}

__global__ void break_and_continue(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 s = 0;
  for (u32 i = 0; i < 64; ++i) {
    if ((x >> (i & 31) & 1) == 0) continue;
    s += i * i;
    if (s > 5000) break;
    for (u32 j = 0; j < i; ++j) {
      if ((j ^ x) % 7 == 3) break;
      s ^= j << 3;
    }
  }
  out[global_id()] = s;
}

__global__ void do_while(const u32* in, u32* out) {
  u32 x = in[global_id()] | 1, n = 0;
  do {
    x = x * 1664525 + 1013904223;
    ++n;
  } while ((x >> 24) > 20 && n < 60);
  out[global_id()] = x + n;
}

// Lanes, and one whole wave, leave before the rest works on.
__global__ void early_return(const u32* in, u32* out, u32 limit) {
  const u32 i = global_id();
  if (i >= limit) return;
  if (thread() / 32 == 2 && block() == 1) {
    out[i] = 77;
    return;
  }
  if (in[i] % 5 == 0) {
    out[i] = 5;
    return;
  }
  u32 r = in[i];
  for (u32 k = 0; k < in[i] % 13; ++k) r = r * 5 + k;
  out[i] = r;
}

__global__ void grid_stride(const u32* in, u32* out, u32 n) {
  for (u32 i = global_id(); i < n; i += blocks() * threads()) out[i] = in[i] * 3 + i;
}

__global__ void two_dimensions(const u32* in, u32* out, u32 width, u32 height) {
  const u32 x = __builtin_amdgcn_workgroup_id_x() * 16 + __builtin_amdgcn_workitem_id_x();
  const u32 y = __builtin_amdgcn_workgroup_id_y() * 8 + __builtin_amdgcn_workitem_id_y();
  if (x < width && y < height) out[x * height + y] = in[y * width + x] + x * 1000 + y;
}

__global__ void three_dimensions(u32* out) {
  const u32 x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
  const u32 y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y();
  const u32 z = __builtin_amdgcn_workgroup_id_z() * __builtin_amdgcn_workgroup_size_z() + __builtin_amdgcn_workitem_id_z();
  // Grid (3, 2, 2) of blocks (4, 3, 5).
  out[(z * 6 + y) * 12 + x] = x | y << 8 | z << 16;
}

__global__ void short_circuit(const u32* in, u32* out) {
  const u32 x = in[global_id()], y = in[(global_id() + 1) % 512];
  u32 r = 0;
  if ((x > y && x % (y | 1) > 3) || (x < 100 && y != 0 && x / y == 2)) r = x - y;
  if (!(x & 1) && (y & 1 || x > 0x80000000u)) r += 0x1000;
  r ^= x == y ? 1 : x > y ? (x & 2 ? 2 : 3) : (y & 4 ? 4 : 5);
  out[global_id()] = r;
}

// States by goto: a control flow graph that is no tree of loops.
__global__ void state_machine(const u32* in, u32* out) {
  u32 x = in[global_id()], n = 0;
start:
  if (++n > 40) goto done;
  if (x % 4 == 0) goto halve;
  if (x % 4 == 3) goto mix;
  x += 5;
  goto start;
halve:
  x >>= 1;
  if (x == 0) goto done;
  if (x & 1) goto mix;
  goto start;
mix:
  x = x * 13 + n;
  if (x % 11 == 0) goto done;
  if (n & 1) goto halve;
  goto start;
done:
  out[global_id()] = x ^ n << 20;
}

__global__ void triangular_loops(const u32* in, u32* out) {
  const u32 n = in[global_id()] % 12;
  u32 s = 0;
  for (u32 i = 0; i < n; ++i) {
    for (u32 j = i; j < n; ++j) {
      for (u32 k = j; k < n; k += 2) s += i * j + k;
    }
  }
  out[global_id()] = s;
}

__global__ void binary_search(const u32* sorted, const u32* keys, u32* out) {
  u32 low = 0, high = 512;
  const u32 key = keys[global_id()];
  while (low < high) {
    const u32 mid = (low + high) / 2;
    if (sorted[mid] < key) low = mid + 1; else high = mid;
  }
  out[global_id()] = low;
}

__global__ void checked(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  const u32 r = x / 3 + 1;
  if (r == 0 || r > 0x55555556u) __builtin_trap();
  if (x % 3 > 2) __builtin_trap();
  out[global_id()] = r;
}

__global__ void loop_of_64_bits(const u64* in, u32* out) {
  u64 i = in[global_id()] % 5000000000ul;
  u32 n = 0;
  for (u64 end = i + 0x300000000ul; i < end; i += 0x12345678ul) n += static_cast<u32>(i >> 30) + 1;
  out[global_id()] = n;
}

// Trip counts from scalar memory, and a loop whose body only some waves enter.
__global__ void uniform_loops(const u32* in, u32* out) {
  const u32 trips = in[block()] % 9 + 2;
  u32 s = thread();
  for (u32 i = 0; i < trips; ++i) {
    const u32 k = in[i + block() * 8];
    if (k & 1) {
      for (u32 j = 0; j < (k >> 1 & 7); ++j) s = s * 7 + j;
    } else {
      s ^= k;
    }
  }
  out[global_id()] = s;
}
}
