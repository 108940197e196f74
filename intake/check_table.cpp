#include "intake/check_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/case.h"
#include "core/contract.h"
#include "core/gpu.h"
#include "core/law.h"

namespace w4 {
namespace {

constexpr int32_t kMostKernels = 4096;

std::string quoted(const char* text) {
  constexpr size_t kShown = 64;
  const std::string_view all(text);
  return fmt::format("'{}{}'", all.substr(0, kShown), all.size() > kShown ? "…" : "");
}

// A list that ends in NULL, each of whose names `known` knows. No name stands there twice, so that
// a list without an end is an error too.
Result<void> check_names(const char* field, const char* const* list,
                         bool (*known)(std::string_view), const char* legal) {
  std::set<std::string_view> seen;
  for (size_t i = 0; list[i] != nullptr; ++i) {
    if (!known(list[i]))
      return fail("{}: {} is not known; legal: {}", field, quoted(list[i]), legal);
    if (!seen.insert(list[i]).second)
      return fail("{}: {} stands there twice", field, quoted(list[i]));
  }
  return {};
}

bool known_clause(std::string_view name) { return find_clause(name) != nullptr; }
bool known_arch(std::string_view name) {
  return name == "host" || name == "cuda" || find_gpu(name) != nullptr;
}
bool known_law(std::string_view name) {
  const auto law = law_from(name);
  return law && can_be_exact(*law);
}

Result<void> check_zero_points(const w4_kernel& k) {
  if (k.zp_layout_count < 0 || k.zp_layout_count > 2) {
    return fail("zp_layout_count: {}; legal: 0 (symmetric weights only) to 2", k.zp_layout_count);
  }
  if (k.zp_layout_count > 0 && k.zp_layouts == nullptr) {
    return fail("zp_layouts: NULL with zp_layout_count {}", k.zp_layout_count);
  }
  for (const w4_layout l : std::span(k.zp_layouts, static_cast<size_t>(k.zp_layout_count))) {
    if (l != W4_ZP_PACKED && l != W4_ZP_UNPACKED) {
      return fail("zp_layouts: {}; legal: W4_ZP_PACKED ({}), W4_ZP_UNPACKED ({})",
                  static_cast<int>(l), static_cast<int>(W4_ZP_PACKED),
                  static_cast<int>(W4_ZP_UNPACKED));
    }
  }
  return {};
}

Result<void> check_kernel(const w4_kernel& k) {
  const std::array pointers{std::pair("says", static_cast<const void*>(k.says)),
                            std::pair("clauses", static_cast<const void*>(k.clauses)),
                            std::pair("archs", static_cast<const void*>(k.archs)),
                            std::pair("accept", reinterpret_cast<const void*>(k.accept)),
                            std::pair("prepare", reinterpret_cast<const void*>(k.prepare)),
                            std::pair("run", reinterpret_cast<const void*>(k.run))};
  for (const auto& [field, pointer] : pointers) {
    if (pointer == nullptr) return fail("{}: NULL", field);
  }
  if (auto done = check_zero_points(k); !done) return done;
  if (auto done =
          check_names("clauses", k.clauses, known_clause, "names of `w4check list clauses`");
      !done) {
    return done;
  }
  if (auto done = check_names("archs", k.archs, known_arch, "names of `w4check list devices`");
      !done) {
    return done;
  }
  if (k.archs[0] == nullptr) return fail("archs: empty; legal: at least one");
  if (k.laws != nullptr) {
    if (auto done = check_names("laws", k.laws, known_law,
                                "names of `w4check list laws` that can hold bit for bit");
        !done) {
      return done;
    }
  }
  for (const auto& [field, value] :
       {std::pair("inline_assembly", k.inline_assembly),
        std::pair("dense_weights", k.dense_weights), std::pair("reads_carrier", k.reads_carrier),
        std::pair("moe", k.moe)}) {
    if (value != 0 && value != 1) return fail("{}: {}; legal: 0 or 1", field, value);
  }
  if (k.numerics == nullptr) {
    if (k.numerics_of != nullptr) return {};
    return fail("numerics: NULL, and so is numerics_of; legal: one of them is not");
  }
  if (auto done = check_numerics(k.numerics); !done) {
    return fail("numerics.{}", done.error().text);
  }
  return {};
}

}  // namespace

Result<void> check_numerics(const w4_numerics* numerics) {
  const std::array pointers{std::pair("weight", reinterpret_cast<const void*>(numerics->weight)),
                            std::pair("store", reinterpret_cast<const void*>(numerics->store)),
                            std::pair("chain", reinterpret_cast<const void*>(numerics->chain)),
                            std::pair("text", static_cast<const void*>(numerics->text))};
  for (const auto& [field, pointer] : pointers) {
    if (pointer == nullptr) return fail("{}: NULL", field);
  }
  return {};
}

Result<void> check_table(const w4_module& table) {
  if (table.name == nullptr) return fail("name of the module: NULL");
  if (table.kernel_count < 1 || table.kernel_count > kMostKernels) {
    return fail("kernel_count: {}; legal: 1 to {}", table.kernel_count, kMostKernels);
  }
  if (table.kernels == nullptr)
    return fail("kernels: NULL with kernel_count {}", table.kernel_count);
  std::set<std::string_view> names;
  for (int32_t i = 0; i < table.kernel_count; ++i) {
    const w4_kernel& k = table.kernels[i];
    if (k.name == nullptr) return fail("kernel {}: name: NULL", i);
    if (!legal_kernel_name(k.name)) {
      return fail("kernel {}: name: {} cannot start a case line; legal: [a-z][a-z0-9_]*", i,
                  quoted(k.name));
    }
    if (!names.insert(k.name).second)
      return fail("kernel {}: name: '{}' stands there twice", i, k.name);
    if (auto done = check_kernel(k); !done) {
      return fail("kernel '{}': {}", k.name, done.error().text);
    }
  }
  return {};
}

}  // namespace w4
