#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "recmeter/metric/latency_buckets.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/window/bucket_counts.h"

namespace recmeter {
namespace {

TEST(LatencyBuckets, are_one_percent_wide_from_1_ms_to_a_day) {
  EXPECT_EQ(latency_bound(0), 1);
  for (std::uint32_t bucket = 1; bucket < latency_buckets; ++bucket) {
    EXPECT_NEAR(latency_bound(bucket) / std::pow(1.01, bucket), 1, 1e-12) << bucket;
    EXPECT_EQ(latency_bucket(latency_bound(bucket - 1)), bucket) << "a bound belongs to the bucket that it begins";
    EXPECT_EQ(latency_bucket(std::nextafter(latency_bound(bucket - 1), 0)), bucket - 1);
  }
  EXPECT_EQ(latency_bound(latency_buckets - 1), 86768809.48039195);
  for (const double ms : {0.0, 0.3, 0.999}) EXPECT_EQ(latency_bucket(ms), 0U);
  for (const double ms : {86'400'000.0, 86'800'000.0, 1e8, 1e300}) EXPECT_EQ(latency_bucket(ms), latency_buckets - 1);
}

std::optional<double> value_of(double p, const std::vector<BucketCount>& counts) {
  return find_metric("latency")->at_rank(counts, {.rank_share = p});
}

TEST(Latency, is_the_bound_at_the_nearest_rank) {
  EXPECT_EQ(value_of(0.99, {}), std::nullopt);
  EXPECT_EQ(value_of(0.01, {{7, 1}}), latency_bound(7));
  const std::vector<BucketCount> hundred{{0, 6}, {10, 1}, {20, 92}, {30, 1}};
  EXPECT_EQ(value_of(0.001, hundred), 1);
  EXPECT_EQ(value_of(0.06, hundred), 1);
  EXPECT_EQ(value_of(0.07, hundred), latency_bound(10)) << "0.07 * 100 is above 7 in doubles; it is the 7th all the same";
  EXPECT_EQ(value_of(0.0701, hundred), latency_bound(20));
  EXPECT_EQ(value_of(0.99, hundred), latency_bound(20));
  EXPECT_EQ(value_of(0.991, hundred), latency_bound(30));
  EXPECT_EQ(value_of(1, hundred), latency_bound(30));
}

TEST(Latency, with_a_bound_is_the_share_of_the_slower_lists) {
  const auto plan = MetricPlan::make({.requests = {{.name = "latency", .as = {}, .options = {.slower_than = 500}},
                                                   {.name = "latency", .as = {}, .options = {}}}});
  ASSERT_TRUE(plan) << plan.error().context;
  const PlannedMetric& share = plan->metrics()[0];
  EXPECT_EQ(share.key, "latency{slower_than=500}");
  EXPECT_EQ(share.definition_id, "latency{slower_than=500}");
  EXPECT_TRUE(is_mean_over_lists(share));
  EXPECT_EQ(share.definition->better, Better::lower);
  EXPECT_EQ(share.definition->unit, "");
  EXPECT_EQ(mean_over_lists("latency{slower_than=500}"), share.definition);
  EXPECT_EQ(mean_over_lists("latency"), nullptr);
  EXPECT_EQ(mean_over_lists("latency{p=0.5}"), nullptr);
  const auto value_at = [&](std::optional<double> ms) {
    ScoredList list{.length = 1};
    if (ms) list.latency_bucket = latency_bucket(*ms);
    return MetricPlan::value_of(share, list);
  };
  const double end = latency_bound(latency_bucket(500));
  EXPECT_EQ(value_at(std::nullopt), std::nullopt) << "a list without latency is none of those it is over";
  EXPECT_EQ(value_at(0), 0);
  EXPECT_EQ(value_at(500), 0);
  EXPECT_EQ(value_at(std::nextafter(end, 0)), 0);
  EXPECT_EQ(value_at(end), 1);
  EXPECT_LT(end, 500 * 1.01);
  EXPECT_EQ(value_at(1e8), 1);
}

TEST(Latency, is_of_a_rank_or_of_a_bound) {
  const auto refused = [](const char* name, const MetricOptions& options) {
    const auto plan = MetricPlan::make({.requests = {{.name = name, .as = {}, .options = options}}});
    return plan ? std::string() : plan.error().context;
  };
  EXPECT_EQ(refused("latency", {.rank_share = 0.5, .slower_than = 500}),
            "metrics.names: `latency` is of a rank or of a bound; remove `p`");
  EXPECT_EQ(refused("mrr", {.slower_than = 500}), "metrics.names: `mrr` takes no `slower_than`; remove it");
}

TEST(BucketCounts, add_and_subtract_without_a_trace) {
  BucketCounts sums;
  for (const std::uint32_t bucket : {5U, 1U, 5U, 9U}) sums.add(bucket);
  BucketCounts other;
  for (const std::uint32_t bucket : {9U, 2U}) other.add(bucket);
  sums.merge(other);
  EXPECT_EQ(std::vector(sums.counts().begin(), sums.counts().end()),
            (std::vector<BucketCount>{{1, 1}, {2, 1}, {5, 2}, {9, 2}}));
  const auto some = sums.counts(2, 9);
  EXPECT_EQ(std::vector(some.begin(), some.end()), (std::vector<BucketCount>{{2, 1}, {5, 2}}));
  sums.subtract(other);
  EXPECT_EQ(std::vector(sums.counts().begin(), sums.counts().end()), (std::vector<BucketCount>{{1, 1}, {5, 2}, {9, 1}}));
  sums.subtract(BucketCounts(sums));
  EXPECT_TRUE(sums.counts().empty());
}

}  // namespace
}  // namespace recmeter
