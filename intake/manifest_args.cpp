#include "intake/manifest_args.h"

#include <algorithm>
#include <array>

#include "intake/manifest_keys.h"

namespace w4 {
namespace {

struct RoleRow {
  std::string_view name;
  Role role;
  // What preparation makes, or relayout.h makes of that.
  std::vector<std::pair<std::string_view, w4_layout>> layouts;
};
const std::array<RoleRow, kRoles> kRoleRows{{
    {"act", Role::act, {{"dense", W4_DENSE}}},
    {"wei",
     Role::wei,
     {{"shuffled", W4_WEI_SHUFFLED},
      {"sequential", W4_WEI_SEQUENTIAL},
      {"awq", W4_WEI_AWQ},
      {"gptq", W4_WEI_GPTQ},
      {"dense", W4_DENSE}}},
    {"scale", Role::scale, {{"dense", W4_DENSE}, {"transposed", W4_SCALE_TRANSPOSED}}},
    {"zp",
     Role::zp,
     {{"packed", W4_ZP_PACKED},
      {"unpacked", W4_ZP_UNPACKED},
      {"awq", W4_ZP_AWQ},
      {"gptq1", W4_ZP_GPTQ_V1},
      {"gptq2", W4_ZP_GPTQ_V2}}},
    {"bias", Role::bias, {{"dense", W4_DENSE}}},
    {"carrier", Role::carrier, {{"carrier", W4_SCALE_CARRIER}}},
    {"out", Role::out, {{"dense", W4_DENSE}}},
}};

constexpr std::string_view kTogether =
    "tensor with layout, or one of i32, u32, i64, f32, null, workspace";

void read_tensor(const ManifestValues& values, const Json& v, const std::string& key,
                 ManifestArg& a) {
  a.role = read_role(values, values.field(v, key, "tensor"), key);
  const Json& layout = values.field(v, key, "layout");
  if (a.role == Role::zp && layout.kind == Json::Kind::array) {
    // One pointer in the call's encoding, whichever that is.
    for (const Json& one : layout.items) a.layouts.push_back(read_layout(values, one, key, a.role));
    if (a.layouts != std::vector{W4_ZP_PACKED, W4_ZP_UNPACKED}) {
      values.wrong(layout, key + ".layout",
                   "this list; legal: a layout, or [\"packed\", \"unpacked\"] of zp");
    }
  } else {
    a.layouts = {read_layout(values, layout, key, a.role)};
  }
  read_optional(values, v, key, a);
}

void read_number(const ManifestValues& values, const Json& v, const std::string& key,
                 ManifestArg& a) {
  const std::string& type = v.keys[0];
  a.kind = type == "f32" ? ManifestArg::Kind::real : ManifestArg::Kind::integer;
  a.bytes = type == "i64" ? 8 : 4;
  a.is_signed = type != "u32";
  a.value = values.expression(v.items[0], fmt::format("{}.{}", key, type));
}

ManifestArg read_arg(const ManifestValues& values, const Json& v, const std::string& key) {
  values.object(v, key, manifest_keys::kArgument);
  ManifestArg a;
  a.place = values.place(v, key);
  const bool tensor = v.find("tensor") != nullptr;
  const bool workspace = v.find("workspace") != nullptr;
  const size_t of_tensor = (v.find("layout") != nullptr) + (v.find("optional") != nullptr);
  const size_t zeroed = v.find("zeroed") != nullptr;
  if (v.keys.size() != 1 + of_tensor + zeroed || tensor != (v.find("layout") != nullptr) ||
      (!tensor && of_tensor > 0) || (zeroed > 0 && !workspace)) {
    values.wrong(v, key, "these keys do not go together; legal: {}", kTogether);
  }
  if (tensor) {
    a.kind = ManifestArg::Kind::tensor;
    read_tensor(values, v, key, a);
  } else if (const Json* null = v.find("null")) {
    values.text(*null, key + ".null");
  } else if (workspace) {
    a.kind = ManifestArg::Kind::workspace;
    a.value = values.expression(*v.find("workspace"), key + ".workspace");
    if (const Json* zeros = v.find("zeroed")) {
      a.zeroed = values.of_kind(*zeros, key + ".zeroed", Json::Kind::boolean).boolean;
    }
  } else {
    read_number(values, v, key, a);
  }
  return a;
}

void check_roles(const ManifestValues& values, const Json& v, const std::string& key,
                 const std::vector<ManifestArg>& args) {
  const auto find = [&](Role role) {
    return std::ranges::find_if(args, [&](const ManifestArg& a) {
      return a.kind == ManifestArg::Kind::tensor && a.role == role;
    });
  };
  const auto wei = find(Role::wei);
  const bool scaled =
      (wei != args.end() && wei->layouts[0] == W4_DENSE) || find(Role::carrier) != args.end();
  for (const Role needed : {Role::act, Role::wei, Role::scale, Role::out}) {
    if (find(needed) != args.end() || (needed == Role::scale && scaled)) continue;
    values.wrong(
        v, key, "no argument is the tensor {}; legal: act, wei, scale and out each{}",
        name_of(needed),
        needed == Role::scale ? " (no scale where wei is dense or there is a carrier)" : "");
  }
  for (const Role once :
       {Role::act, Role::wei, Role::scale, Role::bias, Role::carrier, Role::out}) {
    const auto first = find(once);
    for (size_t i = 0; i < args.size(); ++i) {
      if (args[i].kind != ManifestArg::Kind::tensor || args[i].role != once) continue;
      if (args[i].layouts == first->layouts) continue;
      values.wrong(v.items[i], fmt::format("{}[{}]", key, i),
                   "the tensor {} is in another layout than in args[{}]; legal: one", name_of(once),
                   first - args.begin());
    }
  }
}

}  // namespace

std::string_view name_of(Role role) { return kRoleRows[static_cast<size_t>(role)].name; }

Role read_role(const ManifestValues& values, const Json& v, const std::string& key) {
  const auto row = std::ranges::find(kRoleRows, values.text(v, key + ".tensor"), &RoleRow::name);
  if (row == kRoleRows.end()) {
    values.wrong(v, key + ".tensor", "{}; legal: {}", shown(v),
                 names(kRoleRows, [](const RoleRow& r) { return r.name; }));
  }
  return row->role;
}

w4_layout read_layout(const ManifestValues& values, const Json& v, const std::string& key,
                      Role role) {
  const RoleRow& row = kRoleRows[static_cast<size_t>(role)];
  const std::string& tag = values.text(v, key + ".layout");
  const auto found =
      std::ranges::find(row.layouts, tag, &std::pair<std::string_view, w4_layout>::first);
  if (found == row.layouts.end()) {
    values.wrong(v, key + ".layout", "{} of {}; legal: {}", shown(v), row.name,
                 names(row.layouts, [](const auto& l) { return l.first; }));
  }
  return found->second;
}

void read_optional(const ManifestValues& values, const Json& v, const std::string& key,
                   ManifestArg& a) {
  const Json* optional = v.find("optional");
  if (optional == nullptr) return;
  values.of_kind(*optional, key + ".optional", Json::Kind::boolean);
  if (a.role != Role::zp) {
    values.wrong(*optional, key + ".optional",
                 "of {}; legal: of zp (a bias is always optional, the others never)",
                 name_of(a.role));
  }
  a.optional = optional->boolean;
}

std::vector<ManifestArg> read_args(const ManifestValues& values, const Json& v,
                                   const std::string& key) {
  values.of_kind(v, key, Json::Kind::array);
  std::vector<ManifestArg> args;
  for (size_t i = 0; i < v.items.size(); ++i) {
    args.push_back(read_arg(values, v.items[i], fmt::format("{}[{}]", key, i)));
  }
  check_roles(values, v, key, args);
  return args;
}

std::vector<std::string_view> layout_names(Role role) {
  std::vector<std::string_view> out;
  for (const auto& l : kRoleRows[static_cast<size_t>(role)].layouts) out.push_back(l.first);
  return out;
}

}  // namespace w4
