#include "intake/fatbin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "intake/fatbin_elf.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

namespace w4 {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kBundle = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressed = "CCOB";
// Our own: what a header claims must not exhaust the host.
constexpr uint64_t kMaxUnpacked = uint64_t{1} << 30;
constexpr uint64_t kMaxEntries = 4096;
constexpr uint64_t kMaxTarget = 1024;

bool starts_with(Bytes bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

template <class T>
std::optional<T> read_at(Bytes bytes, uint64_t offset) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// "gfx1151" of "hipv4-amdgcn-amd-amdhsa--gfx1151:xnack-"; gfx9-4-generic has dashes of its own.
std::string arch_of_target(std::string_view target) {
  const std::string_view id = target.substr(0, target.find(':'));
  const size_t gfx = id.rfind("-gfx");
  return std::string(gfx == std::string_view::npos ? id : id.substr(gfx + 1));
}

// What the bytes themselves say where they are an AMDGPU ELF.
void describe(FatObject& o) {
  const ElfFacts facts = elf_facts(o.bytes);
  if (!facts.amdgpu) return;
  o.version = facts.version;
  if (o.arch.empty()) o.arch = facts.arch;
}

Result<std::vector<FatObject>> read_plain(Bytes file, uint64_t* taken) {
  const auto count = read_at<uint64_t>(file, kBundle.size());
  if (!count) return fail("bundle cut short in its header");
  if (*count > kMaxEntries)
    return fail("bundle claims {} entries; legal: at most {}", *count, kMaxEntries);
  std::vector<FatObject> out;
  std::vector<std::pair<uint64_t, uint64_t>> used;  // [from, to) of entries with bytes
  uint64_t at = kBundle.size() + sizeof(uint64_t), end = at;
  for (uint64_t i = 0; i < *count; ++i) {
    const auto offset = read_at<uint64_t>(file, at), size = read_at<uint64_t>(file, at + 8),
               length = read_at<uint64_t>(file, at + 16);
    if (!offset || !size || !length || *length > file.size() - (at + 24))
      return fail("bundle cut short: the header of entry {} of {} at {}", i + 1, *count, at);
    if (*length == 0) return fail("bundle entry {} of {} names no target", i + 1, *count);
    if (*length > kMaxTarget)
      return fail("bundle entry {}: a target name of {} bytes; legal: at most {}", i + 1, *length,
                  kMaxTarget);
    std::string target(reinterpret_cast<const char*>(file.data() + at + 24), *length);
    at += 24 + *length;
    end = std::max(end, at);
    if (*offset > file.size() || *size > file.size() - *offset) {
      return fail("bundle cut short: entry {} ({}) has {} bytes at {}, the file ends at {}", i + 1,
                  target, *size, *offset, file.size());
    }
    end = std::max(end, *offset + *size);
    if (*size != 0) used.emplace_back(*offset, *offset + *size);
    if (target.starts_with("host") || *size == 0) continue;
    FatObject o;
    o.arch = arch_of_target(target);
    o.target = std::move(target);
    o.bytes = file.subspan(*offset, *size);
    describe(o);
    out.push_back(std::move(o));
  }
  std::ranges::sort(used);
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i].first < at)
      return fail("bundle: an entry at {} lies in the header, which ends at {}", used[i].first, at);
    // Equal ranges are one object under two names, which linkers may leave.
    if (i > 0 && used[i].first < used[i - 1].second && used[i] != used[i - 1])
      return fail("bundle: entries at {} and {} overlap", used[i - 1].first, used[i].first);
  }
  if (taken) *taken = end;
  return out;
}

