#include "core/rerun.h"

namespace w4 {
namespace {

// In single quotes for a POSIX shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (char ch : text) {
    if (ch == '\'') {
      out += R"('\'')";
    } else {
      out += ch;
    }
  }
  return out + "'";
}

}  // namespace

std::string command_to_rerun(std::string_view line) {
  if (line.starts_with("w4fuzz ")) return std::string(line);
  return "w4check rerun " + shell_quoted(line);
}

}  // namespace w4
