#include "verify/explain/runs.h"

namespace w4::explain {

Runs::Runs(Context& context, const Options& options, std::vector<std::string>& lines)
    : context_(context),
      options_(options),
      lines_(lines),
      end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(options.seconds))) {}

Seen Runs::look(const Case& c) {
  if (over()) return nullptr;
  lines_.push_back(to_string(c));
  options_.progress(lines_.back());
  auto seen = observe(c, context_);
  return seen ? std::move(*seen) : nullptr;
}

std::string_view Runs::why_over() const {
  return options_.stop() ? "interrupted" : "the time was over";
}

}  // namespace w4::explain
