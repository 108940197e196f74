#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>

#include "results/documents.h"
#include "results/dump.h"
#include "results/merge.h"
#include "results/samples.h"
#include "results/store_fixture.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

// Stores of a random past: campaigns and runs that go on, copied at random moments.
class Past {
 public:
  explicit Past(fs::path dir) : dir_(std::move(dir)) {}

  // One store; a copy of it is kept now and then. `forks`: copies go on as well.
  void live(int index, bool forks) {
    std::string path = (dir_ / fmt::format("s{}.db", index)).string();
    auto store = std::make_unique<Store>(*Store::open(path, Store::Mode::write));
    std::vector<int64_t> runs;
    const int steps = *rc::gen::inRange(1, 14);
    for (int i = 0; i < steps; ++i) {
      if (runs.empty() || *rc::gen::inRange(0, 6) == 0) {
        const auto kind = *rc::gen::element(RunKind::run, RunKind::campaign);
        runs.push_back(*store->begin_run({"c", "b1", 0, kind, "{}"}));
      }
      step(*store, *rc::gen::elementOf(runs));
      if (*rc::gen::inRange(0, 4) != 0) continue;
      const std::string copy = (dir_ / fmt::format("c{}.db", copies_++)).string();
      RC_ASSERT(Database::open(path, SQLITE_OPEN_READWRITE)->run("VACUUM INTO ?", copy));
      files_.push_back(copy);
      if (!forks || *rc::gen::inRange(0, 2) == 0) continue;
      files_.back() = path;  // the copy goes on, what it was made of stays
      path = copy;
      store = std::make_unique<Store>(*Store::open(path, Store::Mode::write));
    }
    files_.push_back(path);
  }
  const std::vector<std::string>& files() const { return files_; }

  // All files in a random order, in groups that are merged first.
  std::string merge_somehow() {
    std::vector<std::string> left = files_;
    for (;;) {
      for (size_t i = left.size(); i > 1; --i) {
        std::swap(left[i - 1], left[*rc::gen::inRange<size_t>(0, i)]);
      }
      const size_t least = std::min<size_t>(2, left.size());
      const size_t take = *rc::gen::inRange<size_t>(least, left.size() + 1);
      const std::vector<std::string> group(left.end() - static_cast<ptrdiff_t>(take), left.end());
      left.resize(left.size() - take);
      const std::string out = (dir_ / fmt::format("m{}.db", merged_++)).string();
      const auto done = merge_stores(group, out);
      if (!done) RC_FAIL(done.error().text);
      if (left.empty()) return out;
      left.push_back(out);
    }
  }

