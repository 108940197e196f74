// A worker process seen from its parent: this binary, or that of another build, executed as
// `w4check worker`, case lines in, verdicts as JSON out.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace w4 {

// Where a worker finds the memory for its place.
inline constexpr int kPlaceFd = 3;

// What parent and worker say to each other: verdicts (results/verdict_json.h) and the questions of
// campaign/diff/answers.h. Changes where a worker of another build would be misunderstood.
inline constexpr int kWorkerProtocol = 1;

// What a worker says last when its GPU is lost to the process: the next line is for a new one.
inline constexpr const char* kRetires = "retires";

struct Death {
  int signal = 0;  // 0: it exited by itself
  int status = 0;  // exit status where signal is 0
  std::string stderr_tail;
  std::string place;  // the function of a module that it was in; empty: none
};

class Child {
 public:
  // `w4check worker` with further options. `executable`: path of a w4check; empty: this one.
  static Result<Child> spawn(std::vector<std::string> options, const std::string& executable = {});
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // kills it where it still lives

  // False: the child is gone (its death shows in read_answers()).
  bool send(const std::string& line);
  int out_fd() const { return out_; }
  int err_fd() const { return err_; }
  // Takes what stderr holds; the last 4 KiB are kept.
  void read_stderr();
  // Takes what stdout holds. False at its end: the child is dead or dying.
  bool read_stdout();
  std::optional<std::string> next_line();  // a whole line of stdout
  // Waits for the end; kills first where asked.
  Death reap(bool kill_first);
  // What it holds in memory, in bytes; 0 where that cannot be told.
  int64_t resident_bytes() const;
  // The function of a module that it is in, or was in when it died (intake/in_module.h).
  std::string place() const;

 private:
  Child() = default;
  void close_all();

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  char* place_ = nullptr;  // shared with it
  std::string buffer_, tail_;
};

}  // namespace w4
