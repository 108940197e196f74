// `w4check audit figures`: what kernels ask of the machine, counted while cases run.
#pragma once

#include "campaign/audit.h"

namespace w4 {

void add_audit_figures(CLI::App& app, AuditCommand& c);
int audit_figures(const AuditCommand& c);

}  // namespace w4
