// Where older vLLM trees have it.
#pragma once
#include "quantization/w8a8/fp8/common.cuh"
