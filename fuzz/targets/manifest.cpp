// Manifests: any text is refused with its place, or opens on two fixed objects (gfx1151: many
// instantiations with mangled names; gfx1201: one kernel of another compiler); then every kernel is
// called, on a device that does nothing, and refuses with a reason or launches.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "fuzz/data.h"
#include "fuzz/target.h"
#include "intake/object_module.h"

namespace w4::fuzz {
namespace {

[[noreturn]] void wrong(const char* what, const std::string& text) {
  std::fprintf(stderr, "manifest: %s: %s\n", what, text.c_str());
  std::abort();
}

// Answers, and remembers what it was told.
struct Device {
  std::string refused;
  int launches = 0;
  uint64_t next = 1 << 20;
  w4_device table{W4_MODULE_VERSION,
                  this,
                  "gfx1151",
                  property,
                  host_alloc,
                  device_alloc,
                  free,
                  read,
                  write,
                  copy,
                  launch,
                  refuse,
                  ran};

  static Device& of(void* self) { return *static_cast<Device*>(self); }
  static int64_t property(void*, w4_property) { return 65536; }
  static void* host_alloc(void*, size_t) { return nullptr; }
  static uint64_t device_alloc(void* self, size_t bytes) {
    return bytes > size_t{1} << 20 ? 0 : of(self).next += 4096;
  }
  static void free(void*, uint64_t) {}
  static int read(void*, uint64_t, void* to, size_t bytes) {
    std::fill_n(static_cast<char*>(to), bytes, '\x31');
    return 0;
  }
  static int write(void*, uint64_t, const void*, size_t) { return 0; }
  static int copy(void*, uint64_t, uint64_t, size_t) { return 0; }
  static int launch(void* self, const w4_launch* what) {
    ++of(self).launches;
    if (what->symbol == nullptr || *what->symbol == 0) std::abort();
    return 0;
  }
  static void refuse(void* self, const char* clause, const char* message) {
    of(self).refused = std::string(clause) + ": " + message;
  }
  static void ran(void*, const char*) {}
};

w4_tensor matrix(w4_dtype dtype, w4_layout layout, int64_t rows, int64_t cols, uint64_t at) {
  w4_tensor t{};
  t.dtype = dtype, t.layout = layout, t.rank = 2;
  t.dim[0] = rows, t.dim[1] = cols, t.stride[0] = cols, t.stride[1] = 1;
  t.device = at;
  return t;
}

void call(const w4_kernel& k, bool zeros, bool bias) {
  constexpr int64_t kM = 2, kN = 8, kK = 64, kGroups = 2;
  const w4_tensor act = matrix(W4_F16, W4_DENSE, kM, kK, 1 << 12);
  const w4_tensor wei = k.dense_weights != 0 ? matrix(W4_F16, W4_DENSE, kN, kK, 2 << 12)
                                             : matrix(W4_I8, W4_WEI_SHUFFLED, kN, kK / 2, 2 << 12);
  const w4_tensor scale = matrix(W4_F16, W4_DENSE, kN, kGroups, 3 << 12);
  const w4_tensor zp = matrix(W4_I32, W4_ZP_PACKED, kN / 8, kGroups, 4 << 12);
  const w4_tensor row = matrix(W4_F16, W4_DENSE, 1, kN, 5 << 12);
  const w4_tensor carrier = matrix(W4_F32, W4_SCALE_CARRIER, kN, kGroups, 6 << 12);
  const w4_tensor out = matrix(W4_F16, W4_DENSE, kM, kN, 7 << 12);
  w4_call c{};
  c.act = &act, c.wei = &wei, c.scale = &scale, c.out = &out;
  c.zp = zeros ? &zp : nullptr;
  c.bias = bias ? &row : nullptr;
  c.carrier = k.reads_carrier != 0 ? &carrier : nullptr;
  c.group_size = kK / kGroups;
  c.cu_count = 3;
  Device device;
  const int result = k.run(&k, &c, &device.table);
  if (result == 0 && device.launches != 1) wrong("success without a launch", k.name);
  if (result != 0 && device.refused.size() < 4) wrong("a refusal without a reason", k.name);
}

}  // namespace

FUZZ_TARGET(manifest, "texts of manifests open and are called, or are refused with a reason") {
  static const std::array objects{read_data(W4_FUZZ_MANIFEST_LAYOUTS),
                                  read_data(W4_FUZZ_MANIFEST_TRITON)};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto module = ObjectModule::read(text, "m.json", [](const ManifestObject& o) {
    return Result<std::vector<std::byte>>(objects[o.arch == "gfx1151" ? 0 : 1]);
  });
  if (!module) {
    if (!module.error().text.starts_with("m.json:")) wrong("no place", module.error().text);
    return;
  }
  const w4_module& table = (*module)->table();
  for (int32_t i = 0; i < table.kernel_count; ++i) {
    for (const bool zeros : {false, true}) {
      for (const bool bias : {false, true}) call(table.kernels[i], zeros, bias);
    }
  }
}

}  // namespace w4::fuzz
