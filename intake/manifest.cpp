#include "intake/manifest.h"

#include <algorithm>

#include "core/gpu.h"
#include "intake/manifest_kernel.h"
#include "intake/manifest_keys.h"
#include "intake/manifest_values.h"

namespace w4 {
namespace {

constexpr int64_t kVersion = 1;

class ManifestReader {
 public:
  explicit ManifestReader(std::string_view file) : values_(file) {}

  Manifest document(const Json& root) {
    values_.object(root, "the manifest", manifest_keys::kManifest);
    const Json& version = values_.field(root, "", "w4_manifest");
    if (version.kind != Json::Kind::integer || version.integer != kVersion) {
      values_.wrong(version, "w4_manifest", "{}; legal: {}", shown(version), kVersion);
    }
    Manifest m;
    const Json& kernels =
        values_.of_kind(values_.field(root, "", "kernels"), "kernels", Json::Kind::array);
    for (size_t i = 0; i < kernels.items.size(); ++i) {
      m.kernels.push_back(read_kernel(values_, kernels.items[i], fmt::format("kernels[{}]", i)));
      for (size_t j = 0; j < i; ++j) {
        if (m.kernels[j].name != m.kernels[i].name) continue;
        values_.wrong(kernels.items[i], fmt::format("kernels[{}].name", i),
                      "'{}' is kernels[{}] already", m.kernels[i].name, j);
      }
    }
    if (m.kernels.empty()) values_.wrong(kernels, "kernels", "empty; legal: at least one kernel");
    // Operators bring their own code.
    if (root.find("objects") != nullptr ||
        std::ranges::any_of(m.kernels, [](const ManifestKernel& k) { return k.op.empty(); })) {
      read_objects(values_.field(root, "", "objects"), m);
    }
    return m;
  }

 private:
  void read_objects(const Json& objects, Manifest& m) const {
    values_.of_kind(objects, "objects", Json::Kind::object);
    for (size_t i = 0; i < objects.keys.size(); ++i) {
      m.objects.push_back(one_object(objects.keys[i], objects.items[i]));
    }
    if (m.objects.empty()) values_.wrong(objects, "objects", "empty; legal: at least one arch");
  }

  ManifestObject one_object(const std::string& arch, const Json& path) const {
    const std::string key = fmt::format("objects.{}", arch.substr(0, 80));
    if (find_gpu(arch) == nullptr) {
      values_.wrong(path, key, "there is no such arch; legal: {}",
                    names(gpu_models(), [](const GpuModel& g) { return g.arch; }));
    }
    return {arch, values_.text(path, key), values_.place(path, key)};
  }

  ManifestValues values_;
};

}  // namespace

const ManifestArg* ManifestKernel::find(Role role) const {
  for (const ManifestArg& a : args) {
    if (a.kind == ManifestArg::Kind::tensor && a.role == role) return &a;
  }
  return nullptr;
}

bool ManifestKernel::passes(std::string_view variable) const {
  return std::ranges::any_of(args, [&](const ManifestArg& a) {
    return (a.kind == ManifestArg::Kind::integer || a.kind == ManifestArg::Kind::real) &&
           a.value.uses(variable);
  });
}

Result<Manifest> parse_manifest(std::string_view text, std::string_view file) {
  const auto root = parse_json(text);
  if (!root) return fail("{}:{}", file, root.error().text);
  try {
    return ManifestReader(file).document(*root);
  } catch (const Wrong& w) {
    return std::unexpected(w.error);
  }
}

}  // namespace w4
