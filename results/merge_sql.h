// The statements of merge.cpp: `src` is the attached input, the maps lead from its ids to ours.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace w4 {

// All of a verdict but its place: {0} the row's name, {1} its store's.
inline constexpr std::string_view kRow =
    "({0}.line, {0}.kind, {0}.seconds, {0}.json, {0}.kernel, {0}.device, {0}.suite, {0}.green, "
    "{0}.object_hash, {0}.fp, {0}.instantiation, {0}.clause, {0}.outputs, "
    "coalesce({0}.headroom, -1), {0}.wave_instructions, "
    "(SELECT text FROM {1}.build WHERE id={0}.build))";

// `sql` with its {theirs} and {ours}: the row s of src, and `ours` of main.
inline std::string with_rows(std::string_view sql, std::string_view ours) {
  return fmt::format(fmt::runtime(sql), fmt::arg("theirs", fmt::format(kRow, "s", "src")),
                     fmt::arg("ours", fmt::format(kRow, ours, "main")));
}

inline constexpr const char* kMergeTables = R"sql(
CREATE TEMP TABLE build_map(src INTEGER PRIMARY KEY, dst INTEGER);
CREATE TEMP TABLE source_map(src INTEGER PRIMARY KEY, dst INTEGER);
CREATE TEMP TABLE run_map(src INTEGER PRIMARY KEY, dst INTEGER);
CREATE TEMP TABLE failure_map(src INTEGER PRIMARY KEY, dst INTEGER);
CREATE TEMP TABLE fresh(src INTEGER PRIMARY KEY, dst INTEGER);
)sql";

inline constexpr const char* kMergeClear = R"sql(
DELETE FROM temp.build_map; DELETE FROM temp.source_map; DELETE FROM temp.run_map;
DELETE FROM temp.failure_map; DELETE FROM temp.fresh;
)sql";

// Of two copies of a run the one that was heard of last knows its state.
inline constexpr const char* kMergeRuns = R"sql(
INSERT OR IGNORE INTO main.build(text) SELECT text FROM src.build;
INSERT INTO temp.build_map SELECT s.id, d.id FROM src.build s JOIN main.build d ON d.text=s.text;
INSERT OR IGNORE INTO main.source(name) SELECT name FROM src.source;
INSERT INTO temp.source_map SELECT s.id, d.id FROM src.source s JOIN main.source d ON d.name=s.name;
INSERT INTO main.run(uid, kind, command, build, planned, plan, started, heartbeat, finished, state,
    machine)
  SELECT s.uid, s.kind, s.command, b.dst, s.planned, s.plan, s.started, s.heartbeat, s.finished,
    s.state, s.machine
  FROM src.run s JOIN temp.build_map b ON b.src=s.build WHERE true ORDER BY s.started, s.uid
  ON CONFLICT(uid) DO UPDATE SET planned=excluded.planned, plan=excluded.plan,
    heartbeat=excluded.heartbeat, finished=excluded.finished, state=excluded.state,
    machine=excluded.machine
  WHERE (excluded.heartbeat, excluded.finished, excluded.state, excluded.planned, excluded.plan,
    excluded.machine) > (heartbeat, finished, state, planned, plan, machine);
INSERT INTO temp.run_map SELECT s.id, d.id FROM src.run s JOIN main.run d ON d.uid=s.uid;
UPDATE main.run SET new_at=s.new_at, new_source=m.dst, new_number=s.new_number,
    new_cases=s.new_cases
  FROM src.run s JOIN src.source n ON n.id=s.new_source JOIN temp.source_map m ON m.src=n.id
  WHERE s.uid=main.run.uid AND (s.new_at, s.new_cases, s.new_number, n.name) >
    (main.run.new_at, main.run.new_cases, coalesce(main.run.new_number, -1),
     coalesce((SELECT name FROM main.source WHERE id=main.run.new_source), ''));
)sql";

