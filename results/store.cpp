#include "results/store.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "results/schema.h"
#include "results/sqlite.h"
#include "results/text.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

// A file that SQLite may open without harm: absent, empty, or with SQLite's own first 16 bytes.
Result<bool> has_content(const std::string& path) {
  std::error_code ec;
  const auto status = std::filesystem::status(path, ec);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  if (ec) return fail("{}", ec.message());
  if (status.type() != std::filesystem::file_type::regular) return fail("it is not a regular file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("{}", std::strerror(errno));
  std::array<char, 16> head{};
  in.read(head.data(), head.size());
  if (in.gcount() == 0) return false;
  constexpr std::string_view kMagic{"SQLite format 3\0", 16};
  if (std::string_view(head.data(), static_cast<size_t>(in.gcount())) != kMagic) {
    return fail("it is not an SQLite file; give the path of a store, or of a new file");
  }
  return true;
}

// Judges an existing file on a connection that cannot change it.
Result<void> examine(const std::string& path) {
  auto db = Database::open(path, SQLITE_OPEN_READONLY);
  if (!db) return std::unexpected(db.error());
  const auto application = db->pragma("application_id");
  if (!application) return std::unexpected(application.error());
  if (*application != kApplicationId) {
    return fail("it is an SQLite file, but not a store of w4check; give another path");
  }
  const auto version = db->pragma("user_version");
  if (!version) return std::unexpected(version.error());
  if (*version != Store::kSchemaVersion) {
    return fail(
        "it has schema version {}, this w4check reads and writes version {}; use the "
        "w4check that wrote it, or another path",
        *version, Store::kSchemaVersion);
  }
  auto check = db->prepare("PRAGMA quick_check(1)");
  if (!check) return std::unexpected(check.error());
  const auto row = check->step();
  if (!row) return std::unexpected(row.error());
  if (*row && check->text(0) != "ok") return fail("it is damaged: {}", check->text(0));
  return {};
}

// Two processes may find no file at once: the second sees the first one's tables.
Result<void> create_schema(Database& db) {
  if (auto begun = db.execute("BEGIN IMMEDIATE"); !begun) return begun;
  const auto version = db.pragma("user_version");
  if (!version) return std::unexpected(version.error());
  const std::string sql =
      *version != 0 ? "COMMIT"
                    : fmt::format("{} PRAGMA application_id={}; PRAGMA user_version={}; COMMIT",
                                  kSchema, kApplicationId, Store::kSchemaVersion);
  return db.execute(sql.c_str());
}

std::unexpected<Error> about(const std::string& path, const Error& e) {
  return fail("store '{}': {}", path, e.text);
}

}  // namespace

std::string_view name_of(RunState s) {
  constexpr std::array<std::string_view, 4> kNames{"running", "complete", "interrupted", "stopped"};
  return kNames.at(static_cast<size_t>(s));
}

struct Store::Impl {
  Database db;
  std::string path;
  Statement add_verdict, add_entry, add_finding, find_verdict;

  // One transaction round `body`; rolled back where it fails.
  template <class F>
  Result<void> transaction(F&& body) {
    if (auto begun = db.execute("BEGIN IMMEDIATE"); !begun) return about(path, begun.error());
    Result<void> done = body();
    if (done) done = db.execute("COMMIT");
    if (done) return {};
    (void)db.execute("ROLLBACK");
    return about(path, done.error());
  }

  Result<void> entry(int64_t run, int64_t verdict, std::string_view suite, bool resumed) {
    add_entry.bind(1, run);
    add_entry.bind(2, verdict);
    add_entry.bind(3, suite);
    add_entry.bind(4, int64_t{resumed});
    return add_entry.run();
  }
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::string& path, Mode mode) {
  const Result<bool> content = has_content(path);
  if (!content) return about(path, content.error());
  if (*content) {
    if (auto fit = examine(path); !fit) return about(path, fit.error());
  } else if (mode == Mode::read) {
    return fail("store '{}': there is no such store; `w4check run --db {}` makes one", path, path);
  }
  const int flags =
      mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  auto db = Database::open(path, flags);
  if (!db) return about(path, db.error());
  auto impl = std::make_unique<Impl>();
  impl->db = std::move(*db);
  impl->path = path;
  if (mode == Mode::write) {
    // synchronous=NORMAL in WAL mode: safe against the end of a process, no fsync per verdict.
    auto ready = impl->db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
    if (ready && !*content) ready = create_schema(impl->db);
    if (!ready) return about(path, ready.error());
    const std::array<std::pair<Statement*, std::string_view>, 4> statements{
        {{&impl->add_verdict,
          "INSERT INTO verdict(line, kernel, device, kind, green, build_id, object_hash, fp, "
          "seconds, wave_instructions, json) VALUES(?,?,?,?,?,?,?,?,?,?,?)"},
         {&impl->add_entry, "INSERT INTO entry(run, verdict, suite, resumed) VALUES(?,?,?,?)"},
         {&impl->add_finding,
          "INSERT INTO finding(verdict, kind, kernel, source, buffer, detail) VALUES(?,?,?,?,?,?)"},
         {&impl->find_verdict,
          "SELECT v.id, v.kernel, v.device, v.json, (SELECT suite FROM entry WHERE verdict=v.id) "
          "FROM verdict v WHERE v.line=? AND v.build_id=? AND v.kind NOT IN "
          "('harness_error','crash','timeout','skipped') ORDER BY v.id DESC LIMIT 1"}}};
    for (const auto& [statement, sql] : statements) {
      auto prepared = impl->db.prepare(sql);
      if (!prepared) return about(path, prepared.error());
      *statement = std::move(*prepared);
    }
  }
  return Store(std::move(impl));
}

