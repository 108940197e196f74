#include "campaign/interrupt.h"

#include <csignal>

namespace w4 {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

void ask_stop(int) { stop_asked = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = ask_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return stop_asked != 0; }

}  // namespace w4
