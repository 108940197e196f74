// Reads an AMDGPU ELF. The bytes may be hostile: every offset is checked, nothing is assumed.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "rdna/code_object.h"
#include "rdna/msgpack.h"
#include "rdna/source_lines.h"

namespace w4::rdna {
namespace {

using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;

struct ArchName {
  unsigned mach;
  std::string_view name;
};
constexpr ArchName kArchs[] = {
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1100, "gfx1100"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1101, "gfx1101"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1102, "gfx1102"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1103, "gfx1103"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1150, "gfx1150"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1151, "gfx1151"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1200, "gfx1200"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1201, "gfx1201"},
};
constexpr std::string_view kArchNames[] = {"gfx1100", "gfx1101", "gfx1102", "gfx1103",
                                           "gfx1150", "gfx1151", "gfx1200", "gfx1201"};

std::string reason(llvm::Error e) { return llvm::toString(std::move(e)); }

// [offset, offset + size) of the file, or nothing.
std::optional<std::span<const std::byte>> slice(std::span<const std::byte> file, uint64_t offset,
                                                uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return std::nullopt;
  return file.subspan(offset, size);
}

Result<void> read_segments(const Elf& elf, CodeObject::Impl& out) {
  auto headers = elf.program_headers();
  if (!headers) return fail("code object cut short: {}", reason(headers.takeError()));
  for (const auto& h : *headers) {
    if (h.p_type != llvm::ELF::PT_LOAD) continue;
    auto contents = slice(out.bytes, h.p_offset, h.p_filesz);
    if (!contents)
      return fail("code object cut short: a segment of {} bytes at {:#x} ends after the file",
                  uint64_t{h.p_filesz}, uint64_t{h.p_offset});
    if (h.p_memsz < h.p_filesz || h.p_memsz > (uint64_t{1} << 30) ||
        h.p_vaddr > (uint64_t{1} << 32)) {
      return fail("code object: segment at {:#x} has impossible sizes", uint64_t{h.p_vaddr});
    }
    if (h.p_memsz == 0) continue;
    out.segments.push_back({h.p_vaddr, h.p_memsz, *contents, (h.p_flags & llvm::ELF::PF_W) != 0,
                            (h.p_flags & llvm::ELF::PF_X) != 0});
  }
  std::ranges::sort(out.segments, {}, &Segment::address);
  for (size_t i = 1; i < out.segments.size(); ++i) {
    if (out.segments[i].address < out.segments[i - 1].address + out.segments[i - 1].bytes) {
      return fail("code object: segments overlap at {:#x}", out.segments[i].address);
    }
  }
  if (out.segments.empty())
    return fail("code object has nothing to load (a relocatable object? link it first)");
  return {};
}

struct Symbols {
  std::map<std::string, uint64_t> address;
  std::map<std::string, Variable, std::less<>> variables;
  std::vector<std::pair<std::string, uint64_t>>
      dynamic;  // by index, for relocations; undefined: ~0
};

Result<Symbols> read_symbols(const Elf& elf) {
  Symbols out;
  auto sections = elf.sections();
  if (!sections) return fail("code object cut short: {}", reason(sections.takeError()));
  for (const auto& s : *sections) {
    if (s.sh_type != llvm::ELF::SHT_SYMTAB && s.sh_type != llvm::ELF::SHT_DYNSYM) continue;
    auto symbols = elf.symbols(&s);
    if (!symbols) return fail("code object: symbol table: {}", reason(symbols.takeError()));
    auto names = elf.getStringTableForSymtab(s, *sections);
    if (!names) return fail("code object: symbol names: {}", reason(names.takeError()));
    for (const auto& y : *symbols) {
      auto name = y.getName(*names);
      if (!name) return fail("code object: a symbol name: {}", reason(name.takeError()));
      const bool known = y.st_shndx != llvm::ELF::SHN_UNDEF;
      if (known && !name->empty()) out.address[name->str()] = y.st_value;
      if (known && y.getType() == llvm::ELF::STT_OBJECT && !name->ends_with(".kd"))
        out.variables[name->str()] = {y.st_value, y.st_size};
      if (s.sh_type == llvm::ELF::SHT_DYNSYM) {
        out.dynamic.emplace_back(name->str(), known ? uint64_t{y.st_value} : ~uint64_t{0});
      }
    }
  }
  return out;
}

Result<void> read_relocations(const Elf& elf, const Symbols& symbols, CodeObject::Impl& out) {
  auto sections = elf.sections();
  if (!sections) return fail("code object cut short: {}", reason(sections.takeError()));
  for (const auto& s : *sections) {
    if (s.sh_type != llvm::ELF::SHT_RELA || !(s.sh_flags & llvm::ELF::SHF_ALLOC)) continue;
    auto relas = elf.relas(s);
    if (!relas) return fail("code object: relocations: {}", reason(relas.takeError()));
    for (const auto& r : *relas) {
      const uint32_t type = r.getType(false), index = r.getSymbol(false);
      uint64_t value = static_cast<uint64_t>(static_cast<int64_t>(r.r_addend));
      if (type == llvm::ELF::R_AMDGPU_ABS64) {
        if (index >= symbols.dynamic.size())
          return fail("code object: relocation names symbol {} of {}", index,
                      symbols.dynamic.size());
        const auto& [name, address] = symbols.dynamic[index];
        if (address == ~uint64_t{0})
          return fail("code object: symbol {} is not defined in it", name);
        value += address;
      } else if (type != llvm::ELF::R_AMDGPU_RELATIVE64) {
        return fail("code object: relocation type {} is not known", type);
      }
      out.relocations.push_back({r.r_offset, value});
    }
  }
  return {};
}

Result<KernelInfo> read_kernel(const MsgPack& map) {
  KernelInfo k;
  std::string descriptor = map.text_of(".symbol");
  if (!llvm::StringRef(descriptor).ends_with(".kd"))
    return fail("code object metadata: kernel symbol '{}' does not end in .kd", descriptor);
  k.symbol = descriptor.substr(0, descriptor.size() - 3);
  k.demangled = llvm::demangle(k.symbol);
  auto u32 = [&](const char* key) {
    return static_cast<uint32_t>(std::min<uint64_t>(map.uint_of(key), ~0u));
  };
  k.kernarg_bytes = u32(".kernarg_segment_size");
  k.static_lds = u32(".group_segment_fixed_size");
  k.scratch_bytes = u32(".private_segment_fixed_size");
  k.dynamic_stack = u32(".uses_dynamic_stack") != 0;
  k.vgprs = u32(".vgpr_count");
  k.sgprs = u32(".sgpr_count");
  k.vgpr_spills = u32(".vgpr_spill_count");
  k.sgpr_spills = u32(".sgpr_spill_count");
  k.max_workgroup = u32(".max_flat_workgroup_size");
  k.wave_size = u32(".wavefront_size");
  if (k.wave_size != 32)
    return fail("kernel {}: wave{} code is not emulated, only wave32", k.demangled, k.wave_size);
  if (k.kernarg_bytes > 65536)
    return fail("kernel {}: {} bytes of arguments are more than 65536", k.demangled,
                k.kernarg_bytes);
  if (k.scratch_bytes > (1u << 20))
    return fail("kernel {}: {} bytes of scratch per lane are more than 1 MiB", k.demangled,
                k.scratch_bytes);
  if (const MsgPack* args = map.find(".args")) {
    for (const MsgPack& a : args->array) {
      const uint64_t offset = a.uint_of(".offset"), size = a.uint_of(".size");
      if (offset > k.kernarg_bytes || size > k.kernarg_bytes - offset) {
        return fail("kernel {}: argument at {} of {} bytes lies outside its {} bytes", k.demangled,
                    offset, size, k.kernarg_bytes);
      }
      k.args.push_back(
          {static_cast<uint32_t>(offset), static_cast<uint32_t>(size), a.text_of(".value_kind")});
    }
  }
  return k;
}

Result<void> read_metadata(const Elf& elf, CodeObject::Impl& out) {
  auto headers = elf.program_headers();
  if (!headers) return fail("code object cut short: {}", reason(headers.takeError()));
  for (const auto& h : *headers) {
    if (h.p_type != llvm::ELF::PT_NOTE) continue;
    llvm::Error error = llvm::Error::success();
    Result<void> result;
    for (const auto& note : elf.notes(h, error)) {
      if (note.getType() != llvm::ELF::NT_AMDGPU_METADATA || note.getName() != "AMDGPU") continue;
      const auto blob = note.getDesc(h.p_align == 8 ? 8 : 4);
      const auto root = MsgPack::read(std::as_bytes(std::span(blob.data(), blob.size())));
      if (!root) {
        result = fail("code object: its metadata is not MessagePack");
        break;
      }
      const MsgPack* kernels = root->find("amdhsa.kernels");
      if (!kernels) continue;
      for (const MsgPack& k : kernels->array) {
        auto kernel = read_kernel(k);
        if (!kernel) {
          result = std::unexpected(kernel.error());
          break;
        }
        out.kernels.push_back(std::move(*kernel));
      }
    }
    if (error) {
      std::string why = reason(std::move(error));
      return fail("code object: notes: {}", why);
    }
    if (!result) return result;
  }
  if (out.kernels.empty()) return fail("code object has no kernels (no AMDGPU metadata)");
  return {};
}

Result<void> read_descriptors(const Symbols& symbols, CodeObject::Impl& out) {
  for (KernelInfo& k : out.kernels) {
    auto it = symbols.address.find(k.symbol + ".kd");
    if (it == symbols.address.end())
      return fail("kernel {}: its descriptor {}.kd is missing", k.demangled, k.symbol);
    llvm::amdhsa::kernel_descriptor_t kd;
    const Segment* in = nullptr;
    for (const Segment& s : out.segments) {
      if (it->second >= s.address && it->second - s.address + sizeof kd <= s.contents.size())
        in = &s;
    }
    if (!in) return fail("kernel {}: its descriptor lies outside the loaded segments", k.demangled);
    std::memcpy(&kd, in->contents.data() + (it->second - in->address), sizeof kd);
    Descriptor d;
    d.entry = it->second + static_cast<uint64_t>(kd.kernel_code_entry_byte_offset);
    d.rsrc1 = kd.compute_pgm_rsrc1;
    d.rsrc2 = kd.compute_pgm_rsrc2;
    d.properties = kd.kernel_code_properties;
    if (!(d.properties & llvm::amdhsa::KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32)) {
      return fail("kernel {}: wave64 code is not emulated, only wave32", k.demangled);
    }
    if (d.entry % 4 != 0 || out.code_at(d.entry).empty()) {
      return fail("kernel {}: its entry {:#x} is not in the code", k.demangled, d.entry);
    }
    k.entry = d.entry;
    out.descriptors.push_back(d);
  }
  return {};
}

uint64_t fnv1a(std::span<const std::byte> bytes) {
  uint64_t h = 0xcbf29ce484222325u;
  for (std::byte b : bytes) h = (h ^ static_cast<uint64_t>(b)) * 0x100000001b3u;
  return h;
}

Result<std::unique_ptr<CodeObject::Impl>> read(std::span<const std::byte> bytes) {
  auto out = std::make_unique<CodeObject::Impl>();
  out->bytes.assign(bytes.begin(), bytes.end());
  if (bytes.size() < 64 || std::memcmp(bytes.data(),
                                       "\x7f"
                                       "ELF",
                                       4) != 0)
    return fail("not an ELF file");
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  if (at(4) != llvm::ELF::ELFCLASS64 || at(5) != llvm::ELF::ELFDATA2LSB)
    return fail("not a 64-bit little-endian ELF file");
  auto elf = Elf::create(
      llvm::StringRef(reinterpret_cast<const char*>(out->bytes.data()), out->bytes.size()));
  if (!elf) return fail("code object cut short: {}", reason(elf.takeError()));
  const auto& header = elf->getHeader();
  if (header.e_machine != llvm::ELF::EM_AMDGPU)
    return fail("not an AMDGPU code object (ELF machine {})", unsigned{header.e_machine});
  if (header.e_ident[llvm::ELF::EI_OSABI] != llvm::ELF::ELFOSABI_AMDGPU_HSA)
    return fail("not an HSA code object (OS ABI {})",
                unsigned{header.e_ident[llvm::ELF::EI_OSABI]});
  const unsigned mach = header.e_flags & llvm::ELF::EF_AMDGPU_MACH;
  for (const ArchName& a : kArchs) {
    if (a.mach == mach) out->arch = a.name;
  }
  if (out->arch.empty())
    return fail(
        "the object is for AMDGPU machine {:#x}; emulated are gfx1100-1103, gfx1150-1151 and "
        "gfx1200-1201",
        mach);
  out->major = out->arch.starts_with("gfx12") ? 12 : 11;
  if (auto r = read_segments(*elf, *out); !r) return std::unexpected(r.error());
  if (auto r = read_metadata(*elf, *out); !r) return std::unexpected(r.error());
  auto symbols = read_symbols(*elf);
  if (!symbols) return std::unexpected(symbols.error());
  if (auto r = read_relocations(*elf, *symbols, *out); !r) return std::unexpected(r.error());
  if (auto r = read_descriptors(*symbols, *out); !r) return std::unexpected(r.error());
  out->variables = std::move(symbols->variables);
  for (const Segment& s : out->segments) {
    if (s.executable) out->text_hash ^= fnv1a(s.contents);
  }
  auto mc = Mc::create(out->arch);
  if (!mc) return std::unexpected(mc.error());
  out->mc = std::move(*mc);
  static std::atomic<uint64_t> next_id{1};
  out->id = next_id++;
  return out;
}

}  // namespace

