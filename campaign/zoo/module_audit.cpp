#include "campaign/zoo/module_audit.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "campaign/selection_audit.h"
#include "campaign/zoo/one_question.h"
#include "intake/open_module.h"
#include "kernels/selection.h"
#include "results/text.h"

namespace w4::zoo {
namespace {

using nlohmann::json;

constexpr const char* kSelectionEntry = "w4_zoo_selection";  // zoo/selection_entry.cpp

}  // namespace

const SelectionTable* selection_of(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  using Entry = const SelectionTable*();
  auto* const entry = reinterpret_cast<Entry*>(dlsym(handle, kSelectionEntry));
  const SelectionTable* const table = entry == nullptr ? nullptr : entry();
  dlclose(handle);
  return table;
}

std::string audit_answer(const std::string& module_path) {
  const auto module = open_module(module_path);
  if (!module) return json{{"error", printable_utf8(module.error().text)}}.dump();
  SelectionAudit audit;
  audit_instantiations(*module->table, audit);
  if (const SelectionTable* table = selection_of(module_path)) {
    const std::vector<Layer> layers = selection_layers();
    audit_reach(*table, layers, audit);
    audit_launches(*table, *module->table, layers, audit);
  }
  json out = json::array();
  for (const std::string& w : audit.wrong) out.push_back(printable_utf8(w));
  return out.dump();
}

Result<std::vector<std::string>> audit_module(const std::string& module_path, double seconds) {
  const auto said = one_question("--audit", module_path, seconds);
  if (!said) return std::unexpected(said.error());
  if (said->is_array()) return said->get<std::vector<std::string>>();
  return fail("{}", said->value("error", "the worker of the audit answers what was not asked"));
}

}  // namespace w4::zoo
