// Ctrl-C as a question that loops ask. The only state of the program that is global: a signal
// handler can reach nothing else.
#pragma once

namespace w4 {

// From now on SIGINT and SIGTERM ask for a clean stop; a second one ends the process at once.
// A reader that goes away (`| head`) becomes a failed write instead of a signal.
void catch_interrupts();

bool interrupted();

}  // namespace w4
