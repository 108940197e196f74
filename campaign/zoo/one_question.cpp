#include "campaign/zoo/one_question.h"

#include <poll.h>

#include <chrono>

#include "campaign/child.h"

namespace w4::zoo {

Result<nlohmann::json> one_question(const std::string& option, const std::string& line,
                                    double seconds) {
  constexpr int kPollMs = 100;
  auto child = Child::spawn({option});
  if (!child) return std::unexpected(child.error());
  child->send(line);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    pollfd fds[]{{child->out_fd(), POLLIN, 0}, {child->err_fd(), POLLIN, 0}};
    ::poll(fds, 2, kPollMs);
    child->read_stderr();
    const bool alive = child->read_stdout();
    if (const auto text = child->next_line()) {
      nlohmann::json said = nlohmann::json::parse(*text, nullptr, false);
      if (said.is_discarded()) return fail("worker {}: '{}' is no answer", option, *text);
      return said;
    }
    if (!alive) {
      const Death d = child->reap(false);
      return fail(
          "worker {}: it ends with {}", option,
          d.signal != 0 ? fmt::format("signal {}", d.signal) : fmt::format("status {}", d.status));
    }
  }
  child->reap(true);
  return fail("worker {}: no answer within {} s", option, seconds);
}

}  // namespace w4::zoo
