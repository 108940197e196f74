// `w4check migrate`: stores of an older schema version brought up to this one.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct MigrateCommand {
  std::vector<std::string> stores;
};

void add_migrate(CLI::App& app, MigrateCommand& c);

// Exit code: 0 all are of this version now; 2 one is no store, or of a newer version. Those before
// it have been brought up.
int migrate_command(const MigrateCommand& c);

}  // namespace w4
