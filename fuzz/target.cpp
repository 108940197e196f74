#include "fuzz/target.h"

namespace w4::fuzz {

std::map<std::string_view, Target>& targets() {
  static std::map<std::string_view, Target> all;
  return all;
}

std::string list_targets() {
  std::string out;
  for (const auto& [name, t] : targets()) out += fmt::format("{:<12} {}\n", name, t.says);
  return out;
}

Result<Target> find_target(std::string_view name) {
  const auto found = targets().find(name);
  if (found != targets().end()) return found->second;
  if (name.empty()) return fail("--target is missing; legal:\n{}", list_targets());
  return fail("--target is '{}'; legal:\n{}", name, list_targets());
}

int ByteChooser::pick(int count) {
  if (count <= 1) return 0;
  // Two bytes where one cannot reach every answer.
  uint32_t v = 0;
  for (int bytes = count > 256 ? 2 : 1; bytes > 0; --bytes) {
    v = v << 8 | (at_ < bytes_.size() ? bytes_[at_] : 0u);
    ++at_;
  }
  return static_cast<int>(v % static_cast<uint32_t>(count));
}

}  // namespace w4::fuzz
