// One run over some mutants: hunts in parallel, the clean kernels, and what is printed of both.
#pragma once

#include <string>
#include <vector>

#include "campaign/zoo.h"
#include "campaign/zoo/hunt.h"
#include "zoo/catalogue.h"

namespace w4::zoo {

// `clean`: path of the module without a defect. Exit code as zoo_command has it.
int run_zoo(const std::vector<Mutant>& mutants, const std::string& clean,
            const HuntOptions& options, const ZooCommand& command);

}  // namespace w4::zoo
