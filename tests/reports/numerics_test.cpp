// The numerics member: which bin, which side, what counts, what is said where nothing was kept.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/histogram.h"
#include "store_of.h"

namespace w4 {
namespace {

using nlohmann::json;
using testing::StoreOf;

Record record(const std::string& line, Outcome o) {
  const Case c = *parse_case(line);
  Provenance ran;
  ran.fp = "ieee";
  return {"smoke", c.kernel, c.device, make_verdict(line, {std::move(o)}, ran)};
}

// An error of `used` of B, towards the side of `ratio`, at an element of size `twin`.
Pass pass(double ratio, double twin, double exposure = 5) {
  Pass p;
  p.worst.m = 0;
  p.worst.n = 3;
  p.worst.twin = twin;
  p.worst.ratio = ratio;
  p.headroom = std::abs(ratio);
  p.exposure = exposure;
  return p;
}

json numerics(const std::vector<Record>& rows) { return StoreOf(rows).document().at("numerics"); }

int64_t sum(const json& counts, size_t from, size_t to) {
  int64_t n = 0;
  for (size_t i = from; i < to; ++i) n += counts.at(i).get<int64_t>();
  return n;
}

TEST(HistogramBins, EdgesBelongToTheBinBelow) {
  const std::vector<double> edges{0.5, 1};
  Histogram h(edges);
  for (const double v : {0.0, 0.5, 0.500001, 1.0, 1.000001, std::nan("")}) h.add(v);
  EXPECT_EQ(h.counts(), (std::vector<int64_t>{2, 2, 2}));
  EXPECT_EQ(headroom_edges().back(), 1.0);
  EXPECT_EQ(signed_edges()[20], 0.0);
  EXPECT_EQ(ulp_edges()[24], 0.0);
}

TEST(NumericsMember, ErrorsAwayFromZeroArePositiveWhateverTheSign) {
  const json n = numerics(
      {record("decode m=1 seed=1", pass(0.3, 2.0)), record("decode m=1 seed=2", pass(-0.3, -2.0)),
       record("decode m=1 seed=3", pass(-0.3, 2.0)), record("decode m=1 seed=4", pass(0.3, 0.0))});
  const json& g = n.at("groups").at(0);
  EXPECT_EQ(g.at("cases"), 4);
  const size_t zero = 21;  // first bin above 0
  EXPECT_EQ(sum(g.at("signed"), zero, g.at("signed").size()), 2);
  EXPECT_EQ(sum(g.at("signed"), 0, zero), 1) << "and a sum of 0 has no side";
}

TEST(NumericsMember, KernelAndDtypeAreGroups) {
  const json n =
      numerics({record("decode m=1", pass(0.3, 1)), record("decode m=1 act=bf16", pass(0.3, 1)),
                record("chunked m=1", pass(0.3, 1))});
  EXPECT_EQ(n.at("groups").size(), 3);
}

TEST(NumericsMember, WhatCannotShowAnErrorIsNotInThePicture) {
  const json n =
      numerics({record("decode m=1", pass(0, 1, 0.5)), record("decode m=2", pass(0.1, 1))});
  const json& g = n.at("groups").at(0);
  EXPECT_EQ(g.at("cases"), 1);
  EXPECT_EQ(g.at("exact"), 1);
  EXPECT_EQ(n.at("judged"), 2);
  EXPECT_EQ(n.at("bare"), 0);
}

TEST(NumericsMember, MismatchesLieBeyondTheBoundAndComeFirst) {
  Mismatch wrong{.worst = {}, .count = 1, .total = 64, .pattern = ""};
  wrong.worst.n = 2;
  wrong.worst.twin = 1;
  wrong.worst.ratio = -7;
  Mismatch nan = wrong;
  nan.worst.ratio = std::numeric_limits<double>::quiet_NaN();
  std::vector<Record> rows{record("decode m=1 k=256", wrong), record("decode m=1 k=512", nan)};
  for (int i = 0; i < 20; ++i)
    rows.push_back(record("decode m=1 seed=" + std::to_string(100 + i), pass(0.01 * i, 1)));
  const json n = numerics(rows);
  EXPECT_EQ(n.at("groups").at(0).at("headroom").back(), 2);
  const json& worst = n.at("worst");
  ASSERT_EQ(worst.size(), 10);
  EXPECT_EQ(worst.at(0).at("used"), "inf");
  EXPECT_EQ(worst.at(1).at("used"), 7.0);
  EXPECT_EQ(worst.at(1).at("rerun"), "w4check rerun 'decode m=1 k=256'");
  EXPECT_EQ(worst.at(1).at("element").at("n"), 2);
  EXPECT_EQ(worst.at(2).at("line"), "decode m=1 seed=119");
  EXPECT_EQ(worst.at(9).at("line"), "decode m=1 seed=112");
}

TEST(NumericsMember, EqualLinesAreOneOfTheWorst) {
  const Record r = record("decode m=1", pass(0.5, 1));
  EXPECT_EQ(numerics({r, r, r}).at("worst").size(), 1);
}

TEST(NumericsMember, DriftAndLooseNotesAreThoseOfTheCommand) {
  Pass p = pass(0.01, 1, 1000);
  p.drift = {.outputs = 1000,
             .columns = 1000,
             .sum = -500,
             .squares = 300,
             .products = -500,
             .counts = 1000,
             .open = 0};
  const json n = numerics({record("decode m=1", p)});
  ASSERT_EQ(n.at("drift").size(), 1);
  EXPECT_EQ(n.at("drift").at(0).at("mean"), -0.5);
  EXPECT_EQ(n.at("drift").at(0).at("beyond"), true);
  ASSERT_EQ(n.at("loose").size(), 1);
  EXPECT_NE(n.at("loose").at(0).get<std::string>().find("no more than 0.01 of B"),
            std::string::npos);
  EXPECT_EQ(sum(n.at("groups").at(0).at("means"), 0, 10), 1) << "half an ulp towards zero";
}

// Green rows of a campaign keep their headroom alone.
TEST(NumericsMember, SaysOfHowManyVerdictsNoDetailWasKept) {
  StoreOf store({});
  const auto run =
      store.store().begin_run({.command = "c", .build_id = "b1", .kind = RunKind::campaign});
  ASSERT_TRUE(run);
  int64_t number = 0;
  for (const double used : {0.0, 0.25}) {
    CampaignCase c;
    c.number = number++;
    c.source = "random";
    c.record = record("decode m=1 seed=" + std::to_string(number), pass(used, 1));
    ASSERT_TRUE(store.store().add_case(*run, c));
  }
  ReportContext context = store.context();
  context.run = **store.store().find_run(*run);
  const auto document = report_document(store.store(), context);
  ASSERT_TRUE(document) << document.error().text;
  const json& n = document->at("numerics");
  EXPECT_EQ(n.at("judged"), 2);
  EXPECT_EQ(n.at("bare"), 2);
  const json& g = n.at("groups").at(0);
  EXPECT_EQ(g.at("cases"), 1);
  EXPECT_EQ(g.at("unknown"), 1);
  EXPECT_EQ(sum(g.at("signed"), 0, g.at("signed").size()), 0);
  EXPECT_TRUE(n.at("worst").at(0).at("element").is_null());
  EXPECT_TRUE(n.at("drift").empty());
}

}  // namespace
}  // namespace w4
