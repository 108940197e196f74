// What each suite claims to show, as floors (oracles.md 8): shares of its cases that ran, about
// half of what they are. None is about a device, arithmetic or checks, which the command line
// chooses.
#pragma once

#include <vector>

#include "verify/cases/coverage.h"

namespace w4 {

std::vector<Coverage::Floor> smoke_floors();
std::vector<Coverage::Floor> boundary_floors();
std::vector<Coverage::Floor> model_floors();
std::vector<Coverage::Floor> model_floors_bf16();
std::vector<Coverage::Floor> small_floors();
std::vector<Coverage::Floor> sweep_floors();
std::vector<Coverage::Floor> moe_suite_floors();

}  // namespace w4