// Bytes of the zstd frame at the start (RFC 8878, 3.1.1); nothing: not a frame, or cut short.
std::optional<uint64_t> zstd_frame(Bytes b) {
  const auto magic = read_at<uint32_t>(b, 0);
  const auto descriptor = read_at<uint8_t>(b, 4);
  if (!magic || *magic != 0xfd2fb528 || !descriptor) return std::nullopt;
  const bool single = *descriptor >> 5 & 1, checksum = *descriptor >> 2 & 1;
  constexpr uint64_t kDictionary[] = {0, 1, 2, 4}, kContent[] = {0, 2, 4, 8};
  const uint64_t content = *descriptor >> 6;
  uint64_t at = 5 + (single ? 0 : 1) + kDictionary[*descriptor & 3] +
                (content == 0 && single ? 1 : kContent[content]);
  while (true) {
    const auto low = read_at<uint16_t>(b, at);
    const auto high = read_at<uint8_t>(b, at + 2);
    if (!low || !high) return std::nullopt;
    const uint32_t header = *low | uint32_t{*high} << 16;
    const uint32_t type = header >> 1 & 3, size = header >> 3;
    if (type == 3) return std::nullopt;
    at += 3 + (type == 1 ? 1 : uint64_t{size});  // type 1: one byte, repeated
    if (header & 1) break;
  }
  at += checksum ? 4 : 0;
  if (at > b.size()) return std::nullopt;
  return at;
}

struct CompressedHeader {
  uint64_t header = 0, total = 0, unpacked = 0;  // total 0: the format does not say
  bool zstd = false;
};

// Version 1: magic, version and method (16 bits each), unpacked size (32), hash (64). Version 2 has
// the size of the whole bundle before the unpacked size; version 3 has both sizes in 64 bits.
Result<CompressedHeader> read_header(Bytes file) {
  const auto version = read_at<uint16_t>(file, 4), method = read_at<uint16_t>(file, 6);
  if (!version || !method) return fail("compressed bundle cut short in its header");
  if (*method > 1)
    return fail("compressed bundle: method {} is not known; legal: 0 (zlib), 1 (zstd)", *method);
  CompressedHeader h;
  h.zstd = *method == 1;
  std::optional<uint64_t> total, unpacked;
  switch (*version) {
    case 1:
      h.header = 20;
      total = 0;
      unpacked = read_at<uint32_t>(file, 8);
      break;
    case 2:
      h.header = 24;
      total = read_at<uint32_t>(file, 8);
      unpacked = read_at<uint32_t>(file, 12);
      break;
    case 3:
      h.header = 32;
      total = read_at<uint64_t>(file, 8);
      unpacked = read_at<uint64_t>(file, 16);
      break;
    default:
      return fail("compressed bundle: version {} is not known; legal: 1, 2, 3", *version);
  }
  if (!total || !unpacked || file.size() < h.header)
    return fail("compressed bundle cut short in its header");
  h.total = *total;
  h.unpacked = *unpacked;
  if (h.unpacked > kMaxUnpacked)
    return fail("compressed bundle: {} bytes unpacked; legal: at most {}", h.unpacked,
                kMaxUnpacked);
  if (*version != 1 && (h.total < h.header || h.total > file.size()))
    return fail("compressed bundle: {} bytes in all, but the file has {} from there", h.total,
                file.size());
  return h;
}

