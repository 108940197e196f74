#include "verify/probe/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "verify/probe/codes.h"

namespace w4::probe {
namespace {

DType type_of(const Rig& rig) { return rig.line().problem.act; }

void write_weights(Rig& rig, unsigned code) {
  if (rig.kernel().dense_weights) {
    fill_halves(rig.bytes(Tensor::wei), from_f64(type_of(rig), code));
  } else {
    fill_nibbles(rig.bytes(Tensor::wei), code);
  }
}

Result<Table> table_of(Rig& rig, const std::function<void(unsigned)>& write) {
  Table table;
  for (unsigned v = 0; v < 16; ++v) {
    write(v);
    const auto out = rig.run();
    if (!out) return std::unexpected(out.error());
    const bool alike = std::ranges::all_of(*out, [&](double x) { return x == out->front(); });
    if (alike && !out->empty()) table[v] = out->front();
  }
  write(0);
  return table;
}

// Whether all outputs are -(v + c), or -((v + c) mod 16).
bool counts_down(const Table& t, int c, bool wraps) {
  for (int v = 0; v < 16; ++v) {
    const int z = wraps ? (v + c) & 15 : v + c;
    if (t[static_cast<size_t>(v)] != -z) return false;
  }
  return true;
}

bool constant(const Table& t) {
  return std::ranges::all_of(t, [&](const auto& x) { return x && x == t[0]; });
}

std::optional<int> integer(const std::optional<double>& x) {
  if (!x || *x != std::floor(*x) || std::fabs(*x) > 64) return std::nullopt;
  return static_cast<int>(*x);
}

void judge(Values& v) {
  const auto at0 = integer(v.codes[0]);
  if (constant(v.packed) && constant(v.unpacked)) {
    if (at0) v.offset = -*at0;
    return;
  }
  v.encoding = Encoding::neither;
  for (const Encoding e : {Encoding::packed, Encoding::unpacked}) {
    const Table& t = e == Encoding::packed ? v.packed : v.unpacked;
    const auto c = integer(t[0]);
    for (const bool wraps : {false, true}) {
      if (!c || !counts_down(t, -*c, wraps)) continue;
      v.encoding = e;
      v.offset = -*c;
      v.wraps = wraps;
      return;
    }
  }
}

std::string table_text(const Table& t) {
  std::string out;
  for (size_t i = 0; i < t.size(); ++i) {
    out +=
        fmt::format("{}{}: {}", i == 0 ? "" : ", ", i, t[i] ? fmt::format("{}", *t[i]) : "varies");
  }
  return out;
}

// Of a carrier word: the scale is the low half, the zero-point term the high one, as fp16 -z*s or
// beside bf16 the integer z.
void write_carriers(Rig& rig, double scale, unsigned z) {
  const DType t = type_of(rig);
  const auto bytes = rig.bytes(Tensor::carrier);
  const uint16_t high =
      t == DType::f16 ? from_f64(t, -static_cast<double>(z)) : static_cast<uint16_t>(z);
  for (size_t i = 0; i < bytes.size() / 4; ++i) {
    set_half(bytes, 2 * i, from_f64(t, scale));
    set_half(bytes, 2 * i + 1, high);
  }
}

}  // namespace

std::string_view name_of(Encoding e) {
  switch (e) {
    case Encoding::none:
      return "none";
    case Encoding::packed:
      return "packed words";
    case Encoding::unpacked:
      return "numbers in the activation dtype";
    case Encoding::carrier:
      return "in the carrier";
    case Encoding::neither:
      break;
  }
  return "neither packed nor unpacked";
}

void unit_scales(Rig& rig) {
  if (rig.desc(Tensor::carrier) != nullptr) write_carriers(rig, 1, 0);
  fill_halves(rig.bytes(Tensor::scale), from_f64(type_of(rig), 1));
}

Result<Values> values_of(Rig& rig) {
  Values v;
  one_hot_rows(rig);
  unit_scales(rig);
  auto codes = table_of(rig, [&](unsigned code) { write_weights(rig, code); });
  if (!codes) return std::unexpected(codes.error());
  v.codes = *codes;
  if (rig.desc(Tensor::carrier) != nullptr) {
    auto terms = table_of(rig, [&](unsigned z) { write_carriers(rig, 1, z); });
    if (!terms) return std::unexpected(terms.error());
    v.packed = *terms;
    v.encoding = counts_down(v.packed, 0, false) ? Encoding::carrier : Encoding::neither;
    if (v.encoding == Encoding::carrier) v.offset = 0;
    return v;
  }
  if (rig.desc(Tensor::zp) == nullptr) {
    v.packed.fill(v.codes[0]);
    v.unpacked.fill(v.codes[0]);
    judge(v);
    return v;
  }
  const auto zeros = [&] { return rig.bytes(Tensor::zp); };
  auto packed = table_of(rig, [&](unsigned z) { fill_nibbles(zeros(), z); });
  if (!packed) return std::unexpected(packed.error());
  v.packed = *packed;
  auto unpacked =
      table_of(rig, [&](unsigned z) { fill_halves(zeros(), from_f64(type_of(rig), z)); });
  if (!unpacked) return std::unexpected(unpacked.error());
  v.unpacked = *unpacked;
  judge(v);
  return v;
}

std::optional<unsigned> code_for(const Values& v, double value) {
  const auto at = std::ranges::find(v.codes, std::optional(value));
  if (at == v.codes.end()) return std::nullopt;
  return static_cast<unsigned>(at - v.codes.begin());
}

std::string codes_text(const Values& v) {
  const auto base = v.codes[0];
  bool plain = base.has_value(), is_signed = base.has_value();
  for (size_t i = 0; i < 16 && base; ++i) {
    plain &= v.codes[i] && *v.codes[i] - *base == static_cast<double>(i);
    is_signed &= v.codes[i] && *v.codes[i] - *base == static_cast<double>(i < 8 ? i : i - 16.0);
  }
  if (plain) return "0 to 15";
  if (is_signed) return "signed, -8 to 7";
  return "code: output " + table_text(v.codes);
}

std::string zero_text(const Values& v) {
  if (v.encoding == Encoding::neither || !v.offset) {
    return "written as nibbles: output " + table_text(v.packed) +
           "; as numbers: " + table_text(v.unpacked);
  }
  if (v.encoding == Encoding::none) return fmt::format("{}", *v.offset);
  return fmt::format("z{}{}",
                     *v.offset == 0 ? " as stored" : fmt::format(" = stored {:+}", *v.offset),
                     v.wraps && *v.offset != 0 ? ", modulo 16" : "");
}

}  // namespace w4::probe
