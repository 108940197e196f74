// `w4check zoo rebase`: what to change in edits that no longer apply.
#pragma once

#include "zoo/catalogue.h"

namespace w4::zoo {

// Against the sources as they are now, whatever the build has. Exit code: 0 all apply, 1 otherwise.
int rebase(const Catalogue& all);

}  // namespace w4::zoo
