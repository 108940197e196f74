#include "verify/case_interval.h"

#include "core/fill.h"
#include "verify/setup.h"
#include "verify/trial.h"

namespace w4 {

Result<ExplainedInterval> interval_of(const Case& c, Context& context, int64_t m, int64_t n) {
  const auto setup = make_setup(c, context);
  if (!setup) return fail("{}", to_string(setup.error()));
  if (!setup->broken.empty())
    return fail("the case breaks clause {}, so the kernel promises no output",
                setup->broken.front());
  if (c.law != Law::reference)
    return fail("law={} has further calls and data of its own; legal: law={}", name_of(c.law),
                name_of(Law::reference));
  const Arrays x = arrays_of(*setup, context.material(c)->weights);
  if (m < 0 || m >= x.m || n < 0 || n >= x.wei->n)
    return fail("{},{} is no element of the output; legal: m below {}, n below {}", m, n, x.m,
                x.wei->n);
  return explain_interval(x, numerics_of(*setup), setup->arithmetic, is_random(c.fill), m, n);
}

}  // namespace w4
