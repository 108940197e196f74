#include "oracles/machine.h"

#include <charconv>

#include "verify/judge.h"
#include "verify/trial.h"

namespace w4 {
namespace {

// "small m5 y2u4a16w16 w4 g64 f16 packed" -> 16
int chunk_of(const std::string& instantiation) {
  for (size_t at = instantiation.find('u'); at != instantiation.npos;
       at = instantiation.find('u', at + 1)) {
    const size_t a = instantiation.find_first_not_of("0123456789", at + 1);
    if (a == at + 1 || a == instantiation.npos || instantiation[a] != 'a') continue;
    int value = 0;
    std::from_chars(instantiation.data() + a + 1, instantiation.data() + instantiation.size(),
                    value);
    return value;
  }
  return 0;
}

}  // namespace

Result<CleanCase> clean_case(const Case& c, Context& context) {
  auto setup = make_setup(c, context);
  if (!setup) return fail("{}", to_string(setup.error()));
  if (!setup->broken.empty()) return fail("the case breaks {}", setup->broken.front());
  Arrays x = arrays_of(*setup, context.material(c)->weights);
  const ModuleNumerics numerics = numerics_of(*setup);
  return CleanCase{std::move(*setup), numerics, std::move(x)};
}

Result<MachineOutput> run_machine(Case c, const Arrays& x, Context& context) {
  c.problem.g = x.wei->g;
  const auto setup = make_setup(c, context);
  if (!setup) return fail("{}", to_string(setup.error()));
  if (!setup->broken.empty()) return fail("the case breaks {}", setup->broken.front());
  const SourceTensors source = make_source(c.problem, x.wei.get());
  Call call(*setup);
  const Prepared prepared = call.prepare(&source);
  if (prepared.refusal) return fail("{}", prepared.refusal->message);
  if (auto placed = call.place(&x, &prepared.tensors); !placed)
    return std::unexpected(placed.error());
  const Run run = call.run();
  if (!run.trouble.empty()) return fail("{}", run.trouble);
  if (run.refusal) return fail("refused: {}", run.refusal->message);
  if (const auto bad = outcomes_of(run.launches); !bad.empty())
    return fail("{}", to_string(bad.front()));
  return MachineOutput{call.output(), chunk_of(run.instantiation)};
}

}  // namespace w4
