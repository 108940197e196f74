// A process as a test sees it: arguments in, exit code and both streams out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace w4::testing {

struct Finished {
  int code = -1;  // 128 + signal where a signal ended it
  std::string out, err;
};

// Runs W4_COMMAND with these arguments; `input` is its standard input.
Finished w4check(const std::vector<std::string>& arguments, const std::string& input = "");

// The same with standard output on the file `output`, or closed where that is empty; `out` stays
// empty.
Finished w4check_writing_to(const std::string& output, const std::vector<std::string>& arguments);

// The same, with SIGINT as soon as it has written something to `file`.
Finished w4check_interrupted(const std::vector<std::string>& arguments, const std::string& file);

// A folder that is gone at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::string& path);

}  // namespace w4::testing