 private:
  static Outcome outcome() {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        return testing::mismatch("every row");
      case 1:
        return testing::mismatch("rows m=1 of 4");
      case 2:
        return Found{{testing::sample_finding()}};
      case 3:
        return Skipped{SkipReason::no_device, ""};
      case 4:
        return Timeout{};
      default:
        return Pass{};
    }
  }
  void step(Store& store, int64_t run) {
    const std::string source = *rc::gen::element<std::string>("random", "laws");
    const auto failures = *store.failures(run, 9);
    switch (*rc::gen::inRange(0, 9)) {
      case 8:
        document(store);
        return;
      case 0:
        RC_ASSERT(store.mark_lost(run, source, *rc::gen::inRange(0, 9), "line", "why"));
        return;
      case 1:
        RC_ASSERT(store.end_run(run, RunState::interrupted));
        return;
      case 2:
      case 3:
        if (!failures.empty()) go_on(store, *rc::gen::elementOf(failures));
        return;
      case 4:
        adopt(store, run);
        return;
      default:
        add(store, run, source);
    }
  }
  // Later ones replace, at later times; copies that go on may file at one time.
  void document(Store& store) {
    RC_ASSERT(file_document(store, {"zoo", *rc::gen::element<std::string>("a", "b"), "b1",
                                    fmt::format("2026-01-01 00:00:{:02}", ++documents_),
                                    *rc::gen::element<std::string>("1", "2")}));
  }
  // A failure goes forward: new, shrinking, then done or given up.
  static void go_on(Store& store, const StoredFailure& f) {
    if (f.state != FailureState::fresh && f.state != FailureState::shrinking) return;
    const auto state =
        *rc::gen::element(FailureState::shrinking, FailureState::done, FailureState::gave_up);
    const bool ended = state != FailureState::shrinking;
    RC_ASSERT(
        store.update_failure(f.id, {ended ? *rc::gen::element<std::string>("", "a", "bb") : "",
                                    ended ? *rc::gen::element<std::string>("", "h") : "",
                                    state,
                                    {},
                                    "p"}));
  }
  static void adopt(Store& store, int64_t run) {
    const std::vector<std::string> lines{"decode m=0 seed=random", "decode m=1 seed=laws"};
    RC_ASSERT(store.adopt(run, "b1", lines));
  }
  // Numbers go up by 1 or 2, so that another fork may reach the same one.
  void add(Store& store, int64_t run, const std::string& source) {
    int64_t number = 0;
    for (const int64_t n : *store.done_numbers(run, source, 0)) number = n + 1;
    std::vector<SeenBehaviour> seen;
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      seen.push_back({*rc::gen::inRange(0, 2), *rc::gen::inRange<uint64_t>(0, 4)});
    }
    auto c = testing::campaign_case(source, number + *rc::gen::inRange(0, 2), outcome(), seen);
    c.record.verdict.ran.seconds = *rc::gen::element(0.25, 0.5);
    c.keep_json = *rc::gen::arbitrary<bool>();
    RC_ASSERT(store.add_case(run, c));
  }

  fs::path dir_;
  std::vector<std::string> files_;
  int copies_ = 0, merged_ = 0, documents_ = 0;
};

class Folder {
 public:
  Folder() : path(testing::new_folder()) { RC_ASSERT(!path.empty()); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

// The same cases in every run unless RC_PARAMS asks for others; each makes about twenty stores.
void holds(const std::function<void()>& property) {
  constexpr int kCases = 25;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (std::getenv("RC_PARAMS") == nullptr) {
    params.seed = 1;
    params.maxSuccess = kCases;
  }
  const auto result = rc::detail::checkProperty(rc::detail::toProperty(property),
                                                rc::detail::TestMetadata{}, params);
  rc::detail::SuccessResult success;
  if (result.match(success)) return;
  rc::detail::printResultMessage(result, std::cerr);
  FAIL();
}

std::string difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string out;
  for (const auto& row : a) out += b.contains(row) ? "" : "- " + row + "\n";
  for (const auto& row : b) out += a.contains(row) ? "" : "+ " + row + "\n";
  return out;
}

TEST(MergeProperty, OrderAndGroupingDoNotMatter) {
  holds([] {
    const Folder folder;
    Past past(folder.path);
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) past.live(i, true);
    const auto one = testing::dump(past.merge_somehow());
    RC_ASSERT(difference(one, testing::dump(past.merge_somehow())) == "");
  });
}

TEST(MergeProperty, WithoutForksItIsTheUnion) {
  holds([] {
    const Folder folder;
    Past past(folder.path);
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) past.live(i, false);
    const auto verdicts = [](const std::string& path) {
      return testing::rows(path, testing::verdict_rows());
    };
    std::set<std::string> all;
    for (const std::string& file : past.files()) all.merge(verdicts(file));
    RC_ASSERT(difference(all, verdicts(past.merge_somehow())) == "");
  });
}

TEST(MergeProperty, OfCopiesItIsTheLastCopy) {
  holds([] {
    const Folder folder;
    Past past(folder.path);
    past.live(0, false);
    RC_ASSERT(difference(testing::dump(past.files().back()), testing::dump(past.merge_somehow())) ==
              "");
  });
}

}  // namespace
}  // namespace w4
