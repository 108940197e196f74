// A crash inside a module or the emulator as a case that can be run again: the line of the case
// that runs is printed before whoever else handles the crash (the engine, a sanitizer) has its say.
#pragma once

#include "core/case.h"

namespace w4::fuzz {

// While it lives, a crash of the process (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) or its end by
// exit() prints the line of this case first. One at a time.
class LastCase {
 public:
  explicit LastCase(const Case& c);
  ~LastCase();
  LastCase(const LastCase&) = delete;
};

}  // namespace w4::fuzz
