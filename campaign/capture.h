// `w4check capture`: what a GPU's instructions give, as a file that the emulator is held against
// (docs/capture.md).
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace w4 {

struct CaptureCommand {
  std::string device = "hip";  // or an emulated arch
  std::string out;             // file; empty: capture-<arch>.json
  std::string replay;          // a capture to hold against the emulator; empty: capture
  int64_t cases = 2000;
  bool quick = false;       // a tenth of the cases, the values that are kept bit for bit, few more
  bool in_process = false;  // a GPU's driver too: what the command runs in a process of its own
};

// Adds `capture`; parsing sets `c`.
void add_capture(CLI::App& app, CaptureCommand& c);

// Exit code: 0 captured, or replayed and everything agrees; 1 something differs, or the GPU failed;
// 2 usage, no such device, a file that cannot be written or read; 130 interrupted, nothing written.
int capture_command(const CaptureCommand& c);

}  // namespace w4
