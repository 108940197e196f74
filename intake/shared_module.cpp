#include "intake/shared_module.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "intake/check_table.h"
#include "intake/in_module.h"

namespace w4 {
namespace {

constexpr const char* kLegalFile = "legal: an ELF shared object for x86-64, or a manifest (.json)";

// The loader maps what is not there without a word, and whoever touches it dies.
Result<void> is_whole(std::ifstream& in, const Elf64_Ehdr& header, uint64_t bytes) {
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    in.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof segment));
    in.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (in.gcount() != sizeof segment) {
      return fail("cut short: it has {} bytes, and no whole program header", bytes);
    }
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset > bytes || segment.p_filesz > bytes - segment.p_offset) {
      return fail("cut short: it has {} bytes, and a segment of {} bytes at {}", bytes,
                  segment.p_filesz, segment.p_offset);
    }
  }
  return {};
}

// What the header says before the loader is asked, whose words are about other things.
Result<void> check_file(const std::string& path) {
  std::error_code ec;
  if (!std::filesystem::exists(path, ec)) return fail("cannot open it: there is no such file");
  if (!std::filesystem::is_regular_file(path, ec)) return fail("not a file; {}", kLegalFile);
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("cannot open it: {}", std::strerror(errno));
  Elf64_Ehdr header{};
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (in.gcount() < EI_NIDENT || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return fail("not a shared object: no ELF header; {}", kLegalFile);
  }
  constexpr Elf64_Half kAmdGpu = 224;
  if (header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == kAmdGpu) {
    return fail(
        "device code (an AMDGPU code object), not host code; it becomes a module with a "
        "manifest (.json)");
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_X86_64) {
    return fail(
        "built for another architecture (ELF class {}, machine {}); legal: x86-64 (class "
        "{}, machine {})",
        static_cast<int>(header.e_ident[EI_CLASS]), header.e_machine, ELFCLASS64, EM_X86_64);
  }
  if (header.e_type != ET_DYN) {
    return fail("not a shared object but {}; legal: linked with -shared",
                header.e_type == ET_REL ? "an object file (.o)" : "another kind of ELF file");
  }
  return is_whole(in, header, std::filesystem::file_size(path, ec));
}

// What dlopen says, without the path, which stands there already.
std::string loader_says(const std::string& file) {
  const char* said = dlerror();
  std::string text = said == nullptr ? "no reason given" : said;
  if (text.starts_with(file + ": ")) text.erase(0, file.size() + 2);
  constexpr std::string_view kUndefined = "undefined symbol: ";
  if (text.starts_with(kUndefined)) {
    return "undefined symbol '" + text.substr(kUndefined.size()) +
           "'; legal: linked with what defines it";
  }
  return text;
}

// A module says where libw4hip was when it was made. Where that is gone, the one beside this
// program will do: the loader takes what has the name and is there.
bool load_own_hip() {
  std::error_code ec;
  const auto prefix =
      std::filesystem::read_symlink("/proc/self/exe", ec).parent_path().parent_path();
  const std::string library = (prefix / "lib/libw4hip.so").string();
  return dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != nullptr;
}

}  // namespace

Result<void*> load_library(const std::string& path) {
  // A name without a slash would be looked up in the system's library path.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  if (auto fits = check_file(file); !fits) return fail("module '{}': {}", path, fits.error().text);
  const auto open = [&] {
    const InModule here("a constructor", "", path);
    return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  };
  void* handle = open();
  if (handle != nullptr) return handle;
  std::string why = loader_says(file);
  if (why.find("libw4hip.so: cannot open") != why.npos && load_own_hip()) {
    handle = open();
    if (handle != nullptr) return handle;
    why = loader_says(file);
  }
  return fail("module '{}': cannot open it: {}", path, why);
}

Result<std::shared_ptr<const SharedModule>> SharedModule::make(void* library,
                                                               const std::string& path) {
  const std::shared_ptr<SharedModule> module(new SharedModule);
  using Entry = const w4_module* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, W4_MODULE_ENTRY));
  if (entry == nullptr) {
    if (dlsym(library, "w4_module_v0") != nullptr) {
      return fail("module '{}': built for version 0 of module.h; legal: version {}", path,
                  W4_MODULE_VERSION);
    }
    if (dlsym(library, "_Z12w4_module_v1v") != nullptr) {
      return fail("module '{}': {} has a C++ name; legal: extern \"C\"", path, W4_MODULE_ENTRY);
    }
    return fail("module '{}': no entry {}; legal: a shared object that exports it", path,
                W4_MODULE_ENTRY);
  }
  {
    const InModule here(W4_MODULE_ENTRY "()", "", path);
    module->table_ = entry();
  }
  const InModule here("the table", "", path);
  if (module->table_ == nullptr)
    return fail("module '{}': {} gave no table", path, W4_MODULE_ENTRY);
  if (module->table_->version != W4_MODULE_VERSION) {
    return fail("module '{}': interface version {}; legal: {}", path, module->table_->version,
                W4_MODULE_VERSION);
  }
  if (module->table_->kernel_bytes != sizeof(w4_kernel)) {
    return fail("module '{}': a w4_kernel of {} bytes; legal: {}, as version {} has it", path,
                module->table_->kernel_bytes, sizeof(w4_kernel), W4_MODULE_VERSION);
  }
  if (auto fits = check_table(*module->table_); !fits) {
    return fail("module '{}': {}", path, fits.error().text);
  }
  return module;
}

}  // namespace w4
