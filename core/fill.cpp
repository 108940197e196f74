#include "core/fill.h"

#include <array>

#include "core/fill_recipes.h"

namespace w4 {

using namespace recipes;

namespace {

constexpr std::array kFills{Fill::flat,     Fill::normal, Fill::integer, Fill::onehot,
                            Fill::lane,     Fill::cancel, Fill::extreme, Fill::special,
                            Fill::constant, Fill::uniform};
constexpr std::array<std::string_view, kFills.size()> kNames{
    "flat",   "normal",  "integer", "onehot",   "lane",
    "cancel", "extreme", "special", "constant", "uniform"};

}  // namespace

std::string_view name_of(Fill f) { return kNames.at(static_cast<size_t>(f)); }

std::optional<Fill> fill_from(std::string_view name) {
  for (Fill f : kFills) {
    if (name_of(f) == name) return f;
  }
  return std::nullopt;
}

std::span<const Fill> all_fills() { return kFills; }

bool is_random(Fill f) {
  return f == Fill::flat || f == Fill::uniform || f == Fill::normal || f == Fill::cancel;
}

bool promises_signal(Fill f) {
  return f == Fill::flat || f == Fill::uniform || f == Fill::normal || f == Fill::integer ||
         f == Fill::onehot || f == Fill::lane;
}

uint64_t counter_bits(uint64_t seed, uint32_t tensor, int64_t i, int64_t j) {
  return counter_column(counter_row(seed, tensor, i), static_cast<uint64_t>(j));
}

Filler::Filler(Fill fill, uint64_t seed, DType act, int64_t k, int64_t /*g*/, int64_t k0)
    : fill_(fill), seed_(seed), act_(act), k_(k), k0_(k0) {}

uint16_t Filler::act(int64_t m, int64_t k) const {
  const uint64_t bits = counter_bits(seed_, kAct, m, k);
  switch (fill_) {
    case Fill::flat:
    case Fill::uniform:
      return from_f64(act_, flat_act(bits));
    case Fill::normal:
      return from_f64(act_, normal_act(seed_, m, k));
    case Fill::integer:
      return from_f64(act_, integer_act(seed_, act_, m, k));
    case Fill::onehot:
      if (!is_chosen(seed_, m, k, k_)) return 0;
      return from_f64(act_, power_of_two(below(counter_bits(seed_, kRow, m, 0), 3)));
    case Fill::lane:
      return from_f64(act_, lane_act(seed_, m, k));
    case Fill::cancel: {
      const Pair p = pair_of(seed_, k);
      const double v = static_cast<double>(gauss(counter_bits(seed_, kAct, m, p.first))) * 0x1p-9;
      return from_f64(act_, p.second ? -v : v);
    }
    case Fill::extreme:
      return from_f64(act_, extreme_act(act_, counter_bits(seed_, kRow, m, 2), bits));
    case Fill::special:
      return special_act(seed_, act_, m, k, k_);
    case Fill::constant:
      break;
  }
  return from_f64(act_, 0.5);
}

uint8_t Filler::code(int64_t n, int64_t k) const {
  const uint64_t bits = counter_bits(seed_, kCode, n, k);
  switch (fill_) {
    case Fill::normal:
      return normal_code(bits);
    case Fill::integer:
      return static_cast<uint8_t>(act_ == DType::f16 ? bits & 15 : 4 + (bits & 7));
    case Fill::lane:
      return lane_code(seed_, n, k - k0_);
    case Fill::cancel: {
      const Pair p = pair_of(seed_, k - k0_);
      const uint64_t of_pair = counter_bits(seed_, kCode, n, p.first + k0_);
      const uint64_t q = of_pair & 15;
      // One pair in sixteen differs by one, so that y is small and not zero.
      const bool differs = p.second && (of_pair >> 8 & 15) == 0;
      return static_cast<uint8_t>(differs ? q ^ 1 : q);
    }
    case Fill::constant:
      return 11;
    default:
      return static_cast<uint8_t>(bits & 15);
  }
}

void Filler::code_row(int64_t n, std::span<uint8_t> out) const {
  const auto each = [&](auto&& of_bits) {
    const uint64_t row = counter_row(seed_, kCode, n);
    for (size_t k = 0; k < out.size(); ++k) out[k] = of_bits(counter_column(row, k));
  };
  switch (fill_) {
    case Fill::normal:
      return each(normal_code);
    case Fill::lane:
    case Fill::cancel:
    case Fill::constant:
      for (size_t k = 0; k < out.size(); ++k) out[k] = code(n, static_cast<int64_t>(k));
      return;
    case Fill::integer:
      if (act_ != DType::f16) return each([](uint64_t b) { return uint8_t(4 + (b & 7)); });
      break;
    default:
      break;
  }
  each([](uint64_t b) { return uint8_t(b & 15); });
}

uint16_t Filler::scale(int64_t n, int64_t g) const {
  const uint64_t bits = counter_bits(seed_, kScale, n, g);
  switch (fill_) {
    case Fill::normal:
      return from_f64(act_, octave(bits, below(bits >> 8, 14) - 12));
    case Fill::integer:
      return from_f64(act_, (bits & 1) != 0 ? 2 : 1);
    case Fill::lane:
      return from_f64(act_, 1);
    case Fill::extreme:
      return from_f64(act_, extreme_scale(act_, counter_bits(seed_, kRow, n, 1), bits));
    case Fill::constant:
      return from_f64(act_, 0x1p-6);
    case Fill::uniform:
      return from_f64(act_, uniform_scale(act_, bits));
    default:
      return from_f64(act_, octave(bits, (bits >> 8 & 1) != 0 ? -7 : -8));
  }
}

uint8_t Filler::zero(int64_t n, int64_t g) const {
  switch (fill_) {
    case Fill::integer:
      if (act_ == DType::f16) return octet_zero(seed_, n, g, 16);
      return static_cast<uint8_t>(4 + octet_zero(seed_, n, g, 8));
    case Fill::lane:
      return 8;
    case Fill::constant:
      return 5;
    case Fill::uniform:
      return static_cast<uint8_t>(counter_bits(seed_, kZero, n, g) & 15);
    default:
      return octet_zero(seed_, n, g, 16);
  }
}

uint16_t Filler::bias(int64_t row, int64_t col) const {
  switch (fill_) {
    case Fill::integer: {
      const int64_t most = act_ == DType::f16 ? 368 : 60;
      return from_f64(act_,
                      static_cast<double>(column_value(seed_, row, col, 2 * most + 1) - most));
    }
    case Fill::lane:
      return from_f64(act_, static_cast<double>(column_value(seed_, row, col, 7) - 3));
    case Fill::extreme:
      // Subnormals, and a quarter of the largest number in the loud columns.
      if (is_loud(seed_, col)) return from_f64(act_, act_ == DType::f16 ? 16384 : 0x1p126);
      return static_cast<uint16_t>(1 + column_value(seed_, row, col, 64));
    case Fill::constant:
      return from_f64(act_, 1);
    default:
      return from_f64(act_, flat_bias(seed_, row, col));
  }
}

}  // namespace w4
