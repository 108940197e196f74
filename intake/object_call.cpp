#include "intake/object_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/contract.h"
#include "intake/call_problem.h"
#include "intake/call_sizes.h"
#include "intake/manifest_args.h"
#include "intake/relayout.h"
#include "intake/tensor_of.h"
#include "kernels/descriptors.h"

namespace w4 {
namespace {

constexpr int64_t kUint32Max = std::numeric_limits<uint32_t>::max();

int refuse(const w4_device& device, std::string_view clause, const std::string& message) {
  device.refuse(device.self, std::string(clause).c_str(), message.c_str());
  return 1;
}

// What one call has on the device beyond its operands; freed when the call is over.
class Extras {
 public:
  explicit Extras(const w4_device& device) : device_(device) {}
  Extras(const Extras&) = delete;
  ~Extras() {
    for (const uint64_t address : addresses_) device_.device_free(device_.self, address);
  }

  // The operand of a tensor argument in the layout it wants; null: none. Copies of one operand are
  // made once.
  Result<Relaid> operand(const ManifestArg& a, const w4_call& call) {
    const w4_tensor* t = tensor_of(call, a.role);
    if (t == nullptr) return Relaid{};
    const w4_layout wanted = a.layouts[0];
    const bool packed = wanted != W4_ZP_UNPACKED;
    const bool other = a.role == Role::zp && packed != (t->layout == W4_ZP_PACKED);
    if (other && a.layouts.size() == 1) return Relaid{};
    if (!is_relaid(wanted)) return Relaid{t->device, t->stride[0]};
    for (const auto& [layout, made] : copies_) {
      if (layout == wanted) return made;
    }
    const auto made = relay(device_, *t, wanted);
    if (!made) return fail("{}: {}", a.place, made.error().text);
    addresses_.push_back(made->device);
    copies_.emplace_back(wanted, *made);
    return *made;
  }

  Result<int64_t> workspace(const ManifestArg& a, const Sizes& sizes) {
    const auto bytes = a.value.value(sizes);
    if (!bytes) return fail("{}: {}", a.place, bytes.error().text);
    constexpr int64_t kMost = int64_t{1} << 32;
    if (*bytes < 0 || *bytes > kMost) {
      return fail("{}: '{}' is {} bytes at {}; legal: 0 to {}", a.place, a.value.text(), *bytes,
                  a.value.at(sizes), kMost);
    }
    if (*bytes == 0) return 0;
    const uint64_t address = device_.device_alloc(device_.self, static_cast<size_t>(*bytes));
    if (address == 0) return fail("{}: no device memory for {} bytes", a.place, *bytes);
    addresses_.push_back(address);
    if (a.zeroed) {
      const std::vector<std::byte> zeros(static_cast<size_t>(*bytes));
      if (device_.write(device_.self, address, zeros.data(), zeros.size()) != 0) {
        return fail("{}: cannot clear {} bytes", a.place, *bytes);
      }
    }
    return static_cast<int64_t>(address);
  }

