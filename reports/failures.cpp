#include "reports/failures.h"

#include <map>

namespace w4 {
namespace {

using nlohmann::json;

// The command as the verdict prints it (core quotes it for a shell), without what follows it.
std::string rerun_command(std::string_view text) {
  constexpr std::string_view kLabel = "rerun: ";
  const size_t at = text.rfind(kLabel);
  if (at == std::string_view::npos) return std::string(text);
  text.remove_prefix(at + kLabel.size());
  return std::string(text.substr(0, text.find('\n')));
}

class Failures : public Section {
 public:
  std::string_view name() const override { return "failures"; }

  void add(const Seen& seen) override {
    if (seen.filed.failure == 0) return;
    first_.try_emplace(seen.filed.failure, to_string(seen.verdict()));
  }

  Result<json> finish(Store& store, const ReportContext& context) override {
    constexpr int64_t kMost = 1000;
    const auto all = store.failures(context.run.id, kMost);
    if (!all) return std::unexpected(all.error());
    json out = json::array();
    for (const StoredFailure& f : *all) {
      const auto first = first_.find(f.id);
      const std::string text = first == first_.end() ? "" : first->second;
      out.push_back({{"id", f.id},
                     {"kernel", f.kernel},
                     {"kind", f.kind},
                     {"pattern", f.pattern},
                     {"cases", f.cases},
                     {"rerun", rerun_command(text)},
                     {"text", text}});
    }
    return out;
  }

 private:
  std::map<int64_t, std::string> first_;  // text of the first verdict, by failure
};

}  // namespace

std::unique_ptr<Section> failures_section() { return std::make_unique<Failures>(); }

}  // namespace w4
