#include "bench/prepared_call.h"

#include <stdexcept>

#include "core/case.h"

namespace w4::bench {

PreparedCall::PreparedCall(const std::string& line) {
  const auto parsed = parse_case(line);
  if (!parsed) throw std::runtime_error(parsed.error().text);
  auto setup = make_setup(*parsed, context_);
  if (!setup) throw std::runtime_error(to_string(setup.error()));
  setup_ = std::make_unique<Setup>(std::move(*setup));
  if (!setup_->broken.empty()) throw std::runtime_error(line + " breaks " + setup_->broken.front());
  call_ = std::make_unique<Call>(*setup_);
  const auto material = context_.material(setup_->line);
  const Arrays x = make_arrays(setup_->line, material->weights);
  const Prepared prepared = call_->prepare(&material->source);
  if (prepared.refusal) throw std::runtime_error(prepared.refusal->message);
  if (auto placed = call_->place(&x, &prepared.tensors); !placed) {
    throw std::runtime_error(placed.error().text);
  }
}

uint64_t PreparedCall::run() {
  const Run run = call_->run();
  if (run.launches.size() != 1 || run.launches[0].end != LaunchResult::End::completed) {
    throw std::runtime_error("the launch did not complete: " + setup_->line.kernel);
  }
  return run.launches[0].wave_instructions;
}

}  // namespace w4::bench
