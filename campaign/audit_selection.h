// `w4check audit selection`: selection, launches and instantiations agree with each other.
#pragma once

#include "campaign/audit.h"

namespace w4 {

void add_audit_selection(CLI::App& app, AuditCommand& c);
int audit_selection(const AuditCommand& c);

}  // namespace w4
