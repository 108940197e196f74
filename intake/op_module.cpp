#include "intake/op_module.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <ranges>
#include <span>
#include <vector>

#include "core/contract.h"
#include "intake/call_problem.h"
#include "intake/call_sizes.h"
#include "intake/manifest.h"
#include "intake/manifest_row.h"
#include "intake/op_device.h"
#include "intake/tensor_of.h"
#include "kernels/descriptors.h"

namespace w4 {
namespace {

struct OpKernel {
  ManifestKernel declared;
  const w4_op* op = nullptr;
  RowLists lists;
};

std::string_view name_of(w4_op_kind k) {
  switch (k) {
    case W4_OP_TENSOR:
      return "a tensor";
    case W4_OP_OPTIONAL:
      return "an optional tensor";
    case W4_OP_INT:
      return "an integer";
    case W4_OP_FLOAT:
      return "a floating-point number";
    case W4_OP_BOOL:
      return "a bool";
    case W4_OP_TEXT:
      return "a text";
    case W4_OP_NOTHING:
      return "nothing";
    case W4_OP_UNKNOWN:
      break;
  }
  return "a type that torch_lite has no value for";
}

// What `a` may be given to.
std::vector<w4_op_kind> taken_by(const ManifestArg& a) {
  switch (a.kind) {
    case ManifestArg::Kind::tensor:
    case ManifestArg::Kind::null:
      return {W4_OP_TENSOR, W4_OP_OPTIONAL};
    case ManifestArg::Kind::integer:
      return {W4_OP_INT, W4_OP_BOOL, W4_OP_FLOAT};
    case ManifestArg::Kind::number:
      return {W4_OP_FLOAT};
    case ManifestArg::Kind::text:
      return {W4_OP_TEXT};
    case ManifestArg::Kind::real:
    case ManifestArg::Kind::workspace:
      break;  // of code objects
  }
  return {};
}

Result<void> fits(const ManifestKernel& k, const w4_op& op) {
  const std::span takes(op.takes, static_cast<size_t>(op.parameters));
  if (takes.size() != k.args.size()) {
    return fail(
        "{}: {} arguments are declared; '{}' takes {}: {}", k.place, k.args.size(), op.name,
        takes.size(),
        fmt::join(takes | std::views::transform([](w4_op_kind t) { return name_of(t); }), ", "));
  }
  for (size_t i = 0; i < takes.size(); ++i) {
    const auto legal = taken_by(k.args[i]);
    if (std::ranges::find(legal, takes[i]) != legal.end()) continue;
    return fail("{}: parameter {} of '{}' takes {}", k.args[i].place, i, op.name,
                name_of(takes[i]));
  }
  const bool writes_out = k.find(Role::out) != nullptr;
  if (op.returns == (writes_out ? W4_OP_NOTHING : W4_OP_TENSOR) ||
      (writes_out && op.returns == W4_OP_TENSOR)) {
    return {};
  }
  return fail("{}: '{}' returns {}; legal: a tensor, or an argument that is the tensor out",
              k.place, op.name, name_of(op.returns));
}

const OpKernel& of(const w4_kernel* self) { return *static_cast<const OpKernel*>(self->data); }

int refuse(const w4_device& device, const std::string& clause, const std::string& message) {
  device.refuse(device.self, clause.c_str(), message.c_str());
  return 1;
}

// What comes back is the output: its shape and type, and its bytes where its memory is elsewhere.
Result<void> take_result(const w4_tensor& got, const w4_tensor& out, const w4_device& device,
                         bool dry) {
  const auto dims = [](const w4_tensor& t) {
    return std::span(t.dim, static_cast<size_t>(std::clamp(t.rank, 0, 3)));
  };
  if (got.dtype != out.dtype || !std::ranges::equal(dims(got), dims(out))) {
    return fail("the operator returns {} {}; legal: {} {}", w4::name_of(got.dtype), shape_of(got),
                w4::name_of(out.dtype), shape_of(out));
  }
  int64_t expected = 1;
  for (int32_t d = got.rank; d-- > 0; expected *= got.dim[d]) {
    if (got.dim[d] != 1 && got.stride[d] != expected) {
      return fail("the operator returns a tensor with strides; legal: a contiguous one");
    }
  }
  if (dry || got.device == out.device) return {};
  if (device.copy(device.self, out.device, got.device, out.bytes) != 0) {
    return fail("the operator returns memory that is not there: {} bytes at {:#x}", out.bytes,
                got.device);
  }
  return {};
}

int call_operator(const w4_kernel* self, const w4_call& call, const w4_device& device, bool dry) {
  const OpKernel& k = of(self);
  const Problem p = problem_of(call);
  const Reported r{.cus = call.cu_count,
                   .lds = device.property(device.self, W4_PROP_LDS_PER_BLOCK)};
  if (const auto clause = broken_clause(k.declared.assumes, p, r)) {
    return refuse(device, *clause, find_clause(*clause)->broken(p, r).value_or(""));
  }
  const Sizes sizes = sizes_of(call, device);
  std::deque<w4_tensor> views;
  std::vector<w4_op_value> values;
  for (const ManifestArg& a : k.declared.args) {
    w4_op_value& v = values.emplace_back();
    v.number = a.number;
    v.text = a.text.c_str();
    if (a.kind == ManifestArg::Kind::tensor) {
      if (const w4_tensor* operand = tensor_of(call, a.role)) {
        auto view = seen_as(*operand, a.seen_as.value_or(operand->dtype));
        if (!view) return refuse(device, "launch", a.place + ": " + view.error().text);
        v.tensor = &views.emplace_back(*view);
      }
    } else if (a.kind == ManifestArg::Kind::integer) {
      const auto value = a.value.value(sizes);
      if (!value) return refuse(device, "launch", a.place + ": " + value.error().text);
      v.integer = *value;
      v.number = static_cast<double>(*value);
    }
  }
  const bool returns = k.op->returns == W4_OP_TENSOR && k.declared.find(Role::out) == nullptr;
  OpDevice seen(device, call, {.dry = dry, .returns = returns});
  w4_tensor result{};
  const int ended = k.op->call(seen.table(), dry ? 1 : 0, values.data(), &result);
  if (seen.thrown()) {
    if (seen.guesses()) return 0;  // run() will tell
    return refuse(device, broken_clause(k.declared.clauses, p, r).value_or(""), *seen.thrown());
  }
  if (!seen.launched().empty()) {
    // What the kernels are is in their names; m, G and the dtype are said for verify's trust.
    const std::string ran =
        fmt::format("{}; m{} g{} {}", seen.launched(), p.m, p.g, w4::name_of(call.act->dtype));
    device.ran(device.self, ran.c_str());
  }
  if (ended != 0) return ended;
  if (returns) {
    if (seen.freed_output() && result.device == call.out->device) {
      return refuse(device, "", "the operator returns memory that it has freed");
    }
    if (const auto took = take_result(result, *call.out, device, dry); !took) {
      return refuse(device, "", took.error().text);
    }
  }
  return 0;
}

int accept(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  return call_operator(self, *call, *device, true);
}

int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  return call_operator(self, *call, *device, false);
}

}  // namespace

