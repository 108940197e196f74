#include "campaign/diff/questioner.h"

#include <fmt/format.h>

#include "results/text.h"

namespace w4::diff {
namespace {

using nlohmann::json;

Reply died(const Death& d) {
  const std::string tail = printable_utf8(d.stderr_tail);
  const std::string how = d.signal != 0 ? fmt::format("crash (signal {})", d.signal)
                                        : fmt::format("the process exits with status {}", d.status);
  return {nullptr, tail.empty() ? how : how + ": " + tail.substr(0, tail.find('\n')), true};
}

}  // namespace

Result<void> Questioner::ask(json question, double seconds) {
  question["id"] = next_;
  question["module"] = home_.module;
  asked_ = next_++;
  end_ = Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  question_ = question.dump();
  auto sent = send();
  if (!sent) asked_.reset();
  return sent;
}

Result<void> Questioner::send() {
  if (!child_) {
    auto child = Child::spawn({"--diff"}, home_.executable);
    if (!child) return std::unexpected(child.error());
    child_ = std::move(*child);
  }
  child_->send(question_);  // a failure shows as its death
  return {};
}

std::optional<Reply> Questioner::reply() {
  if (!child_ || !asked_) return std::nullopt;
  child_->read_stderr();
  const bool alive = child_->read_stdout();
  std::optional<Reply> out;
  const auto text = child_->next_line();
  if (text && *text == kRetires) {
    // It has not read the question that was sent meanwhile.
    child_->reap(false);
    child_.reset();
    if (const auto sent = send(); !sent) out = Reply{nullptr, sent.error().text, false};
  } else if (text) {
    json said = json::parse(*text, nullptr, false);
    const bool answers = said.is_object() && said.contains("id") && said["id"] == *asked_;
    if (!answers) {
      // Whoever answers what was not asked may have more of it.
      out = Reply{nullptr, "writes into the answers of its worker", true};
      child_.reset();
    } else if (said.contains("error")) {
      out = Reply{nullptr, said["error"].is_string() ? said["error"].get<std::string>() : "error",
                  false};
    } else {
      out = Reply{std::move(said), "", false};
    }
  } else if (!alive) {
    out = died(child_->reap(false));
    child_.reset();
  } else if (Clock::now() > end_) {
    out = Reply{nullptr, "timeout", true};
    child_.reset();
  }
  if (out) asked_.reset();
  return out;
}

void Questioner::watch(std::vector<pollfd>& fds) const {
  if (!child_ || !asked_) return;
  fds.push_back({child_->out_fd(), POLLIN, 0});
  fds.push_back({child_->err_fd(), POLLIN, 0});
}

}  // namespace w4::diff
