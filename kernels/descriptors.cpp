#include "kernels/descriptors.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "core/dtypes.h"

namespace w4 {
namespace {

static_assert(static_cast<int>(DType::f16) == W4_F16 && static_cast<int>(DType::bf16) == W4_BF16 &&
              static_cast<int>(DType::i8) == W4_I8 && static_cast<int>(DType::i64) == W4_I64);

bool known(w4_dtype t) { return static_cast<unsigned>(t) <= W4_I64; }

}  // namespace

std::string_view name_of(w4_dtype t) {
  return known(t) ? name_of(static_cast<DType>(t)) : "an unknown dtype";
}

int64_t bytes_of(w4_dtype t) { return known(t) ? bytes_of(static_cast<DType>(t)) : 0; }

std::string_view name_of(w4_layout l) {
  switch (l) {
    case W4_DENSE:
      return "dense rows";
    case W4_WEI_SHUFFLED:
      return "shuffled order";
    case W4_WEI_SEQUENTIAL:
      return "sequential order";
    case W4_WEI_AWQ:
      return "AWQ order";
    case W4_WEI_GPTQ:
      return "GPTQ order";
    case W4_ZP_UNPACKED:
      return "unpacked zero points";
    case W4_ZP_PACKED:
      return "packed zero points";
    case W4_ZP_AWQ:
      return "AWQ zero points";
    case W4_ZP_GPTQ_V1:
      return "GPTQ v1 zero points";
    case W4_ZP_GPTQ_V2:
      return "GPTQ v2 zero points";
    case W4_SCALE_TRANSPOSED:
      return "transposed scales";
    case W4_SCALE_CARRIER:
      return "a scale carrier";
    case W4_GROUP_INDEX:
      return "a group index";
    case W4_EXPERT_IDS:
      return "expert ids";
    case W4_SORTED_IDS:
      return "sorted ids";
  }
  return "an unknown layout";
}

std::string shape_of(const w4_tensor& t) {
  if (t.rank == 1) return fmt::format("[{}]", t.dim[0]);
  if (t.rank == 2) return fmt::format("[{},{}]", t.dim[0], t.dim[1]);
  if (t.rank == 3) return fmt::format("[{},{},{}]", t.dim[0], t.dim[1], t.dim[2]);
  return fmt::format("of rank {}", t.rank);
}

std::optional<Tile> parse_tile(std::string_view text) {
  Tile tile;
  tile.gemm = text.starts_with("bm");
  const char* at = text.data();
  const char* const end = at + text.size();
  const std::array<std::pair<std::string_view, int*>, 4> fields =
      tile.gemm ? std::array{std::pair(std::string_view("bm"), &tile.bm),
                             std::pair(std::string_view("bn"), &tile.bn),
                             std::pair(std::string_view("bk"), &tile.bk),
                             std::pair(std::string_view("w"), &tile.w)}
                : std::array{std::pair(std::string_view("y"), &tile.y),
                             std::pair(std::string_view("u"), &tile.u),
                             std::pair(std::string_view("a"), &tile.a),
                             std::pair(std::string_view("w"), &tile.w)};
  for (const auto& [letters, value] : fields) {
    if (!std::string_view(at, end).starts_with(letters)) return {};
    const auto [next, error] = std::from_chars(at + letters.size(), end, *value);
    if (error != std::errc{}) return {};
    at = next;
  }
  if (at != end) return {};
  return tile;
}

std::string list_of(std::span<const Tile> tiles) {
  std::string out;
  for (const Tile& t : tiles) out += (out.empty() ? "" : ", ") + to_string(t);
  return out;
}

}  // namespace w4
