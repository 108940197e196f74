// A store in a file of its own, gone with the object, with one run of given records.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/report.h"

namespace w4::testing {

class StoreOf {
 public:
  explicit StoreOf(const std::vector<Record>& records, int64_t planned = 0,
                   RunState state = RunState::complete) {
    const std::string folder = ::testing::TempDir() + "/w4_reports_XXXXXX";
    std::string made = folder;
    EXPECT_NE(::mkdtemp(made.data()), nullptr);
    folder_ = made;
    auto opened = Store::open(folder_ / "runs.db", Store::Mode::write);
    EXPECT_TRUE(opened) << opened.error().text;
    store_.emplace(std::move(*opened));
    run_ = *store_->begin_run(
        {.command = "w4check run --cases '<x>'", .build_id = "b1", .planned = planned});
    for (const Record& r : records) EXPECT_TRUE(store_->add(run_, r));
    EXPECT_TRUE(store_->end_run(run_, state));
  }
  ~StoreOf() {
    store_.reset();
    std::error_code ec;
    std::filesystem::remove_all(folder_, ec);
  }
  StoreOf(const StoreOf&) = delete;
  StoreOf& operator=(const StoreOf&) = delete;

  Store& store() { return *store_; }
  int64_t run() const { return run_; }
  ReportContext context() {
    return {.run = **store_->find_run(run_), .build_id = "b1", .written = "2026-01-31 12:00:00"};
  }
  nlohmann::json document() {
    auto d = report_document(*store_, context());
    EXPECT_TRUE(d) << d.error().text;
    return std::move(*d);
  }

 private:
  std::filesystem::path folder_;
  std::optional<Store> store_;
  int64_t run_ = 0;
};

}  // namespace w4::testing
