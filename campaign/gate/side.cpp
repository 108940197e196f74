#include "campaign/gate/side.h"

#include <elf.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/child.h"
#include "campaign/plan.h"
#include "intake/open_module.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4::gate {
namespace {

namespace fs = std::filesystem;
constexpr double kStartSeconds = 30;
constexpr const char* kLegal =
    "legal: builtin, a module (docs/modules.md), a w4check, or a folder with bin/w4check";

// A program asks for its interpreter; a shared object mostly does not.
bool is_program(const fs::path& path) {
  std::ifstream f(path, std::ios::binary);
  Elf64_Ehdr head{};
  if (!f.read(reinterpret_cast<char*>(&head), sizeof head)) return false;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_machine != EM_X86_64) {
    return false;
  }
  for (int i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    f.seekg(static_cast<std::streamoff>(head.e_phoff) + i * head.e_phentsize);
    if (!f.read(reinterpret_cast<char*>(&part), sizeof part)) return false;
    if (part.p_type == PT_INTERP) return true;
  }
  return false;
}

// What `worker --protocol` says.
Result<nlohmann::json> introduced(const std::string& executable) {
  auto child = Child::spawn({"--protocol"}, executable);
  if (!child) return std::unexpected(child.error());
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kStartSeconds);
  while (std::chrono::steady_clock::now() < end) {
    constexpr int kPollMs = 100;
    pollfd fds[]{{child->out_fd(), POLLIN, 0}, {child->err_fd(), POLLIN, 0}};
    ::poll(fds, 2, kPollMs);
    child->read_stderr();
    const bool alive = child->read_stdout();
    if (const auto text = child->next_line()) {
      nlohmann::json said = nlohmann::json::parse(*text, nullptr, false);
      if (said.is_object() && said.contains("protocol") && said["protocol"].is_number_integer() &&
          said.contains("build") && said["build"].is_string()) {
        return said;
      }
      return fail("it does not say which protocol its workers have");
    }
    if (!alive) return fail("it ends without saying which protocol its workers have");
  }
  return fail("it does not say within {} s which protocol its workers have", kStartSeconds);
}

Result<Side> open_build(const char* option, const std::string& text, const fs::path& program) {
  std::error_code ec;
  const fs::path whole = fs::absolute(program, ec);
  const auto said = introduced(ec ? program.string() : whole.string());
  if (!said) {
    return fail("{}: '{}' is no w4check, or one from before there was a gate: {}; {}", option, text,
                said.error().text, kLegal);
  }
  const int64_t protocol = said->at("protocol");
  if (protocol != kWorkerProtocol) {
    return fail(
        "{}: the workers of '{}' have protocol {}, this w4check has {}; legal: builds of one "
        "protocol",
        option, text, protocol, kWorkerProtocol);
  }
  Side side{text, {"", whole.string()}, printable_utf8(said->at("build").get<std::string>())};
  return side;
}

Result<Side> open_file_as_module(const char* option, const std::string& text) {
  Case c;
  c.kernel = "decode";
  c.module = text == kBuiltIn ? "" : text;
  const auto again = parse_case(to_string(c));
  if (text.empty() || !again || again->module != c.module)
    return fail("{}: '{}' cannot stand in a case line (no blanks, no #); {}", option, text, kLegal);
  if (const auto runs = check_runnable(c); !runs)
    return fail("{}: {}; {}", option, runs.error().text, kLegal);
  return Side{text, {c.module, ""}, build_id()};
}

}  // namespace

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string Side::rerun(Case c) const {
  c.module = home.module;
  std::error_code ec;
  fs::path program = "w4check";
  if (!home.executable.empty())
    program = fs::is_directory(given, ec) ? given + "/bin/w4check" : given;
  return fmt::format("{} rerun {}", shell_word(program.string()), shell_word(to_string(c)));
}

bool same_bytes(const Side& a, const Side& b) {
  const auto same = [](const std::string& x, const std::string& y) {
    if (x == y) return true;
    if (x.empty() || y.empty() || x.ends_with(".json") || y.ends_with(".json")) return false;
    std::ifstream f(x, std::ios::binary), g(y, std::ios::binary);
    return f && g &&
           std::equal(std::istreambuf_iterator<char>(f), {}, std::istreambuf_iterator<char>(g), {});
  };
  return same(a.home.executable, b.home.executable) && same(a.home.module, b.home.module);
}

Result<Side> open_side(const char* option, const std::string& text) {
  std::error_code ec;
  if (fs::is_directory(text, ec)) {
    const fs::path program = fs::path(text) / "bin" / "w4check";
    if (fs::is_regular_file(program, ec)) return open_build(option, text, program);
    return fail("{}: the folder '{}' has no bin/w4check; {}", option, text, kLegal);
  }
  if (fs::is_regular_file(text, ec) && is_program(text)) return open_build(option, text, text);
  return open_file_as_module(option, text);
}

}  // namespace w4::gate
