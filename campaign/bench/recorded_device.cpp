#include "campaign/bench/recorded_device.h"

namespace w4::bench {

std::vector<w4_launch> RecordedDevice::take() {
  std::vector<w4_launch> out;
  for (; taken_ < kept_.size(); ++taken_) out.push_back(kept_[taken_].what);
  return out;
}

void RecordedDevice::reset() {
  WrappedDevice::reset();
  kept_.clear();
  taken_ = 0;
}

Result<uint64_t> RecordedDevice::allocate(const BufferRequest& request) {
  BufferRequest plain = request;
  plain.placement = Placement::plain;
  return WrappedDevice::allocate(plain);
}

LaunchResult RecordedDevice::launch(const w4_launch& what, const LaunchOptions& options) {
  Launched& l = kept_.emplace_back();
  l.symbol = what.symbol;
  const auto* args = static_cast<const std::byte*>(what.args);
  if (what.arg_bytes > 0) l.args.assign(args, args + what.arg_bytes);
  l.what = what;
  l.what.symbol = l.symbol.c_str();
  l.what.args = l.args.data();
  return pretends_ ? LaunchResult{} : WrappedDevice::launch(what, options);
}

}  // namespace w4::bench
