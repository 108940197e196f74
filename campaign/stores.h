// Commands on stores: `w4check migrate`, `w4check merge`, `w4check export`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct MigrateCommand {
  std::vector<std::string> stores;
};

struct MergeCommand {
  std::vector<std::string> stores;
  std::string out;
};

struct ExportCommand {
  std::string db;
  std::string json, junit;  // file; "-": standard output; empty: none
  std::optional<int64_t> run;
};

void add_migrate(CLI::App& app, MigrateCommand& c);
void add_merge(CLI::App& app, MergeCommand& c);
void add_export(CLI::App& app, ExportCommand& c);

// Exit code: 0 all are of this version now; 2 one is no store, or of a newer version. Those before
// it have been brought up.
int migrate_command(const MigrateCommand& c);

// Exit code: 0 merged; 2 one cannot be merged (results/merge.h), and nothing was.
int merge_command(const MergeCommand& c);

// Exit code: 0 written; 2 usage, also no such store or run; 3 it could not be written.
int export_command(const ExportCommand& c);

}  // namespace w4
