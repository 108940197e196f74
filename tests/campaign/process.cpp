#include "campaign/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace w4::testing {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "w4cliXXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return *this / name;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

namespace {

Finished run(const std::vector<std::string>& arguments, const std::string& input,
             const std::function<void(pid_t)>& meanwhile, const char* standard_output = nullptr) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input), err = folder / "err";
  const std::string out = standard_output == nullptr ? folder / "out" : standard_output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  if (out.empty()) {
    posix_spawn_file_actions_addclose(&actions, 1);
  } else {
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  }
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  std::vector<std::string> words{W4_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  if (posix_spawn(&pid, W4_COMMAND, &actions, nullptr, argv.data(), environ) != 0) {
    throw std::runtime_error("cannot start " W4_COMMAND);
  }
  posix_spawn_file_actions_destroy(&actions);
  meanwhile(pid);
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          standard_output == nullptr ? read_file(out) : "", read_file(err)};
}

}  // namespace

Finished w4check(const std::vector<std::string>& arguments, const std::string& input) {
  return run(arguments, input, [](pid_t) {});
}

Finished w4check_writing_to(const std::string& output, const std::vector<std::string>& arguments) {
  return run(arguments, "", [](pid_t) {}, output.c_str());
}

Finished w4check_interrupted(const std::vector<std::string>& arguments, const std::string& file) {
  return run(arguments, "", [&](pid_t pid) {
    std::error_code ec;
    // A minute: a command that writes nothing is found out by its exit code.
    for (int i = 0; i < 12000; ++i) {
      if (const auto size = std::filesystem::file_size(file, ec); !ec && size > 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    kill(pid, SIGINT);
  });
}

}  // namespace w4::testing
