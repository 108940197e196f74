// The linear layers of real models: what suite `models` runs whole and generators run slices of.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace w4 {

// One row of model_layers.inc.
struct ModelLayer {
  std::string_view model;
  int64_t g, tp;
  std::string_view layer;
  int64_t n, k;
  bool asymmetric, bias, accepted;
};
std::span<const ModelLayer> model_layers();

}  // namespace w4
