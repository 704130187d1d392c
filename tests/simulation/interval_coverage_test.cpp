// How often the published interval holds the truth: 2,000 replications of generated traffic with a fixed seed, the truth from
// a run of 100 times the size with another seed. Beside it the interval that takes every list for independent, as most tools
// do.
//
// The model: a user has a taste for clicking and a number of lists, both its own, so lists of one user are alike. The sums,
// the metrics and the interval are those of the product; only the join is left out, whose correctness other tests show.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/plan.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/running_sums.h"
#include "support/dice.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using support::Dice;

constexpr std::uint32_t ranks = 10;
constexpr double confidence = 0.95;

struct Traffic {
  std::size_t users = 1000;
  double lists_shape = 0;  // Pareto; 0: one to eight lists, all as likely
  double lists_max = 300;
  double clicks = 0.08;       // at the first rank, of a user of median taste
  double taste_spread = 0.8;  // standard deviation of its logarithm; of the share of empty lists too
};

double unit(Dice& dice) {
  return (static_cast<double>(dice.below(std::size_t{1} << 53)) + 0.5) * 0x1p-53;
}

double normal(Dice& dice) {
  return std::sqrt(-2 * std::log(unit(dice))) * std::cos(2 * std::acos(-1.0) * unit(dice));
}

struct OneUser {
  std::size_t lists;
  double taste;        // chance of a click at the first rank
  double empty_lists;  // chance
};

OneUser draw_user(const Traffic& traffic, Dice& dice) {
  OneUser user{};
  user.lists = 1 + dice.below(8);
  if (traffic.lists_shape > 0) {
    user.lists = static_cast<std::size_t>(std::min(traffic.lists_max, std::pow(unit(dice), -1 / traffic.lists_shape)));
  }
  user.taste = std::min(0.9, traffic.clicks * std::exp(traffic.taste_spread * normal(dice)));
  user.empty_lists = std::min(0.9, 0.05 * std::exp(traffic.taste_spread * normal(dice)));
  return user;
}

// What one list of the user came to.
struct DrawnList {
  std::uint32_t length = 0;
  std::vector<Hit> hits;
  std::vector<GradeCount> missed;

  [[nodiscard]] ScoredList view() const {
    return {.length = length, .hits = hits, .missed = missed, .missed_items = missed.empty() ? 0 : missed[0].items};
  }
};

void draw_list(const OneUser& user, Dice& dice, DrawnList& list) {
  list.hits.clear();
  list.missed.clear();
  list.length = unit(dice) < user.empty_lists ? 0 : ranks;
  for (std::uint32_t rank = 1; rank <= list.length; ++rank) {
    if (unit(dice) < user.taste / (1 + 0.3 * (rank - 1))) list.hits.push_back({rank, 1});
  }
  if (unit(dice) < user.taste) list.missed.push_back({1, 1});
}

// The mean of list values and the interval of someone who takes lists for independent.
struct NaiveMean {
  double sum = 0;
  double squares = 0;
  double lists = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++lists;
  }
  [[nodiscard]] bool holds(double truth) const {
    const double mean = sum / lists;
    const double variance = (squares - lists * mean * mean) / (lists - 1);
    return std::fabs(mean - truth) <= 1.959964 * std::sqrt(variance / lists);
  }
};

class Replication {
 public:
  Replication(const MetricPlan& plan, const Traffic& traffic, std::uint64_t seed)
      : plan_(plan), naive_(plan.metrics().size()) {
    Dice dice(seed);
    DrawnList list;
    for (std::size_t u = 0; u < traffic.users; ++u) {
      const OneUser user = draw_user(traffic, dice);
      const std::size_t group = dice.below(user_groups);
      for (std::size_t l = 0; l < user.lists; ++l) {
        draw_list(user, dice, list);
        add(group, list.view());
      }
    }
    sums_.enter(pane_);
  }

  [[nodiscard]] Estimate estimate(std::size_t m) const { return sums_.estimate(plan_.metrics()[m], confidence); }
  [[nodiscard]] bool naive_holds(std::size_t m, double truth) const { return naive_[m].holds(truth); }

 private:
  void add(std::size_t group, const ScoredList& list) {
    pane_.add({.group = group}, ListValues(plan_, list), {}, true);
    for (std::size_t m = 0; m < naive_.size(); ++m) {
      const PlannedMetric& metric = plan_.metrics()[m];
      naive_[m].add(metric.definition->evaluate(list, metric.cutoff, metric.options));
    }
  }

  const MetricPlan& plan_;
  PaneSums pane_;
  RunningSums sums_;
  std::vector<NaiveMean> naive_;
};

MetricPlan five_metrics() {
  MetricSpec spec;
  spec.cutoffs = {ranks};
  for (const char* name : {"precision", "mrr", "ndcg_list", "recall", "empty_list_share"}) {
    spec.requests.push_back({.name = name});
  }
  return std::move(MetricPlan::make(spec).value());
}

struct Coverage {
  std::string key;
  double ours = 0;   // share of the replications
  double naive = 0;  // the same
};

// Sanitizers look at how it is computed; a few replications, of which nothing follows, do.
constexpr std::size_t replications = support::under_sanitizer ? 20 : 2000;

std::vector<Coverage> coverage_of(const Traffic& traffic) {
  const MetricPlan plan = five_metrics();
  Traffic large = traffic;
  large.users *= support::under_sanitizer ? 1 : 100;
  const Replication truth(plan, large, 424242);
  std::vector<Coverage> coverage;
  for (const PlannedMetric& metric : plan.metrics()) coverage.push_back({.key = metric.key});
  for (std::size_t r = 0; r < replications; ++r) {
    const Replication replication(plan, traffic, 1 + r);
    for (std::size_t m = 0; m < coverage.size(); ++m) {
      const double value = truth.estimate(m).value.value();
      const auto ci = replication.estimate(m).ci;
      coverage[m].ours += ci && ci->first <= value && value <= ci->second ? 1.0 / replications : 0;
      coverage[m].naive += replication.naive_holds(m, value) ? 1.0 / replications : 0;
    }
  }
  for (const Coverage& of : coverage) {
    std::cout << std::setw(18) << of.key << std::fixed << std::setprecision(4) << "  by user groups " << of.ours
              << "  naive, list by list " << of.naive << '\n';
  }
  return coverage;
}

TEST(Intervals, cover_the_truth_with_moderate_clusters) {
  for (const Coverage& of : coverage_of({})) {
    if (support::under_sanitizer) continue;
    EXPECT_GE(of.ours, 0.93) << of.key;
    EXPECT_LE(of.ours, 0.97) << of.key;
  }
}

TEST(Intervals, cover_the_truth_with_heavy_tailed_users_where_the_naive_one_does_not) {
  double worst_naive = 1;
  const std::vector<Coverage> coverage = coverage_of({.lists_shape = 1.3});
  if (support::under_sanitizer) return;
  for (const Coverage& of : coverage) {
    EXPECT_GE(of.ours, 0.91) << of.key;
    worst_naive = std::min(worst_naive, of.naive);
  }
  EXPECT_LT(worst_naive, 0.85);
}

TEST(Intervals, are_not_given_for_30_users_and_rare_clicks) {
  const MetricPlan plan = five_metrics();
  for (std::uint64_t seed = 1; seed <= replications; ++seed) {
    const Replication replication(plan, {.users = 30, .clicks = 0.002}, seed);
    for (std::size_t m = 0; m + 1 < plan.metrics().size(); ++m) {
      EXPECT_FALSE(replication.estimate(m).ci) << plan.metrics()[m].key << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace recmeter
