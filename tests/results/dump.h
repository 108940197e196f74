// All that a store holds, without the ids that depend on the order of filing: equal stores have
// equal dumps.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "results/sqlite.h"

namespace w4::testing {

// One column, j.
inline std::string verdict_rows() {
  return "SELECT json_array('verdict', r.uid, s.name, v.number, v.line, v.line_hash, v.kernel, "
         "v.device, v.suite, v.kind, v.green, b.text, v.object_hash, v.fp, v.instantiation, "
         "v.clause, v.outputs, v.headroom, v.seconds, v.wave_instructions, v.json) AS j "
         "FROM verdict v JOIN run r ON r.id=v.run JOIN source s ON s.id=v.source "
         "JOIN build b ON b.id=v.build";
}

// Rows of one query as text; a row that is there twice shows as "2 x …".
inline std::set<std::string> rows(const std::string& path, std::string_view sql) {
  auto db = Database::open(path, SQLITE_OPEN_READONLY);
  EXPECT_TRUE(db);
  auto s = db->prepare(fmt::format("SELECT j, count(*) FROM ({}) GROUP BY j", sql));
  EXPECT_TRUE(s) << s.error().text;
  std::set<std::string> out;
  while (s && *s->step()) {
    out.insert(s->integer(1) == 1 ? s->text(0) : fmt::format("{} x {}", s->integer(1), s->text(0)));
  }
  return out;
}

// What schema version 2 has too.
inline std::set<std::string> dump_of_2(const std::string& path) {
  const std::string keys =
      "(SELECT group_concat(key, '; ') FROM (SELECT key FROM failure_key WHERE failure=f.id ORDER "
      "BY key))";
  const std::array<std::string, 10> queries{
      "SELECT json_array('run', r.uid, r.kind, r.command, b.text, r.planned, r.plan, r.started, "
      "r.heartbeat, r.finished, r.state, r.new_at, s.name, r.new_number, r.new_cases) AS j FROM "
      "run r JOIN build b ON b.id=r.build LEFT JOIN source s ON s.id=r.new_source",
      verdict_rows(),
      "SELECT json_array('folded', r.uid, s.name, v.number, " + keys +
          ") AS j FROM verdict v JOIN run r ON r.id=v.run JOIN source s ON s.id=v.source "
          "JOIN failure f ON f.id=v.failure",
      "SELECT json_array('entry', r.uid, o.uid, s.name, v.number, e.suite) AS j FROM entry e JOIN "
      "run r ON r.id=e.run JOIN verdict v ON v.id=e.verdict JOIN run o ON o.id=v.run "
      "JOIN source s ON s.id=v.source",
      "SELECT json_array('finding', r.uid, s.name, v.number, x.kind, x.kernel, x.source, x.buffer, "
      "x.detail) AS j FROM finding x LEFT JOIN verdict v ON v.id=x.verdict LEFT JOIN run r ON "
      "r.id=v.run LEFT JOIN source s ON s.id=v.source",
      "SELECT json_array('tally', r.uid, t.suite, t.kernel, t.device, t.kind, t.green, t.cases, "
      "round(t.seconds, 6), t.wave_instructions, t.headroom) AS j FROM tally t JOIN run r ON "
      "r.id=t.run",
      "SELECT json_array('behaviour', r.uid, x.kind, x.id, x.cases, min(n.name||' "
      "'||x.first_number, "
      "coalesce(m.name||' '||x.second_number, '~')), max(n.name||' '||x.first_number, "
      "coalesce(m.name||' '||x.second_number, ''))) AS j FROM behaviour x JOIN run r ON r.id=x.run "
      "JOIN source n ON n.id=x.first_source LEFT JOIN source m ON m.id=x.second_source",
      "SELECT json_array('position', r.uid, s.name, p.next) AS j FROM position p JOIN run r ON "
      "r.id=p.run JOIN source s ON s.id=p.source UNION ALL "
      "SELECT json_array('lost', r.uid, s.name, l.number, l.line, l.why) FROM lost l JOIN run r ON "
      "r.id=l.run JOIN source s ON s.id=l.source",
      "SELECT json_array('failure', r.uid, f.kernel, f.kind, f.pattern, f.hypothesis, "
      "f.first_line, "
      "s.name, f.first_number, f.smallest_line, f.cases, f.state, b.text, " +
          keys +
          ") AS j FROM failure f JOIN run r ON r.id=f.run JOIN source s ON s.id=f.first_source "
          "JOIN "
          "build b ON b.id=f.build",
      "SELECT json_array('flaky', b.text, f.line) AS j FROM flaky f JOIN build b ON b.id=f.build"};
  std::set<std::string> out;
  for (const std::string& sql : queries) out.merge(rows(path, sql));
  return out;
}

inline std::set<std::string> dump(const std::string& path) {
  std::set<std::string> out = dump_of_2(path);
  out.merge(rows(path, "SELECT json_array('machine', uid, machine) AS j FROM run"));
  out.merge(rows(path,
                 "SELECT json_array('document', d.kind, d.name, b.text, d.at, d.json) AS j FROM "
                 "document d JOIN build b ON b.id=d.build"));
  return out;
}

}  // namespace w4::testing
