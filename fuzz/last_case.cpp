#include "fuzz/last_case.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

namespace w4::fuzz {
namespace {

// Of fixed size and without a constructor: a handler may read nothing else.
constinit std::array<char, 8192> note{};
constinit size_t note_length = 0;
struct sigaction before[NSIG];

void tell() {
  const ssize_t written = ::write(STDERR_FILENO, note.data(), note_length);
  (void)written;
  note_length = 0;
}

void tell_and_pass_on(int signal, siginfo_t* info, void* context) {
  tell();
  const struct sigaction& other = before[signal];
  if ((other.sa_flags & SA_SIGINFO) != 0) {
    other.sa_sigaction(signal, info, context);
  } else if (other.sa_handler != SIG_DFL && other.sa_handler != SIG_IGN) {
    other.sa_handler(signal);
  } else {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

// After the engine has set up its own, which it does before it runs an input.
bool catch_crashes() {
  struct sigaction action = {};
  action.sa_sigaction = tell_and_pass_on;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_NODEFER | SA_ONSTACK);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(signal, &action, &before[signal]);
  return std::atexit(tell) == 0;
}

}  // namespace

LastCase::LastCase(const Case& c) {
  static const bool caught = catch_crashes();
  (void)caught;
  const std::string text = fmt::format("crash or exit in: w4check rerun '{}'\n", to_string(c));
  note_length = std::min(text.size(), note.size());
  std::copy_n(text.data(), note_length, note.data());
}

LastCase::~LastCase() { note_length = 0; }

}  // namespace w4::fuzz
