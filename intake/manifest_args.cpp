#include "intake/manifest_args.h"

#include <algorithm>
#include <array>

namespace w4 {
namespace {

struct RoleRow {
  std::string_view name;
  Role role;
  std::vector<std::pair<std::string_view, w4_layout>> layouts;  // what preparation can make
};
const std::array<RoleRow, kRoles> kRoleRows{{
    {"act", Role::act, {{"dense", W4_DENSE}}},
    {"wei", Role::wei, {{"shuffled", W4_WEI_SHUFFLED}, {"dense", W4_DENSE}}},
    {"scale", Role::scale, {{"dense", W4_DENSE}}},
    {"zp", Role::zp, {{"packed", W4_ZP_PACKED}, {"unpacked", W4_ZP_UNPACKED}}},
    {"bias", Role::bias, {{"dense", W4_DENSE}}},
    {"out", Role::out, {{"dense", W4_DENSE}}},
}};

constexpr std::array<std::string_view, 5> kArgKeys{"tensor", "layout", "i32", "i64", "null"};

ManifestArg read_arg(const ManifestValues& values, const Json& v, const std::string& key) {
  values.object(v, key, kArgKeys);
  ManifestArg a;
  a.place = values.place(v, key);
  const Json* tensor = v.find("tensor");
  const bool layout = v.find("layout") != nullptr;
  if (v.keys.size() != (tensor != nullptr ? 2u : 1u) || layout != (tensor != nullptr)) {
    values.wrong(
        v, key,
        "these keys do not go together; legal: tensor with layout, or one of i32, i64, null");
  }
  if (tensor != nullptr) {
    a.kind = ManifestArg::Kind::tensor;
    a.role = read_role(values, *tensor, key);
    a.layouts = {read_layout(values, values.field(v, key, "layout"), key, a.role)};
  } else if (const Json* null = v.find("null")) {
    values.text(*null, key + ".null");
  } else {
    a.kind = ManifestArg::Kind::integer;
    a.bytes = v.keys[0] == "i32" ? 4 : 8;
    a.value = values.expression(v.items[0], fmt::format("{}.{}", key, v.keys[0]));
  }
  return a;
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

std::vector<ManifestArg> read_args(const ManifestValues& values, const Json& v,
                                   const std::string& key) {
  values.of_kind(v, key, Json::Kind::array);
  std::vector<ManifestArg> args;
  for (size_t i = 0; i < v.items.size(); ++i) {
    args.push_back(read_arg(values, v.items[i], fmt::format("{}[{}]", key, i)));
  }
  for (const Role needed : {Role::act, Role::wei, Role::scale, Role::out}) {
    if (std::ranges::any_of(args, [&](const ManifestArg& a) {
          return a.kind == ManifestArg::Kind::tensor && a.role == needed;
        })) {
      continue;
    }
    values.wrong(v, key, "no argument is the tensor {}; legal: act, wei, scale and out each",
                 name_of(needed));
  }
  return args;
}

}  // namespace w4
