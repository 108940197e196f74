// One run over some mutants: hunts in parallel, the clean kernels, and what is printed of both.
#pragma once

#include <string>
#include <vector>

#include "campaign/report/filing.h"
#include "campaign/zoo.h"
#include "campaign/zoo/hunt.h"
#include "zoo/catalogue.h"

namespace w4::zoo {

// `clean`: path of the module without a defect. What was not interrupted is filed. Exit code as
// zoo_command has it.
int run_zoo(const std::vector<Mutant>& mutants, const std::string& clean,
            const HuntOptions& options, const ZooCommand& command, Filing& filing);

}  // namespace w4::zoo
