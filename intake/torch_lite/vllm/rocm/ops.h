// Stand-in for vLLM's list of operators: a file's own definitions are all it needs.
#pragma once
#include "torch/all.h"
