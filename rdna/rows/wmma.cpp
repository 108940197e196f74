// Matrix instructions: none yet, so they end a launch as Unsupported.
#include "rdna/table.h"

namespace w4::rdna {

std::span<const Row> wmma_rows() { return {}; }

}  // namespace w4::rdna
