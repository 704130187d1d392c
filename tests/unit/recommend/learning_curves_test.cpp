// Learning curves and calibration, held against their definitions computed anew for every target.
#include "recmeter/recommend/learning_curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "recmeter/recommend/prequential.h"
#include "unit/recommend/random_log.h"

namespace recmeter {
namespace {

constexpr std::array<std::uint32_t, 2> cutoffs{2, 5};

// Lists of two recommenders, one of them sure of what it says.
template <class Take>
void for_each_list(const LearningLog& log, const Take& take) {
  PrequentialSpec rules;
  rules.rating = 0;
  rules.exclude = PrequentialSpec::Exclude::none;
  rules.recommenders = {{.name = "top"}, {.name = "taste", .kind = RecommenderKind::user_knn, .k = 3}};
  const Prequential::Take handed = [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> list) {
    take(r, request, list);
    return Result<void>{};
  };
  ASSERT_TRUE(Prequential(rules, log).run(handed, {}));
}

LearningCurves curves_of(const LearningLog& log) {
  LearningCurves curves(log, log.events, 2, {Duration{1}, Duration{600'000}}, {cutoffs.begin(), cutoffs.end()});
  for_each_list(log, [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> list) {
    curves.add(r, request, list);
  });
  return curves;
}

std::string count_bucket(std::size_t count) {
  return count == 0    ? "0"
         : count < 5   ? "1-4"
         : count < 10  ? "5-9"
         : count < 20  ? "10-19"
         : count < 50  ? "20-49"
         : count < 100 ? "50-99"
                       : "100+";
}

struct Tally {
  std::uint64_t targets = 0, hits = 0;
  double reciprocal = 0, error = 0;
};

TEST(LearningCurves, are_as_the_definition_says) {
  const LearningLog log = test::random_log(8, 400);
  std::map<std::tuple<std::size_t, std::int64_t, std::uint32_t, std::string, std::string>, Tally> expected;
  for_each_list(log, [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> list) {
    std::size_t before = 0, of_user = 0;
    for (const LearnedEvent& event : log.events) {
      before += event.ts < request.ts ? 1U : 0U;
      of_user += event.ts < request.ts && event.user == request.user ? 1U : 0U;
    }
    for (const std::int64_t horizon : {1, 600'000}) {
      std::set<std::uint32_t> done;
      for (const LearnedEvent& act : log.events) {
        if (act.user != request.user || act.ts < request.ts || act.ts.ms >= request.ts.ms + horizon) continue;
        if (!done.insert(act.item).second) continue;
        std::size_t of_item = 0;
        std::string age = "new";
        for (const LearnedEvent& event : log.events) {
          if (event.ts >= request.ts || event.item != act.item) continue;
          const std::int64_t hours = (request.ts - event.ts).ms / 3'600'000;
          if (of_item++ == 0)
            age = hours < 1 ? "<1h" : hours < 24 ? "<1d" : hours < 168 ? "<7d" : hours < 720 ? "<30d" : "more";
        }
        std::size_t power = 0;
        while ((std::size_t{2} << power) <= before) ++power;
        const std::string events =
            before < 2 ? std::to_string(before)
                       : std::to_string(std::size_t{1} << power) + "-" + std::to_string((std::size_t{2} << power) - 1);
        for (const std::uint32_t k : cutoffs) {
          for (const auto& [by, bucket] : std::map<std::string, std::string>{{"events", events},
                                                                             {"user_events", count_bucket(of_user)},
                                                                             {"item_events", count_bucket(of_item)},
                                                                             {"item_age", age}}) {
            Tally& tally = expected[{r, horizon, k, by, bucket}];
            ++tally.targets;
            for (std::size_t rank = 0; rank < list.size() && rank < k; ++rank) {
              if (list[rank].item != act.item) continue;
              ++tally.hits;
              tally.reciprocal += 1 / static_cast<double>(rank + 1);
              tally.error += std::abs(*list[rank].score - *act.value);
            }
          }
        }
      }
    }
  });
  const auto points = curves_of(log).curves();
  EXPECT_EQ(points.size(), expected.size());
  for (const LearningPoint& point : points) {
    const auto& tally =
        expected.at({point.of.recommender, point.of.horizon.ms, point.of.k, std::string(point.by), point.bucket});
    EXPECT_EQ(point.targets, tally.targets) << point.by << " " << point.bucket;
    EXPECT_EQ(point.hits, tally.hits);
    EXPECT_EQ(point.pairs, tally.hits);
    EXPECT_NEAR(point.recall, static_cast<double>(tally.hits) / static_cast<double>(tally.targets), 1e-12);
    EXPECT_NEAR(point.mrr, tally.reciprocal / static_cast<double>(tally.targets), 1e-9);
    if (tally.hits > 0) {
      EXPECT_NEAR(*point.mae, tally.error / static_cast<double>(tally.hits), 1e-9);
    } else {
      EXPECT_FALSE(point.mae);
    }
  }
}

TEST(LearningCurves, add_up_to_all_targets_whatever_they_are_by) {
  const LearningLog log = test::random_log(9, 400);
  std::map<std::tuple<std::size_t, std::int64_t, std::uint32_t, std::string_view>, std::pair<std::uint64_t, std::uint64_t>>
      sums;
  for (const LearningPoint& point : curves_of(log).curves()) {
    auto& [targets, hits] = sums[{point.of.recommender, point.of.horizon.ms, point.of.k, point.by}];
    targets += point.targets;
    hits += point.hits;
  }
  std::uint64_t targets = 0;
  for (const ListRequest& request : log.requests) targets += request.targets.size();
  EXPECT_EQ(sums.size(), 2U * 2U * 2U * 4U);
  for (const auto& [of, sum] : sums) {
    if (std::get<1>(of) == 1) {
      EXPECT_EQ(sum.first, targets);
    }
    EXPECT_EQ(sum.second, (sums[{std::get<0>(of), std::get<1>(of), std::get<2>(of), "events"}].second));
  }
}

// One request, of a user who then acts on `a` alone.
TEST(Calibration, compares_confidence_with_what_was_relevant) {
  LearningLog log;
  log.users.number("u");
  for (const char* item : {"a", "b", "c"}) log.items.number(item);
  log.events = {{EventTime{5}, 0, 0, 0, 4.0}};
  log.requests = {{.ts = EventTime{5}, .user = 0, .targets = {0}, .shown = {}, .segments = {}}};
  LearningCurves curves(log, log.events, 1, {Duration{1}}, {3});
  curves.add(0, log.requests[0], std::vector<RankedItem>{{0, 3.5, 1.0}, {1, 2.0, 0.25}, {2, 1.0, 0.75}});
  const auto points = curves.calibration();
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].bucket, "0.2-0.3");
  EXPECT_EQ(points[0].relevant_share, 0);
  EXPECT_FALSE(points[0].brier);
  EXPECT_EQ(points[2].bucket, "0.9-1");
  EXPECT_EQ(points[2].mean_confidence, 1);
  EXPECT_EQ(points[2].relevant_share, 1);
  EXPECT_EQ(points[2].mae, 0.5);
  EXPECT_EQ(points[3].bucket, "all");
  EXPECT_EQ(points[3].items, 3U);
  EXPECT_NEAR(*points[3].brier, (0.0625 + 0.5625) / 3, 1e-9);
  EXPECT_NEAR(*points[3].calibration_error, (0.25 + 0.75) / 3, 1e-9);
}

TEST(Calibration, says_nothing_of_recommenders_that_do_not) {
  for (const CalibrationPoint& point : curves_of(test::random_log(9, 200)).calibration()) EXPECT_EQ(point.of.recommender, 1U);
}

}  // namespace
}  // namespace recmeter
