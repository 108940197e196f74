#include "intake/object_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>

#include "core/contract.h"
#include "intake/call_problem.h"
#include "intake/manifest.h"
#include "kernels/descriptors.h"
#include "kernels/prepare.h"
#include "rdna/emulator.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxFile = uintmax_t{1} << 28;

// Where one arch's code takes its arguments.
struct Target {
  std::string_view arch;
  std::span<const std::byte> object;
  std::vector<uint32_t> offsets;  // parallel to ManifestKernel::args
  size_t arg_bytes = 0;
};

struct ObjectKernel {
  ManifestKernel declared;
  std::vector<Target> targets;
  std::vector<const char*> clauses, archs, laws;  // NULL-terminated
  std::vector<w4_layout> zp_layouts;
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

std::string_view kind_of(const ManifestArg& a) {
  if (a.kind != ManifestArg::Kind::integer) return "a pointer";
  return a.bytes == 4 ? "i32" : "i64";
}

// The explicit arguments of `symbol` against those of the manifest.
Result<Target> match(const ManifestKernel& k, const ManifestObject& object,
                     const rdna::CodeObject& code, std::span<const std::byte> bytes) {
  if (!k.op.empty()) {
    return fail(
        "{}: an operator is called in a source that `w4check intake` has compiled; legal: a "
        "symbol of the objects",
        k.place);
  }
  const rdna::KernelInfo* info = code.find(k.symbol);
  if (info == nullptr) {
    std::string all;
    for (const auto& other : code.kernels()) {
      all += fmt::format("{}{}", all.empty() ? "" : ", ", other.symbol);
    }
    return fail("{}: '{}' is not in {}; legal: {}", k.place, k.symbol, object.path, all);
  }
  Target t{object.arch, bytes, {}, 0};
  for (const rdna::ArgInfo& a : info->args) {
    if (a.value_kind.starts_with("hidden_")) continue;
    const size_t i = t.offsets.size();
    if (i < k.args.size()) {
      const bool pointer = k.args[i].kind != ManifestArg::Kind::integer;
      const bool takes_pointer = a.value_kind == "global_buffer";
      if (a.size != k.args[i].bytes || (takes_pointer && !pointer)) {
        return fail("{}: {} of {} bytes; the metadata of {} in {} has {} bytes ({}) at offset {}",
                    k.args[i].place, kind_of(k.args[i]), k.args[i].bytes, k.symbol, object.path,
                    a.size, a.value_kind, a.offset);
      }
    }
    t.offsets.push_back(a.offset);
    t.arg_bytes = std::max<size_t>(t.arg_bytes, a.offset + a.size);
  }
  if (t.offsets.size() != k.args.size()) {
    return fail("{}: {} arguments are declared; the metadata of {} in {} has {} explicit ones",
                k.place, k.args.size(), k.symbol, object.path, t.offsets.size());
  }
  return t;
}

const ObjectKernel& of(const w4_kernel* self) {
  return *static_cast<const ObjectKernel*>(self->data);
}

int refuse(const w4_device& device, std::string_view clause, const std::string& message) {
  device.refuse(device.self, std::string(clause).c_str(), message.c_str());
  return 1;
}

int accept(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  const Problem p = problem_of(*call);
  const Reported r{.cus = call->cu_count,
                   .lds = device->property(device->self, W4_PROP_LDS_PER_BLOCK)};
  const auto broken = broken_clauses(of(self).declared.clauses, p, r);
  if (broken.empty()) return 0;
  return refuse(*device, broken.front(), find_clause(broken.front())->broken(p, r).value_or(""));
}

const w4_tensor* tensor(const w4_call& c, Role role) {
  switch (role) {
    case Role::act:
      return c.act;
    case Role::wei:
      return c.wei;
    case Role::scale:
      return c.scale;
    case Role::zp:
      return c.zp;
    case Role::bias:
      return c.bias;
    case Role::out:
      break;
  }
  return c.out;
}

// Three extents of at least 1.
Result<void> extents(std::string_view what, const std::array<Expression, 3>& from,
                     const Sizes& sizes, uint32_t (&to)[3]) {
  for (size_t i = 0; i < 3; ++i) {
    const auto v = from[i].value(sizes);
    if (!v) return fail("{}[{}]: {}", what, i, v.error().text);
    if (*v < 1 || *v > std::numeric_limits<uint32_t>::max()) {
      return fail("{}[{}]: '{}' is {} at M = {}, N = {}, K = {}, G = {}; legal: 1 to {}", what, i,
                  from[i].text(), *v, sizes.m, sizes.n, sizes.k, sizes.g,
                  std::numeric_limits<uint32_t>::max());
    }
    to[i] = static_cast<uint32_t>(*v);
  }
  return {};
}

Result<std::vector<std::byte>> arguments(const ObjectKernel& k, const Target& t,
                                         const w4_call& call, const Sizes& sizes) {
  std::vector<std::byte> block(t.arg_bytes);
  for (size_t i = 0; i < k.declared.args.size(); ++i) {
    const ManifestArg& a = k.declared.args[i];
    int64_t v = 0;
    if (a.kind == ManifestArg::Kind::tensor) {
      const w4_tensor* operand = tensor(call, a.role);
      v = operand == nullptr ? 0 : static_cast<int64_t>(operand->device);
    } else if (a.kind == ManifestArg::Kind::integer) {
      const auto value = a.value.value(sizes);
      if (!value) return fail("{}: {}", a.place, value.error().text);
      v = *value;
      if (a.bytes == 4 && v != static_cast<int32_t>(v)) {
        return fail("{}: '{}' is {}, which is no i32", a.place, a.value.text(), v);
      }
    }
    std::memcpy(block.data() + t.offsets[i], &v, a.bytes);
  }
  return block;
}

int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  if (const int refused = accept(self, call, device)) return refused;
  const ObjectKernel& k = of(self);
  const auto target = std::ranges::find(k.targets, std::string_view(device->arch), &Target::arch);
  if (target == k.targets.end()) {
    return refuse(*device, "arch", fmt::format("no object for {}", device->arch));
  }
  const Sizes sizes{call->act->dim[0], call->wei->dim[0], call->act->dim[1], call->group_size};
  w4_launch launch{};
  // What the manifest computes may be wrong for sizes its clauses let through.
  constexpr std::string_view kLaunch = "launch";
  for (const auto& done : {extents("grid", k.declared.grid, sizes, launch.grid),
                           extents("block", k.declared.block, sizes, launch.block)}) {
    if (!done) return refuse(*device, kLaunch, done.error().text);
  }
  const auto lds = k.declared.lds.value(sizes);
  if (!lds) return refuse(*device, kLaunch, "lds: " + lds.error().text);
  if (*lds < 0 || *lds > std::numeric_limits<uint32_t>::max()) {
    return refuse(*device, kLaunch,
                  fmt::format("lds: '{}' is {}; legal: 0 to {}", k.declared.lds.text(), *lds,
                              std::numeric_limits<uint32_t>::max()));
  }
  const auto args = arguments(k, *target, *call, sizes);
  if (!args) return refuse(*device, kLaunch, args.error().text);
  launch.object = target->object.data();
  launch.object_bytes = target->object.size();
  launch.symbol = k.declared.symbol.c_str();
  launch.dynamic_lds = static_cast<uint32_t>(*lds);
  launch.args = args->data();
  launch.arg_bytes = args->size();
  const int result = device->launch(device->self, &launch);
  const std::string ran = fmt::format(
      "{} m{} n{} k{} g{} {} grid {}x{}x{} block {}x{}x{} lds {}", k.declared.symbol, sizes.m,
      sizes.n, sizes.k, sizes.g, name_of(call->act->dtype), launch.grid[0], launch.grid[1],
      launch.grid[2], launch.block[0], launch.block[1], launch.block[2], launch.dynamic_lds);
  device->ran(device->self, ran.c_str());
  return result;
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
    auto target = match(k.declared, o, *code.at(o.arch), bytes.at(o.arch));
    if (!target) return std::unexpected(target.error());
    target->arch = bytes.find(o.arch)->first;  // the manifest goes, the map stays
    k.archs.push_back(target->arch.data());
    k.targets.push_back(std::move(*target));
  }
  for (const std::string& c : k.declared.clauses) k.clauses.push_back(c.c_str());
  k.clauses.push_back(nullptr);
  k.archs.push_back(nullptr);
  for (const std::string& l : k.declared.laws) k.laws.push_back(l.c_str());
  k.laws.push_back(nullptr);
  if (const ManifestArg* zp = k.declared.find(Role::zp)) k.zp_layouts = zp->layouts;
  k.declared.numerics.text = k.declared.numerics_text.c_str();
  w4_kernel row{};
  row.name = k.declared.name.c_str();
  row.says = k.declared.says.c_str();
  row.clauses = k.clauses.data();
  row.zp_layouts = k.zp_layouts.data();
  row.zp_layout_count = static_cast<int32_t>(k.zp_layouts.size());
  row.numerics = &k.declared.numerics;
  row.archs = k.archs.data();
  row.data = &k;
  row.accept = accept;
  row.prepare = prepare_weights;
  row.run = run;
  row.laws = k.laws.data();
  row.dense_weights = k.declared.find(Role::wei)->layouts.front() == W4_DENSE;
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
  auto manifest = parse_manifest(view, path);
  if (!manifest) return std::unexpected(manifest.error());
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  std::map<std::string, std::shared_ptr<const rdna::CodeObject>> code;
  for (const ManifestObject& o : manifest->objects) {
    auto bytes = read_file((fs::path(path).parent_path() / o.path).string());
    if (!bytes) return fail("{}: {}", o.place, bytes.error().text);
    auto object = rdna::CodeObject::load(*bytes);
    if (!object) return fail("{}: '{}': {}", o.place, o.path, object.error().text);
    if ((*object)->arch() != o.arch) {
      return fail("{}: '{}' is for {}; legal: an object for {}", o.place, o.path, (*object)->arch(),
                  o.arch);
    }
    impl->bytes[o.arch] = std::move(*bytes);
    code[o.arch] = std::move(*object);
  }
  for (ManifestKernel& k : manifest->kernels) {
    if (auto done = impl->add(std::move(k), *manifest, code); !done) {
      return std::unexpected(done.error());
    }
  }
  impl->table = {W4_MODULE_VERSION, sizeof(w4_kernel), impl->path.c_str(), impl->rows.data(),
                 static_cast<int32_t>(impl->rows.size())};
  return std::shared_ptr<const ObjectModule>(new ObjectModule(std::move(impl)));
}

}  // namespace w4
