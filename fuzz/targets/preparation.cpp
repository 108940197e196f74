#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "fuzz/cases.h"
#include "fuzz/counters.h"
#include "fuzz/inputs.h"
#include "fuzz/round_trip.h"
#include "kernels/lookup.h"
#include "kernels/table.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(preparation,
                 "weights of every source format come back from the layouts of the kernels, none "
                 "lost") {
  const Checkpointed input = preparation_input(bytes);
  const w4_kernel& kernel = *find_kernel(builtin_module(), input.line.kernel);
  if (const auto bad = wrong_preparation(input.line, kernel, input.more)) {
    std::fputs(fmt::format("preparation: {} (rows of the source {} words longer)\n"
                           "w4check rerun '{}'\n",
                           *bad, input.more, to_string(input.line))
                   .c_str(),
               stderr);
    std::abort();
  }
  count_class(class_of(input));
}

}  // namespace w4::fuzz
