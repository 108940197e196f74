#include "zoo/finding_family.h"

namespace w4 {

FindingFamily family_of(FindingKind k) {
  switch (k) {
    case FindingKind::oob_read:
    case FindingKind::oob_write:
    case FindingKind::read_only_write:
    case FindingKind::lds_oob:
    case FindingKind::misaligned:
    case FindingKind::limit:
    case FindingKind::input_modified:
    case FindingKind::device_fault:
      return FindingFamily::memory;
    case FindingKind::undefined_address:
    case FindingKind::undefined_branch:
    case FindingKind::undefined_exec:
    case FindingKind::undefined_store:
    case FindingKind::inactive_lane:
    case FindingKind::wmma_replication:
    case FindingKind::double_write:
    case FindingKind::unwritten_output:
      return FindingFamily::value;
    case FindingKind::lds_race:
    case FindingKind::global_race:
    case FindingKind::barrier_divergence:
    case FindingKind::deadlock:
    case FindingKind::wait_counter:
      return FindingFamily::order;
  }
  return FindingFamily::memory;
}

std::string_view name_of(FindingFamily f) {
  switch (f) {
    case FindingFamily::memory:
      return "memory";
    case FindingFamily::value:
      return "value";
    case FindingFamily::order:
      return "order";
  }
  return "memory";
}

}  // namespace w4
