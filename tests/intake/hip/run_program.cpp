#include "tests/intake/hip/run_program.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace w4::hip {

Ended run_program(const std::string& environment, const std::string& program) {
  Ended out;
  const std::string command =
      "timeout 60 env " + environment + " " W4HIP_PROGRAMS + program + " 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return out;
  std::array<char, 4096> piece{};
  while (const size_t n = std::fread(piece.data(), 1, piece.size(), pipe))
    out.text.append(piece.data(), n);
  const int status = ::pclose(pipe);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return out;
}

}  // namespace w4::hip
