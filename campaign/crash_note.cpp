#include "campaign/crash_note.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace w4 {
namespace {

// Of fixed size and without a constructor: a handler may read nothing else.
constinit thread_local std::array<char, 8192> note{};
constinit thread_local size_t note_length = 0;

void write_note(int signal) {
  const ssize_t written = ::write(STDERR_FILENO, note.data(), note_length);
  (void)written;
  ::raise(signal);  // SA_RESETHAND: ends the process
}

}  // namespace

void catch_crashes() {
  struct sigaction action = {};
  action.sa_handler = write_note;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    sigaction(signal, &action, nullptr);
  }
}

void set_crash_note(const std::string& text) {
  note_length = std::min(text.size(), note.size());
  std::copy_n(text.data(), note_length, note.data());
}

}  // namespace w4