std::span<const std::string_view> emulated_archs() { return kArchNames; }

std::span<const std::byte> CodeObject::Impl::code_at(uint64_t pc) const {
  for (const Segment& s : segments) {
    if (s.executable && pc >= s.address && pc - s.address < s.contents.size()) {
      return s.contents.subspan(pc - s.address);
    }
  }
  return {};
}

std::string CodeObject::Impl::text_at(uint64_t pc) const {
  const std::scoped_lock lock(mutex);
  const Mc::Decoded d = mc->decode(code_at(pc), pc);
  return d.size ? mc->text(d, pc) : "(not an instruction)";
}

std::string CodeObject::Impl::source_at(uint64_t pc) const {
  const std::scoped_lock lock(mutex);
  if (!lines) lines = std::make_shared<SourceLines>(bytes);
  return lines->at(pc);
}

std::vector<std::string> CodeObject::Impl::files_at(uint64_t pc) const {
  const std::scoped_lock lock(mutex);
  if (!lines) lines = std::make_shared<SourceLines>(bytes);
  return lines->files_at(pc);
}

Result<std::shared_ptr<const CodeObject>> CodeObject::load(std::span<const std::byte> bytes) {
  auto impl = read(bytes);
  if (!impl) return std::unexpected(impl.error());
  return std::make_shared<const CodeObject>(std::move(*impl));
}

CodeObject::CodeObject(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CodeObject::~CodeObject() = default;
std::string_view CodeObject::arch() const { return impl_->arch; }
std::span<const KernelInfo> CodeObject::kernels() const { return impl_->kernels; }
uint64_t CodeObject::text_hash() const { return impl_->text_hash; }

const KernelInfo* CodeObject::find(std::string_view symbol) const {
  for (const KernelInfo& k : impl_->kernels) {
    if (k.symbol == symbol) return &k;
  }
  return nullptr;
}

}  // namespace w4::rdna
