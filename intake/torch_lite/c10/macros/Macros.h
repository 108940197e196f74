#pragma once
#include "w4/exception.h"  // IWYU pragma: export
