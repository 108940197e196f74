#include "intake/object_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "intake/fatbin.h"
#include "intake/manifest_row.h"
#include "intake/object_call.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxFile = uintmax_t{1} << 28;

struct ObjectKernel {
  ManifestKernel declared;
  std::vector<ArchCode> archs;
  RowLists lists;
  std::vector<const char*> arch_names;  // NULL-terminated
};

Result<std::vector<std::byte>> read_file(const std::string& path) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec)) return fail("'{}': no such file", path);
  if (fs::file_size(path, ec) > kMaxFile) return fail("'{}': more than {} bytes", path, kMaxFile);
  std::ifstream in(path, std::ios::binary);
  std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  if (!in.good() && !in.eof()) return fail("'{}': cannot read it", path);
  std::vector<std::byte> bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

// Of an offload bundle, or a library that holds some, the object for `arch`; anything else as it
// is.
Result<void> unbundle(std::vector<std::byte>& bytes, std::string_view arch) {
  const Fatbin all = read_fatbin(bytes);
  const bool bundled =
      std::ranges::any_of(all.objects, [](const FatObject& o) { return !o.target.empty(); });
  if (!bundled) return {};
  const auto found = object_for(all.objects, arch);
  if (!found) return std::unexpected(found.error());
  bytes = std::vector<std::byte>(found->bytes.begin(), found->bytes.end());
  return {};
}

const ObjectKernel& of(const w4_kernel* self) {
  return *static_cast<const ObjectKernel*>(self->data);
}

int accept(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  return accept_by_manifest(of(self).declared, *call, *device);
}

int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  return run_by_manifest(of(self).declared, of(self).archs, *call, *device);
}

// Whether calls may have zero points in this encoding.
bool takes(const ManifestKernel& k, w4_layout encoding) {
  const auto forbids = [&](std::string_view clause) {
    return std::ranges::find(k.clauses, clause) != k.clauses.end();
  };
  if (forbids("zp.none")) return false;
  return encoding == W4_ZP_PACKED ? !forbids("zp.unpacked") && !forbids("zp.numbers")
                                  : !forbids("zp.packed") && !forbids("zp.encoding");
}

}  // namespace

struct ObjectModule::Impl {
  std::string path;
  std::map<std::string, std::vector<std::byte>> bytes;  // by arch
  std::deque<ObjectKernel> kernels;
  std::vector<w4_kernel> rows;
  w4_module table{};

  Result<void> add(ManifestKernel declared, const Manifest& m,
                   const std::map<std::string, std::shared_ptr<const rdna::CodeObject>>& code);
};

Result<void> ObjectModule::Impl::add(
    ManifestKernel declared, const Manifest& m,
    const std::map<std::string, std::shared_ptr<const rdna::CodeObject>>& code) {
  ObjectKernel& k = kernels.emplace_back();
  k.declared = std::move(declared);
  for (const ManifestObject& o : m.objects) {
    auto found = find_instances(k.declared, o, *code.at(o.arch), bytes.at(o.arch));
    if (!found) return std::unexpected(found.error());
    found->arch = bytes.find(o.arch)->first;  // the manifest goes, the map stays
    k.arch_names.push_back(found->arch.data());
    k.archs.push_back(std::move(*found));
  }
  k.arch_names.push_back(nullptr);
  for (const w4_layout z : {W4_ZP_PACKED, W4_ZP_UNPACKED}) {
    if (takes(k.declared, z)) k.lists.zp_layouts.push_back(z);
  }
  w4_kernel row = k.lists.row(k.declared);
  row.archs = k.arch_names.data();
  row.data = &k;
  row.accept = accept;
  row.run = run;
  rows.push_back(row);
  return {};
}

ObjectModule::ObjectModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ObjectModule::~ObjectModule() = default;
const w4_module& ObjectModule::table() const { return impl_->table; }

Result<std::shared_ptr<const ObjectModule>> ObjectModule::open(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return fail("module {}", text.error().text);
  const std::string_view view(reinterpret_cast<const char*>(text->data()), text->size());
  return read(view, path, [&](const ManifestObject& o) {
    return read_file((fs::path(path).parent_path() / o.path).string());
  });
}

Result<std::shared_ptr<const ObjectModule>> ObjectModule::read(std::string_view manifest,
                                                               const std::string& path,
                                                               const ObjectReader& reader) {
  auto declared = parse_manifest(manifest, path);
  if (!declared) return std::unexpected(declared.error());
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  std::map<std::string, std::shared_ptr<const rdna::CodeObject>> code;
  for (const ManifestObject& o : declared->objects) {
    auto bytes = reader(o);
    if (!bytes) return fail("{}: {}", o.place, bytes.error().text);
    if (auto done = unbundle(*bytes, o.arch); !done) {
      return fail("{}: '{}': {}", o.place, o.path, done.error().text);
    }
    auto object = rdna::CodeObject::load(*bytes);
    if (!object) return fail("{}: '{}': {}", o.place, o.path, object.error().text);
    if ((*object)->arch() != o.arch) {
      return fail("{}: '{}' is for {}; legal: an object for {}", o.place, o.path, (*object)->arch(),
                  o.arch);
    }
    impl->bytes[o.arch] = std::move(*bytes);
    code[o.arch] = std::move(*object);
  }
  for (ManifestKernel& k : declared->kernels) {
    if (auto done = impl->add(std::move(k), *declared, code); !done) {
      return std::unexpected(done.error());
    }
  }
  impl->table = {W4_MODULE_VERSION, sizeof(w4_kernel), impl->path.c_str(), impl->rows.data(),
                 static_cast<int32_t>(impl->rows.size())};
  return std::shared_ptr<const ObjectModule>(new ObjectModule(std::move(impl)));
}

}  // namespace w4
