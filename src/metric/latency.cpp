#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "metric/metrics.h"
#include "recmeter/metric/latency_buckets.h"

namespace recmeter {

namespace {

bool has_latency(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  return list.latency_bucket.has_value();
}

double bound(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  return latency_bound(*list.latency_bucket);
}

std::string text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const std::uint32_t bucket = *list.latency_bucket;
  return bucket == 0 ? "1: it took less" : "1.01^" + std::to_string(bucket) + ": it took at most 1 % less";
}

// The least r with r / n >= p. A product of the two may round past a whole number, a quotient does not: 0.07 of 100 is 7.
std::uint64_t nearest_rank(std::uint64_t lists, double p) {
  const auto count = static_cast<double>(lists);
  auto rank = static_cast<std::uint64_t>(std::max(1.0, std::floor(p * count)));
  while (rank > 1 && static_cast<double>(rank - 1) / count >= p) --rank;
  while (rank < lists && static_cast<double>(rank) / count < p) ++rank;
  return rank;
}

std::optional<double> at_rank(std::span<const BucketCount> counts, const MetricOptions& options) {
  const auto add = [](std::uint64_t sum, const BucketCount& count) { return sum + count.lists; };
  const std::uint64_t lists = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}, add);
  if (lists == 0) return std::nullopt;
  std::uint64_t left = nearest_rank(lists, options.rank_share);
  const BucketCount* count = counts.data();
  for (; count->lists < left; ++count) left -= count->lists;
  return latency_bound(count->bucket);
}

// The bound stands for its bucket, as latencies do: nothing that took less counts.
double is_slower(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  return *list.latency_bucket > latency_bucket(*options.slower_than) ? 1 : 0;
}

std::string slower_text(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  const std::string bound = "1.01^" + std::to_string(latency_bucket(*options.slower_than));
  return is_slower(list, 0, options) > 0 ? "1: it took at least " + bound : "0: it took less than " + bound;
}

const std::array examples{
    WorkedExample{"ABC", 0, "the 3rd of 3 took 480 ms, less than 1.01^621", 482.5842},
    WorkedExample{"ABCD", 0, "the 2nd of 3 took 95 ms, less than 1.01^458; D says nothing", 95.3211, {.rank_share = 0.5}},
    WorkedExample{"ABCD", 0, "(0 + 0 + 1) / 3: C took 480 ms, D says nothing", 1.0 / 3, {.slower_than = 100}},
};

const MetricDefinition slower_share{
    .name = "latency",
    .family = Family::list_mean,
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .has_cutoff = false,
    .needs = {ListPart::latency},
    .better = Better::lower,
    .takes = {MetricOption::slower_than},
    .laws = {Law::order_within_k_is_free},
    .formula = "1 if latency_ms is at least the smallest 1.01^i above slower_than, else 0",
    .own_evidence = "latency_ms",
    .says = "The share of lists that took longer than a bound.",
    .source = "recmeter; a mean over lists, which experiments can compare",
    .evaluate = is_slower,
    .arithmetic = slower_text,
    .has_evidence = has_latency,
};

}  // namespace

const MetricDefinition latency_metric{
    .name = "latency",
    .family = Family::quantile,
    .evidence = Evidence::own,
    .over = Over::relevant,
    .has_cutoff = false,
    .needs = {ListPart::latency},
    .high = std::numeric_limits<double>::infinity(),
    .better = Better::lower,
    .takes = {MetricOption::rank_share, MetricOption::slower_than},
    .laws = {Law::order_within_k_is_free},
    .formula = "the smallest 1.01^i that latency_ms of at least the share p of the lists is below",
    .own_evidence = "latency_ms",
    .unit = "ms",
    .says =
        "How long the recommender took where it was slow: with p = 0.99 all but one list in a hundred came sooner. A mean "
        "would "
        "hide exactly these. It is what the log says the recommender took, not what people waited for.",
    .edges =
        "Up to 1 % more than the latency at that rank. Below 1 ms it is 1; longer than a day counts as a day. With "
        "`slower_than: 500` the value is the share of the lists with evidence that took more than 500 ms, by up to 1 %: a "
        "mean over lists, which experiments can test.",
    .elsewhere =
        "Prometheus and others interpolate between coarser bounds; percentiles of averages, or averages of percentiles, are "
        "neither.",
    .source =
        "Schröder, Thiele, Lehner: Setting goals and choosing metrics for recommender system evaluations. UCERSTI 2011, "
        "section 3.1; buckets: Masson, Rim, Lee: DDSketch. PVLDB 12(12), 2019, section 2.1",
    .examples = examples,
    .evaluate = bound,
    .arithmetic = text,
    .has_evidence = has_latency,
    .at_rank = at_rank,
    .slower_share = &slower_share,
};

}  // namespace recmeter
