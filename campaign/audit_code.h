// `w4check audit code`: the code objects against what the host side takes for granted about them.
#pragma once

#include "campaign/audit.h"

namespace w4 {

void add_audit_code(CLI::App& app, AuditCommand& c);
int audit_code(const AuditCommand& c);

}  // namespace w4