Result<std::vector<FatObject>> read_compressed(Bytes file, uint64_t* taken) {
  const auto h = read_header(file);
  if (!h) return std::unexpected(h.error());
  Bytes packed = h->total ? file.subspan(h->header, h->total - h->header) : file.subspan(h->header);
  // zlib of version 1 ends where its data end, which only unpacking tells: no less than the header.
  uint64_t total = h->total ? h->total : h->header;
  if (h->zstd) {
    // Padding may follow the frame.
    const auto frame = zstd_frame(packed);
    if (!frame) return fail("compressed bundle: its zstd data are damaged or cut short");
    packed = packed.first(*frame);
    if (!h->total) total = h->header + *frame;
  }
  const llvm::ArrayRef<uint8_t> in(reinterpret_cast<const uint8_t*>(packed.data()), packed.size());
  auto unpacked = std::make_shared<llvm::SmallVector<uint8_t, 0>>();
  if (h->zstd ? !llvm::compression::zstd::isAvailable() : !llvm::compression::zlib::isAvailable())
    return fail("compressed bundle: this LLVM was built without {}", h->zstd ? "zstd" : "zlib");
  llvm::Error error = h->zstd ? llvm::compression::zstd::decompress(in, *unpacked, h->unpacked)
                              : llvm::compression::zlib::decompress(in, *unpacked, h->unpacked);
  if (error) {
    const std::string why = llvm::toString(std::move(error));
    return fail("compressed bundle: {}", why);
  }
  if (unpacked->size() != h->unpacked)
    return fail("compressed bundle: {} bytes unpacked, its header says {}", unpacked->size(),
                h->unpacked);
  const Bytes inner(reinterpret_cast<const std::byte*>(unpacked->data()), unpacked->size());
  if (!starts_with(inner, kBundle)) return fail("compressed bundle: no bundle inside");
  auto out = read_plain(inner, nullptr);
  if (!out) return out;
  for (FatObject& o : *out) o.owner = unpacked;
  if (taken) *taken = total;
  return out;
}

// Where one of the three starts, from `from` on.
size_t next_start(Bytes file, size_t from) {
  for (size_t i = from; i < file.size(); ++i) {
    for (const std::string_view magic : {kBundle, kCompressed, kCodeObjectMagic}) {
      if (file[i] == static_cast<std::byte>(magic[0]) && starts_with(file.subspan(i), magic))
        return i;
    }
  }
  return file.size();
}

void scan(Bytes file, uint64_t base, Fatbin& out, bool report) {
  size_t at = 0;
  while ((at = next_start(file, at)) < file.size()) {
    uint64_t taken = 0;
    auto objects = read_bundle(file.subspan(at), &taken);
    if (objects) {
      for (FatObject& o : *objects) {
        o.at = base + at;
        out.objects.push_back(std::move(o));
      }
      at += std::max<uint64_t>(taken, 1);
      continue;
    }
    if (report) out.problems.push_back(fmt::format("at {}: {}", base + at, objects.error().text));
    at += 4;
  }
}

}  // namespace

Result<std::vector<FatObject>> read_bundle(Bytes file, uint64_t* bytes) {
  if (starts_with(file, kBundle)) return read_plain(file, bytes);
  if (starts_with(file, kCompressed)) return read_compressed(file, bytes);
  if (!starts_with(file,
                   "\x7f"
                   "ELF"))
    return fail("neither an offload bundle nor an ELF file");
  const ElfFacts facts = elf_facts(file);
  if (!facts.amdgpu)
    return fail("an ELF file, but not an AMDGPU code object that lies whole in it");
  FatObject o;
  o.bytes = file.first(facts.extent);
  describe(o);
  if (bytes) *bytes = facts.extent;
  std::vector<FatObject> out;
  out.push_back(std::move(o));
  return out;
}

Result<std::vector<FatObject>> read_image(const void* image) {
  if (!image) return fail("no image (a null pointer)");
  // Only what the headers name is touched.
  constexpr size_t kAnyLength = size_t{1} << 40;
  return read_bundle({static_cast<const std::byte*>(image), kAnyLength});
}

Fatbin read_fatbin(Bytes file) {
  Fatbin out;
  const std::vector<Section> sections = sections_named(file, ".hip_fatbin");
  for (const Section& s : sections) scan(s.bytes, s.at, out, true);
  // A host ELF that holds code by other means may hold the magic words for other reasons too.
  if (sections.empty()) scan(file, 0, out, !is_host_elf(file));
  return out;
}

Result<FatObject> object_for(std::span<const FatObject> objects, std::string_view arch) {
  std::string have;
  for (const FatObject& o : objects) {
    if (o.arch == arch) return o;
    have += (have.empty() ? "" : ", ") + (o.arch.empty() ? "something unknown" : o.arch);
  }
  return fail("no code for {}; there is {}", arch, have.empty() ? "none at all" : have);
}

}  // namespace w4
