#include "campaign/report/facts.h"

#include "campaign/report/contract_space.h"
#include "campaign/report/declared.h"
#include "campaign/report/evidence.h"
#include "campaign/report/lds_limits.h"
#include "campaign/report/stop.h"

namespace w4 {

Result<nlohmann::json> report_facts(Store& store, const StoredRun& run) {
  auto stop = stop_fact(store, run);
  if (!stop) return std::unexpected(stop.error());
  return nlohmann::json{{"kernels", declared_kernels()},
                        {"coverage", {{"contract", contract_space()}, {"limits", lds_limits()}}},
                        {"evidence", evidence_fact()},
                        {"stop", std::move(*stop)}};
}

}  // namespace w4
