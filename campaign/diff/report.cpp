#include "campaign/diff/report.h"

#include "campaign/diff/job.h"
#include "results/text.h"

namespace w4::diff {

void Job::see(Side side, const Case& c, const nlohmann::json& said) {
  for (const nlohmann::json& l : said.at("launches")) {
    symbols.at(side).try_emplace({c.device, l.at("symbol").get<std::string>()},
                                 Seen{c, l.at("object").get<uint64_t>()});
  }
}

void Job::note_given_up(Section& s) const {
  for (const Compared& k : kernels) {
    if (!pair.gave_up(k.name)) continue;
    s.notes.push_back(k.name + ": crashes or hangs so often that the rest was not looked at");
  }
}

void Job::add(Section& s, Row row) {
  bool known = true;
  // Every key is asked: an entry for one of them is not stale.
  for (const std::string& key : row.keys) known = accepted.covers(s.name, key) && known;
  if (known) {
    ++s.accepted;
  } else {
    s.rows.push_back(std::move(row));
  }
}

size_t Report::differences() const {
  size_t n = 0;
  for (const Section& s : sections) n += s.rows.size();
  return n;
}

std::string json_text(const Report& r) {
  nlohmann::json sections = nlohmann::json::array();
  for (const Section& s : r.sections) sections.push_back(json_of(s));
  return nlohmann::json{{"a", printable_utf8(r.a)},
                        {"b", printable_utf8(r.b)},
                        {"differences", r.differences()},
                        {"sections", sections},
                        {"stale", r.stale},
                        {"seconds", r.seconds},
                        {"interrupted", r.interrupted},
                        {"budget_over", r.budget_over}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace w4::diff
