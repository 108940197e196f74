#include "campaign/runner.h"

#include <exception>

#include "verify/build_id.h"
#include "verify/context.h"
#include "verify/run_case.h"

namespace w4 {

struct Runner::Impl {
  explicit Impl(uint32_t threads) : context(threads) {}
  Context context;
};

Runner::Runner(uint32_t threads) : threads_(threads), impl_(std::make_unique<Impl>(threads)) {}
Runner::~Runner() = default;

bool Runner::lost() const { return impl_->context.lost(); }

void Runner::count_into(rdna::Figures* figures) { impl_->context.set_figures(figures); }

Verdict Runner::run(const Case& c, bool trace) {
  return guarded(c, [&] { return diff::WithOutput{run_case(c, impl_->context, trace), {}}; })
      .verdict;
}

diff::WithOutput Runner::run_for_output(const Case& c) {
  return guarded(c, [&] { return diff::run_for_output(c, impl_->context); });
}

template <class F>
diff::WithOutput Runner::guarded(const Case& c, F run) {
  diff::WithOutput out;
  try {
    out = run();
  } catch (const std::exception& e) {
    out = {make_verdict(to_string(c), {HarnessError{fmt::format("exception: {}", e.what())}}, {}),
           {}};
    impl_ = std::make_unique<Impl>(threads_);  // whatever the exception left behind
  }
  out.verdict.ran.build_id = build_id();
  return out;
}

}  // namespace w4
