#pragma once
#include "w4/torch.h"  // IWYU pragma: export
