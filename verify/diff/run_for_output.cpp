#include "verify/diff/run_for_output.h"

#include "verify/judge.h"
#include "verify/run_case.h"
#include "verify/trial.h"

namespace w4::diff {

WithOutput run_for_output(const Case& c, Context& context) {
  auto setup = make_setup(c, context);
  if (!setup || !setup->broken.empty()) return {run_case(c, context), {}};
  Call call(*setup);
  const auto material = context.material(c);
  Trial t = try_call(*setup, call, arrays_of(*setup, material->weights), material->source);
  return {make_verdict(to_string(c), std::move(t.outcomes), provenance(*setup, call)),
          std::move(t.out)};
}

}  // namespace w4::diff