struct OpModule::Impl {
  std::string name;
  const char* archs[2] = {nullptr, nullptr};
  std::deque<OpKernel> kernels;
  std::vector<w4_kernel> rows;
  w4_module table{};

  void add(ManifestKernel declared, const w4_op& op);
};

void OpModule::Impl::add(ManifestKernel declared, const w4_op& op) {
  OpKernel& k = kernels.emplace_back();
  k.declared = std::move(declared);
  k.op = &op;
  if (const ManifestArg* zp = k.declared.find(Role::zp)) k.lists.zp_layouts = zp->layouts;
  w4_kernel row = k.lists.row(k.declared);
  row.archs = archs;
  row.data = &k;
  row.accept = accept;
  row.run = run;
  rows.push_back(row);
}

OpModule::OpModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OpModule::~OpModule() = default;
const w4_module& OpModule::table() const { return impl_->table; }

Result<std::shared_ptr<const OpModule>> OpModule::make(const w4_ops& ops, const std::string& path) {
  if (ops.version != W4_OPS_VERSION || ops.op_bytes != sizeof(w4_op)) {
    return fail("module '{}': operators of version {} ({} bytes each); legal: version {} ({})",
                path, ops.version, ops.op_bytes, W4_OPS_VERSION, sizeof(w4_op));
  }
  if (ops.manifest == nullptr || *ops.manifest == 0) {
    return fail(
        "module '{}': made without a manifest, so nothing says what its operators compute; "
        "legal: `w4check intake … --manifest FILE`",
        path);
  }
  auto manifest = parse_manifest(ops.manifest, path + ": its manifest");
  if (!manifest) return std::unexpected(manifest.error());
  const std::span all(ops.ops, static_cast<size_t>(ops.count));
  auto impl = std::make_unique<Impl>();
  impl->name = path;
  impl->archs[0] = ops.arch;
  for (ManifestKernel& k : manifest->kernels) {
    const auto op = std::ranges::find_if(all, [&](const w4_op& o) { return k.op == o.name; });
    if (op == all.end()) {
      return fail("{}: there is no operator '{}' in it; legal: {}", k.place, k.op,
                  fmt::join(all | std::views::transform(&w4_op::name), ", "));
    }
    if (auto done = fits(k, *op); !done) return std::unexpected(done.error());
    impl->add(std::move(k), *op);
  }
  impl->table = {W4_MODULE_VERSION, sizeof(w4_kernel), impl->name.c_str(), impl->rows.data(),
                 static_cast<int32_t>(impl->rows.size())};
  return std::shared_ptr<const OpModule>(new OpModule(std::move(impl)));
}

}  // namespace w4
