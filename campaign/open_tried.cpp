#include "campaign/open_tried.h"

#include <filesystem>

#include "campaign/execute.h"
#include "campaign/interrupt.h"

namespace w4 {

Result<OpenModule> open_tried(const std::string& path) {
  std::error_code ec;
  if (path != kBuiltIn) {
    if (!std::filesystem::is_regular_file(path, ec)) {
      return fail("'{}': there is no such file; legal: modules, or builtin", path);
    }
    if (path.find_first_of(" \t\n#") != path.npos) {
      return fail("'{}': a case line cannot hold this path; legal: no blanks, no #", path);
    }
    Case c;
    c.kernel = "tried", c.module = path;
    const PlannedCase planned{"tried", c, to_string(c)};
    std::string died;
    const Watcher watcher{[&](const PlannedCase&, const Verdict& v) {
                            if (v.kind() == VerdictKind::crash || v.kind() == VerdictKind::timeout)
                              died = to_string(v.primary());
                            return true;
                          },
                          [] {}, [] { return interrupted(); }};
    ExecuteOptions options;
    if (auto ran = execute_in_workers({&planned, 1}, options, watcher); !ran)
      return fail("{}", ran.error().text);
    if (!died.empty()) return fail("'{}' cannot be opened: {}", path, died);
  }
  return open_module(path);
}

}  // namespace w4
