#include "rdna/msgpack.h"

#include <utility>

namespace w4::rdna {
namespace {

constexpr int kMaxDepth = 16;
constexpr size_t kMaxValues = 1 << 20;

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : in_(bytes) {}

  bool value(MsgPack& out, int depth) {
    uint64_t tag = 0;
    if (depth > kMaxDepth || ++values_ > kMaxValues || !number(1, tag)) return false;
    if (tag < 0x80) return integer(out, tag);
    if (tag < 0x90) return map(out, tag & 15, depth);
    if (tag < 0xa0) return array(out, tag & 15, depth);
    if (tag < 0xc0) return text(out, tag & 31);
    if (tag >= 0xe0) return integer(out, 0);  // negative fixint
    uint64_t n = 0;
    switch (tag) {
      case 0xc0:
        return true;
      case 0xc2:
      case 0xc3:
        return integer(out, tag & 1);
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return number(1u << (tag - 0xc4), n) && skip(out, n);
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return number(1u << (tag - 0xc7), n) && skip(out, n + 1);
      case 0xca:
        return skip(out, 4);
      case 0xcb:
        return skip(out, 8);
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return number(1u << (tag - 0xcc), n) && integer(out, n);
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3: {
        const unsigned size = 1u << (tag - 0xd0);
        if (!number(size, n)) return false;
        return integer(out, n >> (8 * size - 1) & 1 ? 0 : n);
      }
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return skip(out, 1 + (uint64_t{1} << (tag - 0xd4)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return number(1u << (tag - 0xd9), n) && text(out, n);
      case 0xdc:
      case 0xdd:
        return number(2u << (tag - 0xdc), n) && array(out, n, depth);
      case 0xde:
      case 0xdf:
        return number(2u << (tag - 0xde), n) && map(out, n, depth);
      default:
        return false;
    }
  }

 private:
  // Big-endian, `size` bytes.
  bool number(unsigned size, uint64_t& out) {
    if (in_.size() - at_ < size) return false;
    out = 0;
    for (unsigned i = 0; i < size; ++i) out = out << 8 | static_cast<uint64_t>(in_[at_++]);
    return true;
  }
  static bool integer(MsgPack& out, uint64_t n) {
    out.kind = MsgPack::Kind::integer;
    out.integer = n;
    return true;
  }
  bool skip(MsgPack& out, uint64_t n) {
    out.kind = MsgPack::Kind::other;
    if (n > in_.size() - at_) return false;
    at_ += n;
    return true;
  }
  bool text(MsgPack& out, uint64_t n) {
    if (n > in_.size() - at_) return false;
    out.kind = MsgPack::Kind::text;
    out.text.assign(reinterpret_cast<const char*>(in_.data() + at_), n);
    at_ += n;
    return true;
  }
  bool array(MsgPack& out, uint64_t n, int depth) {
    out.kind = MsgPack::Kind::array;
    for (uint64_t i = 0; i < n; ++i) {
      if (!value(out.array.emplace_back(), depth + 1)) return false;
    }
    return true;
  }
  bool map(MsgPack& out, uint64_t n, int depth) {
    out.kind = MsgPack::Kind::map;
    for (uint64_t i = 0; i < n; ++i) {
      MsgPack key, v;
      if (!value(key, depth + 1) || !value(v, depth + 1)) return false;
      if (key.kind != MsgPack::Kind::text) continue;
      out.keys.push_back(std::move(key.text));
      out.array.push_back(std::move(v));
    }
    return true;
  }

  std::span<const std::byte> in_;
  size_t at_ = 0, values_ = 0;
};

}  // namespace

std::optional<MsgPack> MsgPack::read(std::span<const std::byte> bytes) {
  MsgPack out;
  if (!Reader(bytes).value(out, 0)) return std::nullopt;
  return out;
}

const MsgPack* MsgPack::find(std::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &array[i];
  }
  return nullptr;
}

uint64_t MsgPack::uint_of(std::string_view key) const {
  const MsgPack* v = find(key);
  return v && v->kind == Kind::integer ? v->integer : 0;
}

std::string MsgPack::text_of(std::string_view key) const {
  const MsgPack* v = find(key);
  return v && v->kind == Kind::text ? v->text : std::string();
}

}  // namespace w4::rdna
