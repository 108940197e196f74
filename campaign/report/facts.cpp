#include "campaign/report/facts.h"

#include "campaign/report/declared.h"

namespace w4 {

nlohmann::json report_facts() { return {{"kernels", declared_kernels()}}; }

}  // namespace w4
