// A crash of the process as a case that can be run again: the note is written by the signal
// handler, so a case says beforehand what the note will be.
#pragma once

#include <string>

namespace w4 {

// From now on a thread that crashes (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) writes its note to
// standard error before the process ends as it would have.
void catch_crashes();

// The note of this thread; stays until the next one.
void set_crash_note(const std::string& text);

}  // namespace w4
