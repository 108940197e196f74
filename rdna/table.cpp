#include "rdna/table.h"

#include <unordered_map>
#include <vector>

namespace w4::rdna {

std::string_view name_of(Flow f) {
  switch (f) {
    case Flow::mix:
      return "mix";
    case Flow::bitwise_and:
      return "and";
    case Flow::bitwise_or:
      return "or";
    case Flow::bitwise_xor:
      return "xor";
    case Flow::bitwise_not:
      return "not";
    case Flow::copy:
      return "copy";
    case Flow::add:
      return "add";
    case Flow::shift:
      return "shift";
    case Flow::half:
      return "half";
    case Flow::select:
      return "select";
    case Flow::special:
      return "own rule";
  }
  return "?";
}

std::string_view name_of(Evidence e) {
  switch (e) {
    case Evidence::ieee:
      return "IEEE or integer arithmetic";
    case Evidence::document:
      return "document";
    case Evidence::public_report:
      return "public hardware report";
    case Evidence::hardware_capture:
      return "hardware capture";
  }
  return "?";
}

std::span<const Row* const> all_rows() {
  static const std::vector<const Row*> rows = [] {
    std::vector<const Row*> v;
    for (auto family :
         {valu_int_rows,    valu_wide_rows, valu_float_rows, valu_convert_rows, valu_f64_rows,
          valu_minmax_rows, valu_trig_rows, valu_byte_rows,  valu_packed_rows,  dot_rows,
          valu_lane_rows,   compare_rows,   salu_rows,       salu_flow_rows,    salu_float_rows,
          branch_rows,      hardware_rows,  vmem_rows,       buffer_rows,       atomic_rows,
          lds_atomic_rows,  smem_rows,      lds_rows,        wmma_rows,         wmma_int_rows}) {
      for (const Row& r : family()) v.push_back(&r);
    }
    return v;
  }();
  return rows;
}

uint16_t index_of_row(std::string_view mnemonic) {
  static const std::unordered_map<std::string_view, uint16_t> map = [] {
    std::unordered_map<std::string_view, uint16_t> m;
    const auto rows = all_rows();
    for (size_t i = 0; i < rows.size(); ++i)
      m.try_emplace(rows[i]->mnemonic, static_cast<uint16_t>(i));
    return m;
  }();
  const auto it = map.find(mnemonic);
  return it == map.end() ? kNoRow : it->second;
}

const Row* find_row(std::string_view mnemonic) {
  const uint16_t i = index_of_row(mnemonic);
  return i == kNoRow ? nullptr : all_rows()[i];
}

}  // namespace w4::rdna
