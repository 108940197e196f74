#pragma once
#include "w4/numbers.h"  // IWYU pragma: export
