#include "campaign/bench/foreign.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/place.h"

namespace w4::bench {

Result<std::vector<Foreign>> read_foreign(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return fail("it is not JSON");
  std::string wrong;
  std::vector<Foreign> out;
  for (const Place& row : Place(json, wrong).at("rows").list()) {
    Foreign f{.who = row.at("who").text(),
              .shape = row.text("shape"),
              .state = row.has("state") ? row.at("state").text() : "cold",
              .n = row.at("n").count(),
              .k = row.at("k").count(),
              .m = row.at("m").count(),
              .g = row.at("g").count(),
              .seconds = row.at("seconds").number()};
    if (!wrong.empty()) break;
    if (!(f.seconds > 0) || !std::isfinite(f.seconds))
      return fail("seconds is {}; legal: above 0", f.seconds);
    for (const int64_t size : {f.n, f.k, f.m, f.g}) {
      if (size < 1 || size > 1 << 24) return fail("m, n, k or g is {}; legal: from 1", size);
    }
    if (f.state != "cold" && f.state != "warm")
      return fail("state is '{}'; legal: cold, warm", f.state);
    Case c;
    c.kernel = "decode";
    c.problem.m = f.m, c.problem.n = f.n, c.problem.k = f.k, c.problem.g = f.g;
    c.problem.zp = ZpMode::packed;
    f.least = least_of(c, false, false);
    out.push_back(std::move(f));
  }
  if (!wrong.empty()) return fail("{}", wrong);
  return out;
}

void name_shapes(std::vector<Foreign>& foreign, const std::vector<Row>& rows) {
  for (Foreign& f : foreign) {
    const auto ours = std::ranges::find_if(rows, [&](const Row& r) {
      return r.of.value.problem.n == f.n && r.of.value.problem.k == f.k;
    });
    if (f.shape.empty())
      f.shape = ours != rows.end() ? ours->of.shape : fmt::format("{}x{}", f.n, f.k);
  }
}

}  // namespace w4::bench
