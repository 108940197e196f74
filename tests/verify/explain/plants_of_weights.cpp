// Faults that preparation can plant: wrong codes, scales and zero points are what a kernel would
// make of the right ones by the wrong index.
#include <algorithm>

#include "tests/verify/explain/plant.h"

namespace w4::test {
namespace {

// Every scale and zero point from element `at(r, c)` of the tables as they were: {row of the scale
// table or of 8 rows of packed zero points, group} as one flat index.
template <class F>
Prepare tables(F at, bool scales = true, bool zeros = true) {
  return [=](Tensors& t) {
    std::vector<uint16_t> s;
    std::vector<uint32_t> z;
    for (int64_t r = 0; r < t.rows; ++r) {
      for (int64_t c = 0; c < t.groups; ++c) {
        const auto inside = [&](int64_t flat, int64_t table_rows) {
          return std::clamp<int64_t>(flat, 0, table_rows * t.stride - 1);
        };
        s.push_back(t.scale(inside(at(t, r, c), t.rows)));
        if (!t.has_zeros()) continue;
        const int64_t table_rows = t.packed() ? t.rows / 8 : t.rows;
        z.push_back(t.zero(r, inside(at(t, t.table_row(r), c), table_rows)));
      }
    }
    size_t i = 0;
    for (int64_t r = 0; r < t.rows; ++r) {
      for (int64_t c = 0; c < t.groups; ++c, ++i) {
        if (scales) t.set_scale(r, c, s[i]);
        if (zeros && t.has_zeros()) t.set_zero(r, c, z[i]);
      }
    }
  };
}

// Every code from row and column `from(t, r, k)`.
template <class F>
Prepare codes(F from) {
  return [=](Tensors& t) {
    std::vector<uint32_t> q;
    for (int64_t r = 0; r < t.rows; ++r) {
      for (int64_t k = 0; k < t.k; ++k) q.push_back(from(t, r, k));
    }
    for (int64_t r = 0; r < t.rows; ++r) {
      for (int64_t k = 0; k < t.k; ++k) t.set_code(r, k, q[static_cast<size_t>(r * t.k + k)]);
    }
  };
}

// Columns `gone(t, k)` add nothing.
template <class F>
Prepare without(F gone) {
  return codes([gone](const Tensors& t, int64_t r, int64_t k) {
    return gone(t, k) ? t.nothing(r, k) : t.code(r, k);
  });
}

// Every (row, group) of a tensor from what the tensors held before: `set` writes one of T.
template <class T, class F, class Set>
Prepare by_group(F from, Set set) {
  return [=](Tensors& t) {
    std::vector<T> values;
    for (int64_t r = 0; r < t.rows; ++r) {
      for (int64_t c = 0; c < t.groups; ++c) values.push_back(from(t, r, c));
    }
    for (int64_t r = 0; r < t.rows; ++r) {
      for (int64_t c = 0; c < t.groups; ++c) {
        set(t, r, c, values[static_cast<size_t>(r * t.groups + c)]);
      }
    }
  };
}

template <class F>
Prepare zeros(F from) {
  return by_group<uint32_t>(
      from, [](Tensors& t, int64_t r, int64_t c, uint32_t z) { t.set_zero(r, c, z); });
}

template <class F>
Prepare scales(F from) {
  return by_group<uint16_t>(
      from, [](Tensors& t, int64_t r, int64_t c, uint16_t s) { t.set_scale(r, c, s); });
}

// Rows of everything, as a store that misses its place.
template <class F>
Prepare rows(F from) {
  return [=](Tensors& t) {
    const auto row = [&](int64_t r) { return from(r % t.each, t.each) + r / t.each * t.each; };
    codes([&](const Tensors& x, int64_t r, int64_t k) { return x.code(row(r), k); })(t);
    if (t.has_zeros()) {
      zeros([&](const Tensors& x, int64_t r, int64_t c) { return x.zero_of(row(r), c); })(t);
    }
    scales([&](const Tensors& x, int64_t r, int64_t c) { return x.scale(row(r) * x.stride + c); })(
        t);
  };
}

constexpr int kAwq[8] = {0, 2, 4, 6, 1, 3, 5, 7};

int64_t awq(int64_t v) { return (v & ~int64_t{7}) + kAwq[v & 7]; }

std::vector<Plant> make() {
  const std::string dense = "decode m=3 n=40 k=512 g=64 zp=packed bias=n";
  const std::string plain = "decode m=2 n=24 k=1024 g=64 act=bf16";
  const std::string many = "prefill m=20 n=40 k=512 g=64 zp=packed";
  std::vector<Plant> all;
  const auto add = [&](std::string name, std::string hypothesis, std::vector<std::string> lines,
                       Prepare prepare, std::vector<std::string> pattern = {}) {
    all.push_back({std::move(name),
                   std::move(hypothesis),
                   std::move(lines),
                   std::move(prepare),
                   {},
                   std::move(pattern)});
  };
  using T = const Tensors&;
  add("g64_as_128", "group.size", {dense, plain, many},
      tables([](T t, int64_t r, int64_t c) { return r * t.stride + c * 64 / 128; }));
  add("group_0", "group.first", {dense, plain, many},
      tables([](T t, int64_t r, int64_t) { return r * t.stride; }));
  add("tile_of_two_groups", "group.tile", {dense, plain, many},
      tables([](T t, int64_t r, int64_t c) { return r * t.stride + c / 2 * 2; }));
  add("g64_as_128_with_stride", "group.size_and_stride", {dense, plain},
      tables([](T t, int64_t r, int64_t c) { return r * (t.k / 128) + c / 2; }));
  add("stride_halved", "group.stride", {dense, plain},
      tables([](T t, int64_t r, int64_t c) { return r * (t.stride / 2) + c; }));
  const std::string long_k = "decode m=2 n=16 k=2048 g=32 zp=packed";
  add("clamped_to_g", "group.past_g", {long_k},
      tables([](T t, int64_t r, int64_t c) { return r * t.stride + std::min<int64_t>(c, 31); }));
  add("nothing_past_g", "group.past_g", {long_k, "decode n=24 k=2304 g=32 act=bf16"},
      scales([](T t, int64_t r, int64_t c) {
        return c < 32 ? t.scale(r * t.stride + c) : uint16_t{0};
      }));
  add("groups_restart", "group.restart", {dense, plain},
      tables([](T t, int64_t r, int64_t c) { return r * t.stride + c % (t.groups / 2); }));
  add("next_group", "group.neighbour", {dense, plain}, tables([](T t, int64_t r, int64_t c) {
        return r * t.stride + std::min(c + 1, t.groups - 1);
      }));
  const std::string steps = "decode m=2 n=40 k=1536 g=64";
  add("groups_of_a_step_twice_over", "group.advance", {steps, steps + " zp=unpacked act=bf16"},
      tables([](T t, int64_t r, int64_t c) { return r * t.stride + c / 8 * 64 + c % 8; }));
  add("two_steps_at_once", "group.advance", {steps, steps + " zp=packed"},
      tables([](T t, int64_t r, int64_t c) { return r * t.stride + c / 8 * 16 + c % 8; }));
  add("no_zero_points_past_128", "group.past_g",
      {"decode n=8 k=4160 g=32 zp=packed", "chunked m=2 n=8 k=4352 g=32 zp=packed act=bf16"},
      zeros([](T t, int64_t r, int64_t c) { return c < 128 ? t.zero_of(r, c) : 0; }));

  const std::string unpacked = "decode m=2 n=24 k=512 g=64 zp=unpacked act=bf16";
  add("zp_eight", "zp.ignored", {dense, unpacked}, zeros([](T, int64_t, int64_t) { return 8u; }));
  add("zp_none", "zp.none", {dense, unpacked}, zeros([](T, int64_t, int64_t) { return 0u; }));
  add("zp_integers", "zp.none", {unpacked, "prefill m=9 n=64 k=256 g=64 zp=unpacked"},
      [](Tensors& t) {
        for (int64_t r = 0; r < t.rows; ++r) {
          for (int64_t c = 0; c < t.groups; ++c)
            t.set_zero_bits(r, c, static_cast<uint16_t>(t.zero_of(r, c)));
        }
      });
  add("zp_sixteen_for_zero", "zp.off_by_one", {"decode m=2 n=64 k=512 g=64 zp=unpacked"},
      zeros([](T t, int64_t r, int64_t c) {
        const uint32_t z = t.zero_of(r, c);
        return z == 0 ? 16 : z;
      }));
  add("zp_sixteen_in_a_word", "zp.off_by_one",
      {"decode m=2 n=64 k=2048 g=32 zp=packed fill=uniform"}, zeros([](T t, int64_t r, int64_t c) {
        return t.zero_of(r, c) | (r % 8 != 0 && t.zero_of(r - 1, c) == 0 ? 1 : 0);
      }));
  add("zp_plus_one", "zp.off_by_one", {dense, many},
      zeros([](T t, int64_t r, int64_t c) { return (t.zero_of(r, c) + 1) & 15; }));
  add("zp_plus_one_numbers", "zp.off_by_one", {unpacked},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(r, c) + 1; }));
  add("zp_awq_order", "zp.octet_order", {dense, unpacked},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(awq(r), c); }));
  add("zp_of_octet", "zp.first_of_octet", {dense, unpacked},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(r & ~int64_t{7}, c); }));
  add("zp_of_group_0", "zp.first_group", {dense, unpacked},
      zeros([](T t, int64_t r, int64_t) { return t.zero_of(r, 0); }));
  add("zp_once_a_tile", "zp.first_group", {dense, unpacked},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(r, c & ~int64_t{1}); }));
  add("zp_once_a_step", "zp.first_group", {"decode m=2 n=24 k=1088 g=32 zp=unpacked act=bf16"},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(r, c & ~int64_t{15}); }));
  add("zp_transposed", "zp.transposed", {"decode m=2 n=64 k=512 g=64 zp=packed"},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(c * 8 + r % 8, r / 8); }));
  add("zp_of_next_channel", "zp.neighbour", {dense, unpacked},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(std::min(r + 1, t.rows - 1), c); }));
  add("zp_without_pad", "zp.stride_without_pad", {"decode m=2 n=32 k=512 g=64 zp=packed spad=3"},
      zeros([](T t, int64_t r, int64_t c) { return t.zero(r, t.table_row(r) * t.groups + c); }));

  // Nibble i of a sequential word is at slot i; slot (0 4 1 5 2 6 3 7)[k] of a shuffled one has k.
  add("wei_in_sequence", "wei.order_along_k", {dense, plain, many},
      codes([](T t, int64_t r, int64_t k) {
        constexpr int slot[8] = {0, 4, 1, 5, 2, 6, 3, 7};
        return t.code(r, (k & ~int64_t{7}) + slot[k & 7]);
      }));
  add("wei_nibbles_swapped", "wei.nibbles_of_a_byte", {dense, plain},
      codes([](T t, int64_t r, int64_t k) { return t.code(r, k ^ 2); }));
  add("wei_halves_swapped", "wei.order_in_a_word", {dense, plain},
      codes([](T t, int64_t r, int64_t k) { return t.code(r, k ^ 1); }));
  add("wei_awq_along_n", "wei.order_along_n", {dense, plain},
      codes([](T t, int64_t r, int64_t k) { return t.code(awq(r), k); }));
  add("wei_without_pad", "wei.stride", {"decode m=2 n=32 k=512 g=64 wpad=32"},
      codes([](T t, int64_t r, int64_t k) {
        const int64_t half = t.k / 2, padded = half + 32, flat = r * half + k / 8 * 4;
        const int64_t column = flat % padded * 2 + k % 8;
        return column >= t.k ? 0 : t.code(flat / padded, column);
      }));
  add("wei_pad_counted", "wei.stride", {"decode m=2 n=32 k=512 g=64 wpad=32"},
      codes([](T t, int64_t r, int64_t k) {
        const int64_t half = t.k / 2, flat = r * (half + 32) + k / 8 * 4;
        return flat / half >= t.rows ? 0 : t.code(flat / half, flat % half * 2 + k % 8);
      }));
  add("wei_of_next_row", "wei.neighbour_row", {dense, plain},
      codes([](T t, int64_t r, int64_t k) { return t.code(std::min(r + 1, t.rows - 1), k); }));
  add("wei_without_offset", "wei.signed", {dense, plain},
      codes([](T t, int64_t r, int64_t k) { return t.code(r, k) ^ 8; }));
  add("wei_transposed", "wei.transposed", {"decode m=2 n=128 k=128 g=32 zp=packed"},
      codes([](T t, int64_t r, int64_t k) { return t.code(k, r); }));
  add("wei_words_transposed", "wei.transposed", {"decode m=2 n=64 k=512 g=64 zp=packed"},
      codes([](T t, int64_t r, int64_t k) { return t.code(k / 8, 8 * r + k % 8); }));
  add("wei_words_along_n_transposed", "wei.transposed", {"decode m=2 n=512 k=64 g=32"},
      codes([](T t, int64_t r, int64_t k) { return t.code(8 * k + r % 8, r / 8); }));

  add("scale_of_next_row", "scale.neighbour", {dense, plain}, scales([](T t, int64_t r, int64_t c) {
        return t.scale(std::min(r + 1, t.rows - 1) * t.stride + c);
      }));
  add("scale_of_next_group", "scale.neighbour", {dense}, scales([](T t, int64_t r, int64_t c) {
        return t.scale(r * t.stride + std::min(c + 1, t.groups - 1));
      }));
  add("scale_of_row_0", "scale.first", {dense, plain},
      scales([](T t, int64_t, int64_t c) { return t.scale(c); }));
  add("scale_without_pad", "scale.stride_without_pad",
      {"decode m=2 n=32 k=512 g=64 zp=packed spad=3", "decode m=2 n=32 k=512 g=64 spad=5"},
      scales([](T t, int64_t r, int64_t c) { return t.scale(r * t.groups + c); }));
  add("scale_transposed", "scale.transposed", {dense, plain}, scales([](T t, int64_t r, int64_t c) {
        const int64_t flat = r * t.groups + c;
        return t.scale(flat % t.rows * t.stride + flat / t.rows);
      }));
  add("scale_doubled", "scale.exponent", {dense, many}, scales([](T t, int64_t r, int64_t c) {
        return static_cast<uint16_t>(t.scale(r * t.stride + c) + (1 << 10));
      }));
  // 1 and 2 as bf16 are 0x3F80 and 0x4000: as fp16 1.875 and 2.
  add("scale_bf16_as_f16", "scale.other_type", {"decode m=2 n=24 k=512 g=64 act=bf16 zp=packed"},
      scales([](T t, int64_t r, int64_t c) {
        const uint16_t bits = t.scale(r * t.stride + c);
        const int e = bits >> 10 & 31;
        // bf16 has room for 7 of the 10 bits; those that fills use have no more.
        return static_cast<uint16_t>((bits & 0x8000) | (e - 15 + 127) << 7 | (bits & 1023) >> 3);
      }));
  add("scale_missing", "scale.not_once", {dense},
      scales([](T, int64_t, int64_t) { return uint16_t{0x3C00}; }));

  add("k_last", "k.tail_dropped", {dense, "decode m=3 n=24 k=576 g=64 act=bf16 zp=packed"},
      without([](T t, int64_t k) { return k == t.k - 1; }));
  add("k_last_chunk", "k.tail_dropped", {"decode m=3 n=24 k=576 g=64 zp=packed"},
      without([](T t, int64_t k) { return k >= t.k - 16; }));
  add("k_ragged_step", "k.tail_dropped", {"decode m=2 n=24 k=1216 g=64 bias=n"},
      without([](T, int64_t k) { return k >= 1024; }));
  add("k_first_group", "k.head_dropped", {dense, plain},
      without([](T, int64_t k) { return k < 64; }));
  add("lane_5", "k.lanes_missing", {dense, plain},
      without([](T, int64_t k) { return k / 16 % 32 == 5; }));
  add("upper_lanes", "k.lanes_missing", {dense, plain},
      without([](T, int64_t k) { return k / 16 % 32 >= 16; }));
  add("step_1", "k.step_skipped", {"decode m=2 n=24 k=2048 g=64 zp=packed"},
      without([](T, int64_t k) { return k / 512 == 1; }));
  add("last_group_twice", "k.counted_twice", {dense, "decode m=1 n=24 k=256 g=64 zp=packed"},
      scales([](T t, int64_t r, int64_t c) {
        return static_cast<uint16_t>(t.scale(r * t.stride + c) + (c == t.groups - 1 ? 1 << 10 : 0));
      }));
  add("parts_of_half_a_step", "k.counted_twice", {"decode m=2 n=24 k=1024 g=64 zp=packed"},
      scales([](T t, int64_t r, int64_t c) {
        return static_cast<uint16_t>(t.scale(r * t.stride + c) + (c >= 4 ? 1 << 10 : 0));
      }));
  add("past_the_lds_array", "act.lds_truncated", {"decode n=8 k=36864 g=128"},
      without([](T, int64_t k) { return k >= 32768; }));

  const std::string no_bias = "decode m=3 n=40 k=512 g=64 zp=packed";
  add("columns_in_awq_order", "out.column_order", {no_bias, many},
      rows([](int64_t r, int64_t) { return awq(r); }));
  add("columns_shifted", "out.shifted", {no_bias, "decode m=2 n=40 k=512 g=64"},
      rows([](int64_t r, int64_t n) { return (r + 8) % n; }));
  add("channels_in_awq_order", "wei.whole_rows", {dense, "prefill m=9 n=40 k=256 g=64 bias=n"},
      rows([](int64_t r, int64_t) { return awq(r); }));
  add("channels_shifted", "wei.whole_rows", {dense},
      rows([](int64_t r, int64_t n) { return (r + 8) % n; }));
  add("all_zero", "out.value", {no_bias}, without([](T, int64_t) { return true; }));
  add("bias_alone", "out.value", {dense}, without([](T, int64_t) { return true; }));

  const std::string layer = "moe m=5 n=16 k=256 g=64 zp=packed experts=4 topk=2 blockm=2";
  add("next_expert", "moe.expert", {layer}, [](Tensors& t) {
    const auto next = [](T x, int64_t r) {
      return std::min(r + x.each, x.rows - x.each + r % x.each);
    };
    codes([&](T x, int64_t r, int64_t k) { return x.code(next(x, r), k); })(t);
    zeros([&](T x, int64_t r, int64_t c) { return x.zero_of(next(x, r), c); })(t);
    scales([&](T x, int64_t r, int64_t c) { return x.scale(next(x, r) * x.stride + c); })(t);
  });
  add("last_expert_is_none", "moe.expert", {layer}, codes([](T t, int64_t r, int64_t k) {
        return r / t.each == t.rows / t.each - 1 ? t.nothing(r, k) : t.code(r, k);
      }));
  add("scales_of_expert_0", "moe.shared_tables", {layer},
      scales([](T t, int64_t r, int64_t c) { return t.scale(r % t.each * t.stride + c); }));
  add("zeros_of_expert_0", "moe.shared_tables",
      {layer, "moe_prefill m=40 n=32 k=256 g=64 zp=packed experts=4 topk=2 blockm=16"},
      zeros([](T t, int64_t r, int64_t c) { return t.zero_of(r % t.each, c); }));

  // Kinds that no hypothesis has.
  add("zp_of_one_group", "", {"decode m=3 n=40 k=512 g=64 zp=packed"},
      zeros([](T t, int64_t r, int64_t c) {
        const uint32_t z = t.zero_of(r, c);
        return c == 3 ? z ^ 1 : z;
      }),
      {"every row, every column", "only k = 192..255 carry the error (G = 64, K = 512)"});
  add("k_4_to_7_of_32", "", {"decode m=3 n=40 k=512 g=32"},
      without([](T, int64_t k) { return k % 32 >= 4 && k % 32 < 8; }),
      {"every group of K carries the error, in the first one k = 4..7 of 32"});
  return all;
}

}  // namespace

std::span<const Plant> plants_of_weights() {
  static const std::vector<Plant> all = make();
  return all;
}

}  // namespace w4::test