// Two copies of a store that both went on hold different verdicts of one number: the lesser row
// stays, whichever came first. For with_rows(…, "d").
inline constexpr const char* kMergeVerdicts = R"sql(
INSERT INTO temp.fresh
  SELECT s.id, d.id FROM src.verdict s JOIN temp.run_map r ON r.src=s.run
  JOIN temp.source_map n ON n.src=s.source
  LEFT JOIN main.verdict d ON d.run=r.dst AND d.source=n.dst AND d.number=s.number
  WHERE d.id IS NULL OR {theirs} < {ours};
INSERT OR IGNORE INTO main.flaky(build, line_hash, line)
  SELECT d.build, d.line_hash, d.line FROM src.verdict s JOIN temp.run_map r ON r.src=s.run
  JOIN temp.source_map n ON n.src=s.source JOIN temp.build_map b ON b.src=s.build
  JOIN main.verdict d ON d.run=r.dst AND d.source=n.dst AND d.number=s.number
  WHERE s.line=d.line AND b.dst=d.build AND s.kind<>'skipped' AND d.kind<>'skipped'
    AND (s.kind<>d.kind OR (s.outputs<>d.outputs AND s.outputs<>'' AND d.outputs<>''))
    AND (s.object_hash=d.object_hash OR s.object_hash='' OR d.object_hash='');
DELETE FROM main.finding WHERE verdict IN (SELECT dst FROM temp.fresh WHERE dst IS NOT NULL);
DELETE FROM main.verdict WHERE id IN (SELECT dst FROM temp.fresh WHERE dst IS NOT NULL);
INSERT INTO main.verdict(id, run, source, number, line, line_hash, kernel, device, suite, kind,
    green, build, object_hash, fp, instantiation, clause, outputs, headroom, seconds,
    wave_instructions, json)
  SELECT f.dst, r.dst, n.dst, s.number, s.line, s.line_hash, s.kernel, s.device, s.suite, s.kind,
    s.green, b.dst, s.object_hash, s.fp, s.instantiation, s.clause, s.outputs, s.headroom,
    s.seconds, s.wave_instructions, s.json
  FROM temp.fresh f JOIN src.verdict s ON s.id=f.src JOIN temp.run_map r ON r.src=s.run
  JOIN temp.source_map n ON n.src=s.source JOIN temp.build_map b ON b.src=s.build ORDER BY f.src;
UPDATE temp.fresh SET dst=d.id FROM src.verdict s JOIN temp.run_map r ON r.src=s.run
  JOIN temp.source_map n ON n.src=s.source
  JOIN main.verdict d ON d.run=r.dst AND d.source=n.dst AND d.number=s.number
  WHERE s.id=temp.fresh.src AND temp.fresh.dst IS NULL;
INSERT INTO main.finding SELECT f.dst, x.kind, x.kernel, x.source, x.buffer, x.detail
  FROM temp.fresh f JOIN src.finding x ON x.verdict=f.src ORDER BY f.src, x.rowid;
INSERT OR IGNORE INTO main.flaky(build, line_hash, line)
  SELECT b.dst, x.line_hash, x.line FROM src.flaky x JOIN temp.build_map b ON b.src=x.build;
INSERT OR IGNORE INTO main.flaky(build, line_hash, line)
  SELECT a.build, a.line_hash, a.line FROM temp.fresh f CROSS JOIN main.verdict a ON a.id=f.dst
  CROSS JOIN main.verdict b ON b.line_hash=a.line_hash
  WHERE b.id<>a.id AND b.build=a.build AND b.line=a.line AND a.kind<>'skipped'
    AND b.kind<>'skipped'
    AND (a.kind<>b.kind OR (a.outputs<>b.outputs AND a.outputs<>'' AND b.outputs<>''))
    AND (a.object_hash=b.object_hash OR a.object_hash='' OR b.object_hash='');
INSERT OR IGNORE INTO main.entry(run, verdict, suite)
  SELECT r.dst, d.id, e.suite FROM src.entry e JOIN temp.run_map r ON r.src=e.run
  JOIN src.verdict s ON s.id=e.verdict JOIN temp.run_map o ON o.src=s.run
  JOIN temp.source_map n ON n.src=s.source
  JOIN main.verdict d ON d.run=o.dst AND d.source=n.dst AND d.number=s.number ORDER BY e.rowid;
)sql";

