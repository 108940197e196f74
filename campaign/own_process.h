// Native code may take its process down or never end: a command that runs some is this program
// again, which does the work and reports with its exit code.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace w4 {

// What the process of its own runs, beside `parent_of_it` below: its exit code, marked, so that an
// exit of native code is told apart.
int as_own_process(const std::function<int()>& work);

// Runs `w4check WORDS…`, whose command ends with as_own_process(), and returns what its work
// returned. Ctrl-C is passed on. Where the process ends otherwise or takes longer than `seconds`,
// a line that begins with `label` says so, and the code is kRed.
int in_own_process(const std::string& label, std::vector<std::string> words, double seconds);

// Standard output for people, and JSON beside it: to a file, or to standard output, where people's
// text then goes to stderr. In a process of its own what native code prints goes to stderr, and it
// finds no other stream.
class JsonAside {
 public:
  JsonAside(const std::string& json, bool own_process);
  JsonAside(const JsonAside&) = delete;
  ~JsonAside();
  const std::string& error() const { return error_; }  // a usage error; empty: none
  FILE* people() const { return people_; }
  // Flushes both; a complaint on stderr where one cannot be written. `json` is one line.
  bool write(const std::string& json) const;

 private:
  FILE* out_ = stdout;
  FILE* people_ = stdout;
  FILE* json_ = nullptr;
  std::string error_;
};

}  // namespace w4
