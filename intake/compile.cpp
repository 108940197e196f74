#include "intake/compile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

extern char** environ;

namespace w4 {
namespace {

namespace fs = std::filesystem;

// Where this program was built; its own folders win (find_intake_tools).
constexpr const char* kSourceRoot = W4_SOURCE_ROOT;
constexpr const char* kBuildRoot = W4_BUILD_ROOT;

// Removed at the end, unless somebody wants to keep it.
struct WorkFolder {
  fs::path path;
  bool keep = false;
  ~WorkFolder() {
    std::error_code ec;
    if (!keep && !path.empty()) fs::remove_all(path, ec);
  }
};

// The exit status; 128 + the signal where one ended it. It is the head of a process group of its
// own: where `stop` says so the compiler ends with all that it started, so that nothing of theirs
// is left.
Result<int> run_program(const std::vector<std::string>& words, const std::function<bool()>& stop) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  sigset_t caught;
  sigemptyset(&caught);
  for (const int s : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&caught, s);
  posix_spawnattr_setsigdefault(&how, &caught);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int e = posix_spawnp(&pid, argv[0], nullptr, &how, argv.data(), environ);
  posix_spawnattr_destroy(&how);
  if (e != 0) return fail("cannot run '{}': {}", words.front(), std::strerror(e));
  int status = 0;
  // Asked, not told by a signal, which may have come before there was anything to wait for.
  for (bool told = false;;) {
    const pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid) break;
    if (done < 0 && errno != EINTR)
      return fail("waiting for '{}': {}", words.front(), std::strerror(errno));
    if (!told && stop && stop()) {
      kill(-pid, SIGTERM);
      told = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result<void> write_file(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) return fail("cannot write '{}'", path.string());
  return {};
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string c_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// Names a file in an #include, whatever is in its path: a quote or a backslash is not possible.
std::string glue(const CompileRequest& r) {
  std::string out = fmt::format("#include \"{}\"\n#include \"w4_glue.h\"\nW4_OPS_BEGIN\n",
                                fs::absolute(r.sources.front()).string());
  for (const std::string& op : r.ops) out += fmt::format("W4_OP({})\n", op);
  return out + fmt::format("W4_OPS_END({}, {}, {})\n", c_literal(r.sources.front()),
                           c_literal(r.arch), c_literal(r.manifest));
}

// HIP 5 declares the copy assignment of its vector types itself, so that a union with a float2 in
// it, which later releases and the sources written for them have, cannot be assigned. A copy of
// that header with the default in its place goes first.
Result<void> shadow_vector_types(const fs::path& include) {
  constexpr std::string_view kName = "hip/amd_detail/amd_hip_vector_types.h";
  constexpr std::string_view kHead =
      "HIP_vector_base& operator=(const HIP_vector_base& x_) noexcept {";
  std::string text = read_text(fs::path("/usr/include") / kName);
  size_t changed = 0;
  for (size_t at = 0; (at = text.find(kHead, at)) != text.npos; ++changed) {
    size_t end = at + kHead.size();
    for (int depth = 1; depth > 0 && end < text.size(); ++end) {
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    }
    constexpr std::string_view kDefault =
        "HIP_vector_base& operator=(const HIP_vector_base&) = default;";
    text.replace(at, end - at, kDefault);
    at += kDefault.size();
  }
  if (changed == 0) return {};
  std::error_code ec;
  fs::create_directories((include / kName).parent_path(), ec);
  return write_file(include / kName, text);
}

// The distribution's device libraries know no gfx11 and gfx12: links to them, and the one file that
// clang asks for beside them. Its value is major*1000 + minor*100 + stepping.
Result<void> shadow_device_libraries(const fs::path& to, const IntakeTools& tools,
                                     const std::string& arch) {
  std::error_code ec;
  fs::create_directories(to, ec);
  for (const auto& file : fs::directory_iterator(tools.bitcode, ec)) {
    if (file.path().extension() != ".bc") continue;
    const fs::path link = to / file.path().filename();
    fs::remove(link, ec);
    fs::create_symlink(file.path(), link, ec);
    if (ec) return fail("cannot make the link '{}': {}", link.string(), ec.message());
  }
  const std::string digits = arch.substr(3);
  const fs::path bc = to / fmt::format("oclc_isa_version_{}.bc", digits);
  if (fs::exists(bc)) return {};
  int stepping = 0;
  std::from_chars(digits.data() + 3, digits.data() + 4, stepping, 16);
  const int value = std::stoi(digits.substr(0, 2)) * 1000 + (digits[2] - '0') * 100 + stepping;
  const fs::path source = to / "isa_version.c";
  constexpr std::string_view kType = "const __attribute__((address_space(4))) int";
  if (auto done =
          write_file(source, fmt::format("extern {0} __oclc_ISA_version;\n__attribute__((weak, "
                                         "visibility(\"hidden\"))) {0} __oclc_ISA_version = {1};\n",
                                         kType, value));
      !done) {
    return done;
  }
  const auto ended =
      run_program({tools.clang, "-x", "c", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-O2",
                   "-emit-llvm", "-c", "-o", bc.string(), source.string()},
                  {});
  if (!ended) return std::unexpected(ended.error());
  if (*ended != 0) return fail("'{}' cannot compile for amdgcn", tools.clang);
  return {};
}

Result<void> prepare_folder(WorkFolder& folder, const std::string& keep) {
  std::error_code ec;
  if (!keep.empty()) {
    fs::create_directories(keep, ec);
    if (ec || !fs::is_directory(keep)) return fail("--keep: cannot make the folder '{}'", keep);
    folder.path = fs::absolute(keep);
    folder.keep = true;
    return {};
  }
  std::string name = (fs::temp_directory_path(ec) / "w4intake-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    return fail("cannot make the folder '{}': {}", name, std::strerror(errno));
  folder.path = name;
  return {};
}

std::vector<std::string> command(const CompileRequest& r, const IntakeTools& t,
                                 const fs::path& folder, const std::string& out) {
  const bool own_libraries = t.rocm == "/usr";
  std::vector<std::string> c = {t.clang, "-x", "hip", "-std=c++17", "-O3", "-DNDEBUG", "-DUSE_ROCM",
                                "-D__HIP_PLATFORM_AMD__=1", "-fPIC", "-shared",
                                // .text is what it is without; plain -g would change it.
                                "-gline-tables-only", "-mcode-object-version=5",
                                "--rocm-path=" + t.rocm, "--offload-arch=" + r.arch};
  // Two builds of one source are the same bytes without it; two sources in one module need it.
  if (r.sources.size() == 1) c.push_back("-fuse-cuid=none");
  const auto device_libraries = own_libraries ? (folder / "devlib").string() : t.bitcode;
  c.push_back("--rocm-device-lib-path=" + device_libraries);
  for (const std::string& d : r.include_dirs) c.push_back("-I" + d);
  for (const std::string& d : r.defines) c.push_back("-D" + d);
  const fs::path lite = t.torch_lite;
  for (const fs::path& d : {folder / "include", lite, lite / "vllm", lite / "vllm/rocm"}) {
    c.insert(c.end(), {"-isystem", d.string()});
  }
  c.insert(c.end(), {"-include", (lite / "w4/older_clang.h").string()});
  // HIP's headers ask for it of every call, and launchers do not.
  c.push_back("-Wno-unused-result");
  for (const fs::path& d : {fs::path(t.include_root), lite / "fallback"}) {
    c.insert(c.end(), {"-idirafter", d.string()});
  }
  c.insert(c.end(), r.flags.begin(), r.flags.end());
  c.push_back((folder / "glue.cpp").string());
  c.insert(c.end(), r.sources.begin() + 1, r.sources.end());
  // Its own device is libw4hip's; what no library has is an error now, not when it is opened.
  c.insert(c.end(), {"-no-hip-rt", "-Wl,-z,defs", "-o", out, "-x", "none", t.hip_library,
                     "-Wl,-rpath," + fs::path(t.hip_library).parent_path().string()});
  return c;
}

std::string as_typed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += fmt::format("'{}' ", w);
  return out + "\n";
}

std::optional<std::string> first_there(const std::vector<fs::path>& places) {
  std::error_code ec;
  for (const fs::path& p : places) {
    if (fs::exists(p, ec)) return p.string();
  }
  return std::nullopt;
}

std::string value_of(const char* variable, const std::string& otherwise) {
  const char* const v = std::getenv(variable);
  return v == nullptr || *v == 0 ? otherwise : v;
}

}  // namespace

Result<IntakeTools> find_intake_tools(std::string_view arch) {
  IntakeTools t;
  std::error_code ec;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", ec).parent_path().parent_path();
  const fs::path installed = prefix / "include/w4check";
  if (fs::exists(installed / "torch_lite/w4_glue.h", ec)) {
    t.include_root = installed.string();
    t.torch_lite = (installed / "torch_lite").string();
  } else if (fs::exists(fs::path(kSourceRoot) / "intake/torch_lite/w4_glue.h", ec)) {
    t.include_root = kSourceRoot;
    t.torch_lite = fs::path(kSourceRoot) / "intake/torch_lite";
  } else {
    return fail("torch_lite is neither in '{}' nor in '{}/intake'", installed.string(),
                kSourceRoot);
  }
  const auto library =
      first_there({prefix / "lib/libw4hip.so", fs::path(kBuildRoot) / "lib/libw4hip.so"});
  if (!library) {
    return fail("libw4hip.so is neither in '{}' nor in '{}'", (prefix / "lib").string(),
                (fs::path(kBuildRoot) / "lib").string());
  }
  t.hip_library = *library;

  const fs::path rocm = value_of("ROCM_PATH", "/opt/rocm");
  const std::string isa = fmt::format("oclc_isa_version_{}.bc", arch.substr(3));
  std::vector<fs::path> bitcode = {rocm / "amdgcn/bitcode" / isa};
  for (const int version : {17, 18, 19, 20, 21, 22}) {
    bitcode.push_back(rocm / fmt::format("lib/llvm/lib/clang/{}/lib/amdgcn/bitcode", version) /
                      isa);
  }
  if (const auto found = first_there(bitcode)) {
    t.rocm = rocm.string();
    t.bitcode = fs::path(*found).parent_path().string();
    t.clang = first_there({rocm / "llvm/bin/clang++", rocm / "lib/llvm/bin/clang++"})
                  .value_or("clang++-19");
  } else {
    t.rocm = "/usr";
    t.clang = "clang++-19";
    const auto distribution = first_there(
        {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc", "/usr/lib/amdgcn/bitcode/ocml.bc"});
    if (!distribution) {
      return fail(
          "no device libraries: neither a ROCm that knows {} in '{}' (set ROCM_PATH) nor the "
          "package rocm-device-libs",
          arch, rocm.string());
    }
    t.bitcode = fs::path(*distribution).parent_path().string();
  }
  t.clang = value_of("W4_CLANG", t.clang);
  return t;
}

Result<bool> compile_source(const CompileRequest& r, const IntakeTools& tools) {
  WorkFolder folder;
  if (auto done = prepare_folder(folder, r.keep); !done) return std::unexpected(done.error());
  if (auto done = write_file(folder.path / "glue.cpp", glue(r)); !done)
    return std::unexpected(done.error());
  if (tools.rocm == "/usr") {
    for (auto& done : {shadow_device_libraries(folder.path / "devlib", tools, r.arch),
                       shadow_vector_types(folder.path / "include")}) {
      if (!done) return std::unexpected(done.error());
    }
  }
  // Beside the end, as a rename across file systems is no single step.
  const std::string unfinished = fmt::format("{}.{}.unfinished", r.out, getpid());
  const auto words = command(r, tools, folder.path, unfinished);
  if (folder.keep) {
    if (auto done = write_file(folder.path / "command", as_typed(words)); !done)
      return std::unexpected(done.error());
  }
  const auto ended = run_program(words, r.stop);
  std::error_code ec;
  if (!ended || *ended != 0) {
    fs::remove(unfinished, ec);
    if (!ended) return std::unexpected(ended.error());
    return false;
  }
  fs::rename(unfinished, r.out, ec);
  if (ec) {
    const std::string why = ec.message();
    fs::remove(unfinished, ec);
    return fail("cannot write '{}': {}", r.out, why);
  }
  return true;
}

std::vector<std::string> functions_with_tensors(std::string_view source) {
  constexpr std::string_view kResults[] = {"torch::Tensor ", "at::Tensor ", "void "};
  constexpr std::string_view kWord =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::vector<std::string> found;
  for (size_t line = 0; line < source.size();
       line = source.find('\n', line), line += line != source.npos) {
    const std::string_view rest = source.substr(line);
    for (const std::string_view result : kResults) {
      if (!rest.starts_with(result)) continue;
      const size_t end = rest.find_first_not_of(kWord, result.size());
      if (end == rest.npos || rest[end] != '(') continue;
      const size_t stop = rest.find_first_of("{;", end);
      if (stop == rest.npos || rest[stop] != '{') continue;  // a declaration
      if (rest.substr(end, stop - end).find("Tensor") == rest.npos) continue;
      found.emplace_back(rest.substr(result.size(), end - result.size()));
    }
    if (source.find('\n', line) == source.npos) break;
  }
  return found;
}

}  // namespace w4
