#include "intake/manifest_row.h"

#include "kernels/prepare.h"

namespace w4 {

w4_kernel RowLists::row(ManifestKernel& declared) {
  for (const auto* list : {&declared.assumes, &declared.clauses}) {
    for (const std::string& c : *list) clauses.push_back(c.c_str());
  }
  clauses.push_back(nullptr);
  for (const std::string& l : declared.laws) laws.push_back(l.c_str());
  laws.push_back(nullptr);
  declared.numerics.text = declared.numerics_text.c_str();
  w4_kernel row{};
  row.name = declared.name.c_str();
  row.says = declared.says.c_str();
  row.clauses = clauses.data();
  row.zp_layouts = zp_layouts.data();
  row.zp_layout_count = static_cast<int32_t>(zp_layouts.size());
  row.numerics = &declared.numerics;
  row.dense_weights = declared.find(Role::wei)->layouts.front() == W4_DENSE;
  row.reads_carrier = declared.find(Role::carrier) != nullptr;
  row.prepare = prepare_weights;
  row.laws = laws.data();
  return row;
}

}  // namespace w4
