#include "tests/rdna/machine/hand_kernel.h"

#include <atomic>

#include "tests/rdna/assemble.h"

namespace w4::rdna {

std::shared_ptr<const CodeObject> HandRig::object(const HandKernel& kernel) const {
  std::string text = kernel.text;
  const std::string wait = gfx12() ? "s_wait_loadcnt 0x0\ns_wait_kmcnt 0x0\ns_wait_dscnt 0x0"
                                   : "s_waitcnt vmcnt(0) lgkmcnt(0)";
  for (size_t at; (at = text.find("%wait%")) != text.npos;) text.replace(at, 6, wait);

  auto impl = std::make_unique<CodeObject::Impl>();
  impl->arch = arch_;
  impl->major = gfx12() ? 12 : 11;
  impl->bytes = assemble(arch_, text);
  const size_t code = impl->bytes.size();
  impl->bytes.insert(impl->bytes.end(), kernel.constants.begin(), kernel.constants.end());
  const std::span<const std::byte> all = impl->bytes;
  impl->segments.push_back({kCodeAt, code, all.first(code), false, true});
  if (!kernel.constants.empty()) {
    impl->segments.push_back(
        {kConstantsAt, kernel.constants.size(), all.subspan(code), false, false});
  }
  KernelInfo info = kernel.info;
  info.symbol = info.demangled = "hand";
  impl->kernels.push_back(info);
  Descriptor d;
  d.entry = kCodeAt;
  const uint32_t bits = kernel.mode;
  d.rsrc1 = 3 | (bits & 0xff) << 12 | (bits >> 8 & 1) << 21 | (bits >> 9 & 1) << 23;  // 32 VGPRs
  d.rsrc2 = kernel.user_sgprs << 1 | kernel.ids << 7;
  d.properties = kernel.properties;
  impl->descriptors.push_back(d);
  static std::atomic<uint64_t> next{uint64_t{1} << 40};  // beside those of loaded objects
  impl->id = next++;
  auto mc = Mc::create(arch_);
  EXPECT_TRUE(mc.has_value()) << (mc ? "" : mc.error().text);
  if (mc) impl->mc = std::move(*mc);
  return std::make_shared<const CodeObject>(std::move(impl));
}

LaunchReport HandRig::launch(const HandKernel& kernel, const LaunchConfig& config,
                             const std::vector<uint64_t>& args) {
  return emulator_.launch(*object(kernel), "hand", config, std::as_bytes(std::span(args)));
}

Address HandRig::buffer(const std::string& name, uint64_t bytes, bool initialised) {
  const auto a = emulator_.memory().allocate(
      {.name = name, .bytes = bytes, .writable = true, .initialised = initialised});
  EXPECT_TRUE(a.has_value()) << (a ? "" : a.error().text);
  return a.value_or(0);
}

std::vector<uint32_t> HandRig::words(Address a, size_t n) {
  std::vector<uint32_t> v(n);
  EXPECT_TRUE(emulator_.memory().read(a, std::as_writable_bytes(std::span(v))));
  return v;
}

}  // namespace w4::rdna
