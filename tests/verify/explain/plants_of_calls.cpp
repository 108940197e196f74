// Faults that the call can plant: other pointers, shapes and strides than the right ones, and calls
// in pieces, each of which computes a part of the output as a faulty kernel would.
#include <algorithm>

#include "tests/verify/explain/plant.h"

namespace w4::test {
namespace {

constexpr int64_t kHalf = 2;  // bytes of an activation

// A call with tensors of its own, to be changed.
struct Piece {
  w4_tensor act, wei, scale, zp, bias, out;
  w4_call call;

  explicit Piece(const w4_call& c) : call(c) {
    const auto take = [](w4_tensor& own, const w4_tensor*& at) {
      if (at == nullptr) return;
      own = *at;
      at = &own;
    };
    take(act, call.act), take(wei, call.wei), take(scale, call.scale), take(zp, call.zp);
    take(bias, call.bias), take(out, call.out);
  }
  Piece(const Piece&) = delete;

  // Only row m of act, bias and out.
  void row(int64_t m) {
    act.device += static_cast<uint64_t>(m * act.stride[0] * kHalf);
    out.device += static_cast<uint64_t>(m * out.stride[0] * kHalf);
    act.dim[0] = out.dim[0] = 1;
    if (call.bias != nullptr && bias.rank == 2 && bias.dim[0] > 1) {
      bias.device += static_cast<uint64_t>(m * bias.stride[0] * kHalf);
      bias.dim[0] = 1;
    }
  }
  // Only columns first to first+count-1; one row, no packed zero points unless in whole octets.
  void columns(int64_t first, int64_t count) {
    wei.device += static_cast<uint64_t>(first * wei.stride[0]);
    scale.device += static_cast<uint64_t>(first * scale.stride[0] * kHalf);
    wei.dim[0] = scale.dim[0] = out.dim[1] = out.stride[0] = count;
    out.device += static_cast<uint64_t>(first * kHalf);
    if (call.zp != nullptr) {
      const bool packed = zp.layout == W4_ZP_PACKED;
      zp.device += static_cast<uint64_t>((packed ? first / 8 * 4 : first * kHalf) * zp.stride[0]);
      zp.dim[0] = packed ? count / 8 : count;
    }
    bias_columns(first, count);
  }
  void bias_columns(int64_t first, int64_t count) {
    if (call.bias == nullptr || bias.dim[bias.rank - 1] == 1) return;
    bias.device += static_cast<uint64_t>(first * kHalf);
    bias.dim[bias.rank - 1] = count;
    if (bias.rank == 2) bias.stride[0] = count;
  }
};

// One call a row, changed by `change(piece, m)`, which says false for a row that is left out.
template <class F>
RunPlant by_row(F change) {
  return [change](const w4_call& c, const RunInner& inner) {
    for (int64_t m = 0; m < c.act->dim[0]; ++m) {
      Piece p(c);
      if (!change(p, m)) continue;
      if (const int stopped = inner(p.call)) return stopped;
    }
    return 0;
  };
}

// One call an element, changed by `change(piece, m, n)`.
template <class F>
RunPlant by_element(F change) {
  return [change](const w4_call& c, const RunInner& inner) {
    for (int64_t m = 0; m < c.act->dim[0]; ++m) {
      for (int64_t n = 0; n < c.out->dim[1]; ++n) {
        Piece p(c);
        p.row(m);
        p.columns(n, 1);
        if (!change(p, m, n)) continue;
        if (const int stopped = inner(p.call)) return stopped;
      }
    }
    return 0;
  };
}

RunPlant once(void (*change)(Piece& p)) {
  return [change](const w4_call& c, const RunInner& inner) {
    Piece p(c);
    change(p);
    return inner(p.call);
  };
}

void bias_from(Piece& p, const w4_call& whole, int64_t column) {
  p.bias.device = whole.bias->device + static_cast<uint64_t>(column * kHalf);
}

// One call a block of rows of a layer of experts.
template <class F>
RunPlant by_block(F change) {
  return [change](const w4_call& c, const RunInner& inner) {
    const int64_t blocks = c.expert_ids->dim[0];
    for (int64_t b = 0; b < blocks; ++b) {
      w4_tensor experts = *c.expert_ids, sorted{};
      const auto step = [](w4_tensor& t, int64_t by, int64_t count) {
        t.device += static_cast<uint64_t>(by * 4);
        t.dim[0] = count;
      };
      w4_call part = c;
      part.expert_ids = &experts;
      if (c.sorted_ids != nullptr) {
        sorted = *c.sorted_ids;
        part.sorted_ids = &sorted;
        step(sorted, b * c.block_m, c.block_m);
      }
      step(experts, change(b, blocks), 1);
      if (const int stopped = inner(part)) return stopped;
    }
    return 0;
  };
}

std::vector<Plant> make() {
  std::vector<Plant> all;
  const auto add = [&](std::string name, std::string hypothesis, std::vector<std::string> lines,
                       RunPlant run, std::vector<std::string> pattern = {}) {
    all.push_back({std::move(name),
                   std::move(hypothesis),
                   std::move(lines),
                   {},
                   std::move(run),
                   std::move(pattern)});
  };
  const std::string biased = "decode m=3 n=40 k=256 g=64 zp=packed bias=n";
  const std::string rows = "decode m=4 n=24 k=256 g=64 bias=mxn";
  const std::string plain = "decode m=4 n=24 k=256 g=64 act=bf16 zp=packed";
  const std::string symmetric = "decode m=2 n=24 k=256 g=64 bias=n";

  add("bias_dropped", "bias.ignored",
      {biased, rows, "prefill m=20 n=40 k=256 g=64 bias=n act=bf16"},
      once([](Piece& p) { p.call.bias = nullptr; }));
  add("bias_row_0", "bias.row_0", {rows, "decode m=4 n=24 k=256 g=64 bias=mx1"},
      by_row([](Piece& p, int64_t m) {
        const uint64_t first = p.bias.device;
        p.row(m);
        p.bias.device = first;
        return true;
      }));
  add("bias_in_awq_order", "bias.octet_order", {symmetric},
      [](const w4_call& c, const RunInner& inner) {
        return by_element([&c](Piece& p, int64_t, int64_t n) {
          constexpr int order[8] = {0, 2, 4, 6, 1, 3, 5, 7};
          bias_from(p, c, n / 8 * 8 + order[n % 8]);
          return true;
        })(c, inner);
      });
  add("bias_of_next_channel", "bias.neighbour", {symmetric},
      [](const w4_call& c, const RunInner& inner) {
        return by_element([&c](Piece& p, int64_t, int64_t n) {
          bias_from(p, c, std::min(n + 1, c.out->dim[1] - 1));
          return true;
        })(c, inner);
      });
  add("bias_of_channel_0", "bias.first_channel", {symmetric},
      [](const w4_call& c, const RunInner& inner) {
        return by_element([&c](Piece& p, int64_t, int64_t) {
          bias_from(p, c, 0);
          return true;
        })(c, inner);
      });
  add("act_of_row_0", "act.other_row", {biased, plain}, by_row([](Piece& p, int64_t m) {
        const uint64_t first = p.act.device;
        p.row(m);
        p.act.device = first;
        return true;
      }));
  add("last_row_stale", "act.other_row", {biased, plain}, by_row([](Piece& p, int64_t m) {
        const bool last = m + 1 == p.act.dim[0];
        const uint64_t first = p.act.device;
        p.row(m);
        if (last) p.act.device = first + static_cast<uint64_t>((m - 1) * p.act.stride[0] * kHalf);
        return true;
      }));
  add("act_without_lda", "act.stride_k", {"prefill m=8 n=40 k=256 g=64 lda=512"},
      once([](Piece& p) { p.act.stride[0] = p.act.dim[1]; }));
  // Row m of act [L,T,K] is row m*T, or none.
  add("act_stride_of_lead", "act.stride_of_lead", {"hybrid m=6 lead=3 n=16 k=256 g=64"},
      [](const w4_call& c, const RunInner& inner) {
        const int64_t each = c.act->dim[1], rows = c.act->dim[0] * each;
        for (int64_t m = 0; m < rows; ++m) {
          w4_tensor act = *c.act, out = *c.out;
          act.rank = out.rank = 2;
          act.dim[0] = out.dim[0] = 1;
          act.dim[1] = c.act->dim[2], out.dim[1] = c.out->dim[2];
          act.stride[0] = act.dim[1], out.stride[0] = out.dim[1];
          act.stride[1] = out.stride[1] = 1;
          const int64_t from = m * each < rows ? m * each : 0;
          act.device += static_cast<uint64_t>(from * act.dim[1] * kHalf);
          out.device += static_cast<uint64_t>(m * out.dim[1] * kHalf);
          w4_call part = c;
          part.act = &act, part.out = &out;
          if (const int stopped = inner(part)) return stopped;
        }
        return 0;
      });
  add("rows_swapped", "out.rows", {plain, rows}, [](const w4_call& c, const RunInner& inner) {
    return by_row([&c](Piece& p, int64_t m) {
      p.row(m);
      p.out.device = c.out->device + static_cast<uint64_t>((m ^ 1) * c.out->stride[0] * kHalf);
      return true;
    })(c, inner);
  });
  add("rows_reversed", "out.rows", {plain}, [](const w4_call& c, const RunInner& inner) {
    return by_row([&c](Piece& p, int64_t m) {
      p.row(m);
      p.out.device = c.out->device + static_cast<uint64_t>((3 - m) * c.out->stride[0] * kHalf);
      return true;
    })(c, inner);
  });
  add("rows_of_halves_of_a_wave", "out.rows", {"prefill m=32 n=24 k=256 g=64"},
      [](const w4_call& c, const RunInner& inner) {
        return by_row([&c](Piece& p, int64_t m) {
          p.row(m);
          const int64_t at = m - m % 16 + m % 2 * 8 + m % 16 / 2;
          p.out.device = c.out->device + static_cast<uint64_t>(at * c.out->stride[0] * kHalf);
          return true;
        })(c, inner);
      });
  add("odd_rows_unwritten", "out.unwritten", {plain, rows}, by_row([](Piece& p, int64_t m) {
        p.row(m);
        return m % 2 == 0;
      }));
  add("last_columns_unwritten", "out.unwritten",
      {"decode m=3 n=40 k=256 g=64 zp=packed", "decode m=1 n=24 k=256 g=64 bias=n"},
      by_row([](Piece& p, int64_t m) {
        p.row(m);
        p.columns(0, p.wei.dim[0] - 8);
        return true;
      }));
  add("one_element_written", "", {"decode m=3 n=24 k=256 g=64"},
      by_row([](Piece& p, int64_t m) {  // but for one element: a call has to launch
        p.row(m);
        p.columns(0, 1);
        return m == 0;
      }),
      {"71 of 72 elements are wrong", "all wrong elements were never written"});
  add("stored_transposed", "out.transposed", {"decode m=3 n=16 k=256 g=64 act=bf16"},
      [](const w4_call& c, const RunInner& inner) {
        return by_element([&c](Piece& p, int64_t m, int64_t n) {
          p.out.device = c.out->device + static_cast<uint64_t>((n * c.act->dim[0] + m) * kHalf);
          return true;
        })(c, inner);
      });
  add("words_as_halves", "zp.words_read_as_halves", {"decode m=2 n=32 k=512 g=64 zp=packed"},
      once([](Piece& p) {
        p.zp.layout = W4_ZP_UNPACKED;
        p.zp.dtype = p.act.dtype;
        p.zp.dim[0] = p.wei.dim[0];
      }));
  const std::string layer = "moe m=5 n=16 k=256 g=64 zp=packed experts=4 topk=2 blockm=2";
  add("expert_of_next_block", "moe.block", {layer, "moe m=6 n=16 k=256 g=64 experts=6 topk=1"},
      by_block([](int64_t b, int64_t blocks) { return std::min(b + 1, blocks - 1); }));
  // Its last block is one row.
  add("last_row_of_the_block_before", "act.other_row",
      {"moe m=5 n=16 k=256 g=64 experts=1 topk=1 blockm=2 rows=contiguous"},
      [](const w4_call& c, const RunInner& inner) {
        for (int64_t m = 0; m < c.out->dim[0]; ++m) {
          w4_tensor act = *c.act, out = *c.out, experts = *c.expert_ids;
          const int64_t from = m == c.out->dim[0] - 1 ? m - 2 : m;
          act.device += static_cast<uint64_t>(from * act.stride[0] * kHalf);
          out.device += static_cast<uint64_t>(m * out.stride[0] * kHalf);
          act.dim[0] = out.dim[0] = experts.dim[0] = 1;
          w4_call part = c;
          part.act = &act, part.out = &out, part.expert_ids = &experts, part.block_m = 1;
          if (const int stopped = inner(part)) return stopped;
        }
        return 0;
      });
  // 1.4 GiB of weights, nearly all of it pads: row 3 begins at code 2148000192.
  add("row_offset_wraps", "wei.offset_32_bits", {"decode n=4 k=64 g=64 wpad=358000000"},
      [](const w4_call& c, const RunInner& inner) {
        return by_element([&c](Piece& p, int64_t, int64_t n) {
          const auto codes = static_cast<uint32_t>(2 * n * c.wei->stride[0]);
          p.wei.device =
              c.wei->device + static_cast<uint64_t>(int64_t{static_cast<int32_t>(codes)} / 2);
          return true;
        })(c, inner);
      });
  add("every_slot_token_0", "moe.slot_for_token",
      {"moe m=2 n=16 k=256 g=64 experts=8 topk=2 blockm=1"},
      [](const w4_call& c, const RunInner& inner) {
        w4_call part = c;
        w4_tensor act = *c.act;
        act.dim[0] = 1;
        part.act = &act;
        part.top_k = c.out->dim[0];
        return inner(part);
      });
  add("up_alone", "moe.gate", {"moe m=3 n=16 k=256 g=64 experts=4 topk=1 silu=1 rows=contiguous"},
      [](const w4_call& c, const RunInner& inner) {
        for (int64_t b = 0; b < c.expert_ids->dim[0]; ++b) {
          w4_tensor act = *c.act, out = *c.out, experts = *c.expert_ids;
          const int64_t k = act.dim[1] / 2;
          act.device += static_cast<uint64_t>((b * act.stride[0] + k) * kHalf);
          out.device += static_cast<uint64_t>(b * out.stride[0] * kHalf);
          experts.device += static_cast<uint64_t>(4 * b);
          act.dim[0] = out.dim[0] = experts.dim[0] = 1;
          act.dim[1] = act.stride[0] = k;
          w4_call part = c;
          part.act = &act, part.out = &out, part.expert_ids = &experts, part.silu = 0;
          if (const int stopped = inner(part)) return stopped;
        }
        return 0;
      });

  // Kinds that no hypothesis has.
  add("bias_of_some_columns", "", {symmetric},
      [](const w4_call& c, const RunInner& inner) {
        return by_element([&c](Piece& p, int64_t, int64_t n) {
          if (n % 8 == 5) bias_from(p, c, 0);
          return true;
        })(c, inner);
      },
      {"3 of 24 columns: 5, 13, 21 (n mod 8 in {5})", "a constant of its column",
       "wrong with all of act zero too"});
  add("some_columns_of_channel_0", "", {"decode m=2 n=48 k=512 g=64"},
      [](const w4_call& c, const RunInner& inner) {
        return by_element([&c](Piece& p, int64_t, int64_t n) {
          if (n % 8 == 3) {
            p.wei.device = c.wei->device, p.scale.device = c.scale->device;
          }
          return true;
        })(c, inner);
      },
      {"6 of 48 columns: 3, 11, 19, 27, … (n mod 8 in {3})", "every part of K carries the error"});
  return all;
}

}  // namespace

std::span<const Plant> plants_of_calls() {
  static const std::vector<Plant> all = make();
  return all;
}

}  // namespace w4::test