Result<int64_t> Store::begin_run(const RunStart& start) {
  auto s = impl_->db.prepare("INSERT INTO run(command, build_id, planned) VALUES(?,?,?)");
  if (!s) return about(impl_->path, s.error());
  s->bind(1, printable_utf8(start.command));
  s->bind(2, start.build_id);
  s->bind(3, start.planned);
  if (auto done = s->run(); !done) return about(impl_->path, done.error());
  return impl_->db.last_id();
}

Result<void> Store::add(int64_t run, const Record& record) {
  const Verdict& v = record.verdict;
  return impl_->transaction([&]() -> Result<void> {
    Statement& s = impl_->add_verdict;
    s.bind(1, v.line);
    s.bind(2, record.kernel);
    s.bind(3, record.device);
    s.bind(4, name_of(v.kind()));
    s.bind(5, int64_t{v.green()});
    s.bind(6, v.ran.build_id);
    s.bind(7, v.ran.object_hash);
    s.bind(8, v.ran.fp);
    s.bind(9, v.ran.seconds);
    s.bind(10, static_cast<int64_t>(v.ran.wave_instructions));
    s.bind(11, verdict_to_text(v));
    if (auto done = s.run(); !done) return done;
    const int64_t id = impl_->db.last_id();
    for (const Outcome& o : v.outcomes) {
      const auto* found = std::get_if<Found>(&o);
      if (found == nullptr) continue;
      for (const Finding& f : found->findings) {
        Statement& row = impl_->add_finding;
        row.bind(1, id);
        row.bind(2, name_of(f.kind));
        row.bind(3, printable_utf8(f.kernel));
        row.bind(4, printable_utf8(f.at.source));
        row.bind(5, printable_utf8(f.buffer));
        row.bind(6, printable_utf8(f.detail));
        if (auto done = row.run(); !done) return done;
      }
    }
    return impl_->entry(run, id, record.suite, record.resumed);
  });
}

Result<void> Store::end_run(int64_t run, RunState state) {
  auto s = impl_->db.prepare("UPDATE run SET finished=datetime('now'), state=? WHERE id=?");
  if (!s) return about(impl_->path, s.error());
  s->bind(1, static_cast<int64_t>(state));
  s->bind(2, run);
  if (auto done = s->run(); !done) return about(impl_->path, done.error());
  return {};
}

Result<std::vector<Record>> Store::adopt(int64_t run, std::string_view build_id,
                                         std::span<const std::string> lines) {
  std::vector<Record> records;
  auto done = impl_->transaction([&]() -> Result<void> {
    for (const std::string& line : lines) {
      Statement& s = impl_->find_verdict;
      s.bind(1, line);
      s.bind(2, build_id);
      const auto row = s.step();
      if (!row) return std::unexpected(row.error());
      if (!*row) continue;
      const int64_t id = s.integer(0);
      Record r{s.text(4), s.text(1), s.text(2), {}, true};
      auto verdict = verdict_from_text(s.text(3));
      if (auto end = s.step(); !end) return std::unexpected(end.error());
      if (!verdict) continue;  // a row nobody can read is reached again
      r.verdict = std::move(*verdict);
      if (auto linked = impl_->entry(run, id, r.suite, true); !linked) return linked;
      records.push_back(std::move(r));
    }
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return records;
}

Result<std::optional<StoredRun>> Store::find_run(std::optional<int64_t> id) {
  auto s = impl_->db.prepare(
      "SELECT id, command, build_id, planned, started, finished, state FROM run "
      "WHERE ?1 < 0 OR id = ?1 ORDER BY id DESC LIMIT 1");
  if (!s) return about(impl_->path, s.error());
  s->bind(1, id.value_or(-1));
  const auto row = s->step();
  if (!row) return about(impl_->path, row.error());
  if (!*row) return std::nullopt;
  const int64_t state = s->integer(6);
  return StoredRun{s->integer(0),
                   s->text(1),
                   s->text(2),
                   s->integer(3),
                   s->text(4),
                   s->text(5),
                   state < 0 || state > 3 ? RunState::running : static_cast<RunState>(state)};
}

Result<std::vector<Record>> Store::verdicts(int64_t run) {
  auto s = impl_->db.prepare(
      "SELECT e.suite, v.kernel, v.device, v.json, e.resumed FROM entry e "
      "JOIN verdict v ON v.id = e.verdict WHERE e.run = ? ORDER BY e.rowid");
  if (!s) return about(impl_->path, s.error());
  s->bind(1, run);
  std::vector<Record> records;
  for (;;) {
    const auto row = s->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) return records;
    auto verdict = verdict_from_text(s->text(3));
    if (!verdict) return about(impl_->path, verdict.error());
    records.push_back(
        {s->text(0), s->text(1), s->text(2), std::move(*verdict), s->integer(4) != 0});
  }
}

}  // namespace w4