 private:
  const w4_device& device_;
  std::vector<uint64_t> addresses_;
  std::vector<std::pair<w4_layout, Relaid>> copies_;
};

// Strides of copies are their own.
Result<Sizes> sizes_with_copies(const ManifestKernel& k, const w4_call& c, const w4_device& device,
                                Extras& extras) {
  Sizes s = sizes_of(c, device);
  for (const ManifestArg& a : k.args) {
    if (a.kind != ManifestArg::Kind::tensor || !is_relaid(a.layouts[0])) continue;
    const auto made = extras.operand(a, c);
    if (!made) return std::unexpected(made.error());
    if (made->device == 0) continue;
    (a.role == Role::wei     ? s.wei_stride
     : a.role == Role::scale ? s.scale_stride
                             : s.zp_stride) = made->stride;
  }
  return s;
}

// Three extents of at least 1.
Result<void> extents(std::string_view what, const std::array<Expression, 3>& from,
                     const Sizes& sizes, uint32_t (&to)[3]) {
  for (size_t i = 0; i < 3; ++i) {
    const auto v = from[i].value(sizes);
    if (!v) return fail("{}[{}]: {}", what, i, v.error().text);
    if (*v < 1 || *v > kUint32Max) {
      return fail("{}[{}]: '{}' is {} at {}; legal: 1 to {}", what, i, from[i].text(), *v,
                  from[i].at(sizes), kUint32Max);
    }
    to[i] = static_cast<uint32_t>(*v);
  }
  return {};
}

// The bits of an integer or real argument.
Result<int64_t> number(const ManifestArg& a, const Sizes& sizes) {
  const auto v = a.value.value(sizes);
  if (!v) return fail("{}: {}", a.place, v.error().text);
  if (a.kind == ManifestArg::Kind::real) {
    const auto real = static_cast<float>(*v);
    int64_t bits = 0;
    std::memcpy(&bits, &real, sizeof real);
    return bits;
  }
  const bool fits = a.bytes == 8 || (a.is_signed ? *v == static_cast<int32_t>(*v)
                                                 : *v == static_cast<uint32_t>(*v));
  if (fits) return *v;
  return fail("{}: '{}' is {}, which is no {}32", a.place, a.value.text(), *v,
              a.is_signed ? "i" : "u");
}

Result<std::vector<std::byte>> arguments(const ManifestKernel& k, const ObjectInstance& code,
                                         const w4_call& call, const Sizes& sizes, Extras& extras) {
  std::vector<std::byte> block(code.arg_bytes);
  for (size_t i = 0; i < k.args.size(); ++i) {
    const ManifestArg& a = k.args[i];
    Result<int64_t> v = 0;
    if (a.kind == ManifestArg::Kind::tensor) {
      const auto operand = extras.operand(a, call);
      if (!operand) return std::unexpected(operand.error());
      v = static_cast<int64_t>(operand->device);
    } else if (a.kind == ManifestArg::Kind::workspace) {
      v = extras.workspace(a, sizes);
    } else if (!a.pointer()) {
      v = number(a, sizes);
    }
    if (!v) return std::unexpected(v.error());
    std::memcpy(block.data() + code.offsets[i], &*v, a.bytes);
  }
  return block;
}

}  // namespace

int accept_by_manifest(const ManifestKernel& k, const w4_call& call, const w4_device& device) {
  const Problem p = problem_of(call);
  const Reported r{.cus = call.cu_count,
                   .lds = device.property(device.self, W4_PROP_LDS_PER_BLOCK)};
  const auto broken = broken_clause(k.clauses, p, r);
  if (!broken) return 0;
  return refuse(device, *broken, find_clause(*broken)->broken(p, r).value_or(""));
}

int run_by_manifest(const ManifestKernel& k, const std::vector<ArchCode>& archs,
                    const w4_call& call, const w4_device& device) {
  if (const int refused = accept_by_manifest(k, call, device)) return refused;
  const auto code = std::ranges::find(archs, std::string_view(device.arch), &ArchCode::arch);
  if (code == archs.end()) {
    return refuse(device, "arch", fmt::format("no object for {}", device.arch));
  }
  constexpr std::string_view kLaunch = "launch";
  Extras extras(device);
  const auto sizes = sizes_with_copies(k, call, device, extras);
  if (!sizes) return refuse(device, kLaunch, sizes.error().text);
  const auto instance = choose(k, *code, *sizes);
  if (!instance) return refuse(device, kLaunch, instance.error().text);
  w4_launch launch{};
  for (const auto& done : {extents("grid", k.grid, *sizes, launch.grid),
                           extents("block", k.block, *sizes, launch.block)}) {
    if (!done) return refuse(device, kLaunch, done.error().text);
  }
  const auto lds = k.lds.value(*sizes);
  if (!lds) return refuse(device, kLaunch, "lds: " + lds.error().text);
  if (*lds < 0 || *lds > kUint32Max) {
    return refuse(device, kLaunch,
                  fmt::format("lds: '{}' is {}; legal: 0 to {}", k.lds.text(), *lds, kUint32Max));
  }
  const auto args = arguments(k, **instance, call, *sizes, extras);
  if (!args) return refuse(device, kLaunch, args.error().text);
  launch.object = code->object.data();
  launch.object_bytes = code->object.size();
  launch.symbol = (*instance)->symbol.c_str();
  launch.dynamic_lds = static_cast<uint32_t>(*lds);
  launch.args = args->data();
  launch.arg_bytes = args->size();
  const int result = device.launch(device.self, &launch);
  const std::string ran = fmt::format(
      "{} m{} n{} k{} g{} {} grid {}x{}x{} block {}x{}x{} lds {}", (*instance)->symbol, sizes->m,
      sizes->n, sizes->k, sizes->g, name_of(call.act->dtype), launch.grid[0], launch.grid[1],
      launch.grid[2], launch.block[0], launch.block[1], launch.block[2], launch.dynamic_lds);
  device.ran(device.self, ran.c_str());
  return result;
}

}  // namespace w4
