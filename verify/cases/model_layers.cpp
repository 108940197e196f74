#include "verify/cases/model_layers.h"

namespace w4 {
namespace {

constexpr ModelLayer kLayers[] = {
#include "verify/cases/model_layers.inc"
};

}  // namespace

std::span<const ModelLayer> model_layers() { return kLayers; }

}  // namespace w4
