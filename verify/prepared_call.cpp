#include "verify/prepared_call.h"

#include "verify/judge.h"
#include "verify/module_numerics.h"

namespace w4 {

Result<PreparedCall> PreparedCall::make(const Case& c, Context& context) {
  auto setup = make_setup(c, context);
  if (!setup) return fail("{}", to_string(setup.error()));
  if (!setup->broken.empty()) return fail("the case breaks {}", setup->broken.front());
  PreparedCall made;
  made.setup_ = std::make_unique<Setup>(std::move(*setup));
  made.call_ = std::make_unique<Call>(*made.setup_);
  const auto material = context.material(c);
  const Arrays x =
      make_arrays(c, material->weights, declared_numerics(*made.setup_->kernel, c.problem).gate);
  const Prepared prepared = made.call_->prepare(&material->source);
  if (!prepared.trouble.empty()) return fail("{}", prepared.trouble);
  if (prepared.refusal) return fail("{}", prepared.refusal->message);
  if (auto placed = made.call_->place(&x, &prepared.tensors); !placed) {
    return std::unexpected(placed.error());
  }
  return made;
}

Result<uint64_t> PreparedCall::run() {
  const Run run = call_->run();
  if (!run.trouble.empty()) return fail("{}", run.trouble);
  if (run.refusal) return fail("refused: {}", run.refusal->message);
  const std::vector<Outcome> bad = outcomes_of(run.launches);
  if (!bad.empty()) return fail("{}", to_string(bad.front()));
  uint64_t instructions = 0;
  for (const LaunchResult& l : run.launches) instructions += l.wave_instructions;
  return instructions;
}

}  // namespace w4