// Counts are made anew from the verdicts. A behaviour keeps the two first of the cases that either
// store names.
inline constexpr const char* kMergeCounts = R"sql(
DELETE FROM main.tally WHERE run IN (SELECT dst FROM temp.run_map);
INSERT INTO main.tally
  SELECT run, suite, kernel, device, kind, green, count(*), sum(seconds), sum(wave_instructions),
    coalesce(max(headroom), 0)
  FROM main.verdict WHERE run IN (SELECT dst FROM temp.run_map)
  GROUP BY run, suite, kernel, device, kind, green;
WITH shown AS (
    SELECT r.dst AS run, b.kind, b.id, n.dst AS source, b.first_number AS number
      FROM src.behaviour b JOIN temp.run_map r ON r.src=b.run
      JOIN temp.source_map n ON n.src=b.first_source
    UNION SELECT r.dst, b.kind, b.id, n.dst, b.second_number
      FROM src.behaviour b JOIN temp.run_map r ON r.src=b.run
      JOIN temp.source_map n ON n.src=b.second_source
    UNION SELECT run, kind, id, first_source, first_number
      FROM main.behaviour WHERE run IN (SELECT dst FROM temp.run_map)
    UNION SELECT run, kind, id, second_source, second_number
      FROM main.behaviour WHERE run IN (SELECT dst FROM temp.run_map) AND second_source IS NOT NULL),
  ranked AS (
    SELECT h.run, h.kind, h.id, h.source, h.number, row_number() OVER (
      PARTITION BY h.run, h.kind, h.id ORDER BY n.name, h.number) AS place
    FROM shown h JOIN main.source n ON n.id=h.source)
INSERT OR REPLACE INTO main.behaviour
  SELECT run, kind, id, count(*), max(iif(place=1, source, NULL)), max(iif(place=1, number, NULL)),
    max(iif(place=2, source, NULL)), max(iif(place=2, number, NULL))
  FROM ranked WHERE place<=2 GROUP BY run, kind, id;
INSERT INTO main.position
  SELECT r.dst, n.dst, p.next FROM src.position p JOIN temp.run_map r ON r.src=p.run
  JOIN temp.source_map n ON n.src=p.source WHERE true
  ON CONFLICT DO UPDATE SET next=max(next, excluded.next);
INSERT INTO main.lost
  SELECT r.dst, n.dst, l.number, l.line, l.why FROM src.lost l JOIN temp.run_map r ON r.src=l.run
  JOIN temp.source_map n ON n.src=l.source WHERE true
  ON CONFLICT DO UPDATE SET line=excluded.line, why=excluded.why
  WHERE (excluded.line, excluded.why) < (line, why);
)sql";

// Of two documents of one kind, name and build the later stays.
inline constexpr const char* kMergeDocuments = R"sql(
INSERT INTO main.document
  SELECT s.kind, s.name, b.dst, s.at, s.json FROM src.document s
  JOIN temp.build_map b ON b.src=s.build WHERE true
  ON CONFLICT DO UPDATE SET at=excluded.at, json=excluded.json
  WHERE (excluded.at, excluded.json) > (at, json);
)sql";

// After the failures themselves: what goes by failure_map. A row that stayed against theirs is
// another verdict and of none of their failures. For with_rows(…, "main.verdict").
inline constexpr const char* kMergeFolded = R"sql(
UPDATE main.verdict SET failure=m.dst
  FROM src.verdict s JOIN temp.failure_map m ON m.src=s.failure JOIN temp.run_map r ON r.src=s.run
  JOIN temp.source_map n ON n.src=s.source
  WHERE main.verdict.run=r.dst AND main.verdict.source=n.dst AND main.verdict.number=s.number
    AND main.verdict.failure IS NULL AND {theirs} = {ours};
UPDATE main.failure SET cases=(SELECT count(*) FROM main.verdict WHERE failure=main.failure.id)
  WHERE run IN (SELECT dst FROM temp.run_map);
)sql";

}  // namespace w4
