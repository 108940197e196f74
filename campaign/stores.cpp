#include "campaign/stores.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "campaign/commands.h"
#include "results/store.h"

namespace w4 {

void add_migrate(CLI::App& app, MigrateCommand& c) {
  CLI::App* migrate = app.add_subcommand(
      "migrate", "Bring stores that an older w4check wrote up to the schema version of this one");
  migrate->add_option("store", c.stores, "Store that `w4check run --db` wrote")
      ->option_text("FILE …")
      ->required();
  migrate->footer(
      "A store is changed in one transaction: a kill leaves it as it was. An older w4check cannot "
      "read it afterwards.\n\nExit codes: 0 all are of this version, 2 usage (also: not a store).");
}

int migrate_command(const MigrateCommand& c) {
  for (const std::string& path : c.stores) {
    std::error_code ec;
    if (!std::filesystem::exists(path, ec)) {
      return usage_error(fmt::format("migrate: store '{}': there is no such file", path));
    }
    const auto store = Store::open(path, Store::Mode::write);
    if (!store) return usage_error("migrate: " + store.error().text);
    fmt::print("{}: schema version {}\n", path, Store::kSchemaVersion);
  }
  return kGreen;
}

}  // namespace w4
