// The laws that definitions claim, over random lists; every law is claimed by some metric. And what options do: every choice
// stays in the range, and one that the metric does not take changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "laws/sample_lists.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/metric/worked_example.h"
#include "support/effort.h"

namespace recmeter::laws {
namespace {

using support::Dice;

constexpr std::array every_law{Law::swap_up_never_lowers, Law::swap_up_never_raises, Law::order_within_k_is_free,
                               Law::one_when_ideal,       Law::zero_without_hits,    Law::shift_of_scores,
                               Law::none_beyond_family};
constexpr std::uint64_t catalog_size = 2000;

MetricPlan plan_of(const MetricDefinition& metric, MetricOptions options = {}) {
  const MetricOptions own = sample_options(metric);
  options.action = own.action;
  if (!options.of) options.of = own.of;
  options.slower_than = own.slower_than;
  if (own.cut != Cut::k) options.cut = own.cut;
  auto plan = MetricPlan::make({.cutoffs = {1, 3, 10, 2000},
                                .requests = {{std::string(metric.name), {}, options}},
                                .examination = sample_examination()},
                               sample_context(metric));
  EXPECT_TRUE(plan) << plan.error().context;
  return std::move(*plan);
}

// The cutoff, or all ranks.
std::uint32_t reach(const PlannedMetric& metric, const SampleList& sample) {
  return metric.cutoff == 0 ? sample.length : std::min(cutoff_at(metric, sample.list()), sample.length);
}

using Values = std::optional<double>;

// A relevant item changes places with a worse one before it: by how much the value rises.
void check_swaps(const MetricPlan& plan, const SampleList& sample, Dice& dice, int direction) {
  if (sample.length < 2 || sample.hits.empty()) return;
  const std::uint32_t from = dice.pick(sample.hits).rank;
  if (from == 1) return;
  const auto to = static_cast<std::uint32_t>(dice.between(1, from - 1));
  const auto grade_at = [&](std::uint32_t rank) {
    const auto hit = std::find_if(sample.hits.begin(), sample.hits.end(), [&](const Hit& h) { return h.rank == rank; });
    return hit == sample.hits.end() ? 0 : hit->grade;
  };
  if (grade_at(to) >= grade_at(from)) return;
  SampleList better = sample;
  better.swap(from, to);
  for (const PlannedMetric& metric : plan.metrics()) {
    const Values before = MetricPlan::value_of(metric, sample.list());
    const Values after = MetricPlan::value_of(metric, better.list());
    if (!before || !after) continue;
    ASSERT_GE(direction * (*after - *before), 0) << metric.key << " from rank " << from << " to " << to;
  }
}

void check_order(const MetricPlan& plan, const SampleList& sample, Dice& dice) {
  for (const PlannedMetric& metric : plan.metrics()) {
    const std::uint32_t top = reach(metric, sample);
    SampleList shuffled = sample;
    for (std::uint32_t rank = 2; rank <= std::min(top, 20U); ++rank) {
      shuffled.swap(rank, static_cast<std::uint32_t>(dice.between(1, rank)));
    }
    ASSERT_EQ(MetricPlan::value_of(metric, shuffled.list()), MetricPlan::value_of(metric, sample.list())) << metric.key;
  }
}

void check_ideal(const MetricPlan& plan, SampleList sample) {
  if (sample.hits.empty()) return;
  sample.missed.clear();
  sample.make_ideal();
  for (const PlannedMetric& metric : plan.metrics()) {
    if (sample.hits.size() > reach(metric, sample)) continue;
    const Values value = MetricPlan::value_of(metric, sample.list());
    if (value) {
      ASSERT_EQ(*value, 1) << metric.key << " of " << sample.hits.size() << " hits in " << sample.length;
    }
  }
}

void check_without_hits(const MetricPlan& plan, const SampleList& sample) {
  for (const PlannedMetric& metric : plan.metrics()) {
    SampleList without = sample;
    std::erase_if(without.hits, [&](const Hit& hit) { return hit.rank <= reach(metric, sample); });
    const Values value = MetricPlan::value_of(metric, without.list());
    if (value) {
      ASSERT_EQ(*value, 0) << metric.key;
    }
  }
}

void check(Law law, const MetricPlan& plan, const SampleList& sample, Dice& dice) {
  switch (law) {
    case Law::swap_up_never_lowers: return check_swaps(plan, sample, dice, 1);
    case Law::swap_up_never_raises: return check_swaps(plan, sample, dice, -1);
    case Law::order_within_k_is_free: return check_order(plan, sample, dice);
    case Law::one_when_ideal: return check_ideal(plan, sample);
    case Law::zero_without_hits: return check_without_hits(plan, sample);
    case Law::shift_of_scores: return;  // of sums too: metric_laws_test.cpp
    case Law::none_beyond_family: return;
  }
}

bool has_value_of_list(const MetricDefinition& metric) {
  return metric.family != Family::exposure && metric.family != Family::audience;
}

class ClaimedLaws : public testing::TestWithParam<const MetricDefinition*> {};

TEST_P(ClaimedLaws, hold_for_random_lists) {
  const MetricDefinition& metric = *GetParam();
  std::size_t claimed = 0;
  for (const Law law : every_law) {
    if (!metric.laws.has(law)) continue;
    ++claimed;
    if (law == Law::none_beyond_family) continue;
    ASSERT_TRUE(has_value_of_list(metric)) << "no law about lists can hold for it";
    const MetricPlan plan = plan_of(metric);
    Dice dice(11);
    for (const SampleList& sample : random_samples(dice, support::effort(1500))) {
      check(law, plan, sample, dice);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GE(claimed, 1U) << "say none_beyond_family, and why";
  EXPECT_TRUE(claimed == 1 || !metric.laws.has(Law::none_beyond_family)) << "none, and yet another";
}

// All combinations of what the metric takes, but for the unit.
std::vector<MetricOptions> combinations(const MetricDefinition& metric) {
  std::vector<MetricOptions> all(1);
  const auto vary = [&](MetricOption option, auto member, const auto& values) {
    if (!metric.takes.has(option)) return;
    const std::vector<MetricOptions> before = std::exchange(all, {});
    for (MetricOptions options : before) {
      for (const auto& value : values) {
        options.*member = value;
        all.push_back(options);
      }
    }
  };
  vary(MetricOption::gain, &MetricOptions::gain, std::array{GainKind::linear, GainKind::exp2});
  vary(MetricOption::ap_denominator, &MetricOptions::ap_denominator,
       std::array{ApDenominator::min, ApDenominator::relevant, ApDenominator::k, ApDenominator::hits});
  vary(MetricOption::beta, &MetricOptions::beta, std::array{0.5, 2.0});
  vary(MetricOption::persistence, &MetricOptions::persistence, std::array{0.8, 0.1});
  vary(MetricOption::rank_share, &MetricOptions::rank_share, std::array{0.99, 1.0, 0.01});
  vary(MetricOption::half_life, &MetricOptions::half_life, std::array{5.0, 1.01});
  vary(MetricOption::liked_from, &MetricOptions::from, std::array{2.5, 5.0});
  vary(MetricOption::clip, &MetricOptions::clip, std::array{10.0, 0.5});
  vary(MetricOption::precision_denominator, &MetricOptions::precision_denominator,
       std::array{PrecisionDenominator::k, PrecisionDenominator::shown});
  vary(MetricOption::recall_denominator, &MetricOptions::recall_denominator,
       std::array{RecallDenominator::relevant, RecallDenominator::min});
  vary(MetricOption::ideal, &MetricOptions::ideal,
       std::array{IdealDcg::cut, IdealDcg::ones, IdealDcg::shown, IdealDcg::whole});
  vary(MetricOption::discount, &MetricOptions::discount,
       std::array{Discount::log2, Discount::log2_max2, Discount::rank, Discount::none});
  vary(MetricOption::cut_at_relevant, &MetricOptions::cut, std::array{Cut::k, Cut::relevant});
  vary(MetricOption::level, &MetricOptions::level, std::array<std::optional<std::uint32_t>, 4>{std::nullopt, 0, 333, 1000});
  if (metric.scope == Scope::user)
    vary(MetricOption::universe, &MetricOptions::universe, std::array{Universe::all, Universe::list});
  vary(MetricOption::over, &MetricOptions::over,
       std::array{Over::all, Over::nonempty, Over::relevant, Over::nonempty_relevant});
  return all;
}

class OptionLaws : public testing::TestWithParam<const MetricDefinition*> {};

TEST_P(OptionLaws, every_combination_of_options_stays_in_the_range) {
  const MetricDefinition& metric = *GetParam();
  Dice dice(12);
  const auto samples = random_samples(dice, support::effort(150));
  for (const MetricOptions& options : combinations(metric)) {
    const MetricPlan plan = plan_of(metric, options);
    for (const PlannedMetric& planned : plan.metrics()) {
      for (const SampleList& sample : samples) {
        const Values value = MetricPlan::value_of(planned, sample.list());
        if (!value) continue;
        ASSERT_GE(*value, metric.low) << planned.key << " " << planned.definition_id;
        ASSERT_LE(*value, metric.high) << planned.key << " " << planned.definition_id;
      }
    }
  }
}

TEST_P(OptionLaws, an_option_that_the_metric_does_not_take_changes_nothing) {
  const MetricDefinition& metric = *GetParam();
  MetricOptions other;
  if (!metric.takes.has(MetricOption::gain)) other.gain = GainKind::exp2;
  if (!metric.takes.has(MetricOption::ap_denominator)) other.ap_denominator = ApDenominator::k;
  if (!metric.takes.has(MetricOption::beta)) other.beta = 0.5;
  if (!metric.takes.has(MetricOption::precision_denominator)) other.precision_denominator = PrecisionDenominator::shown;
  if (!metric.takes.has(MetricOption::recall_denominator)) other.recall_denominator = RecallDenominator::min;
  if (!metric.takes.has(MetricOption::ideal)) other.ideal = IdealDcg::ones;
  if (!metric.takes.has(MetricOption::discount)) other.discount = Discount::rank;
  if (!metric.takes.has(MetricOption::level)) other.level = 500;
  if (!metric.takes.has(MetricOption::exposures)) other.exposures = 7;
  if (!metric.takes.has(MetricOption::persistence)) other.persistence = 0.3;
  // A bound takes its place, and both are refused.
  const bool has_bound = metric.takes.has(MetricOption::slower_than);
  if (!metric.takes.has(MetricOption::rank_share) && !has_bound) other.rank_share = 0.5;
  if (!metric.takes.has(MetricOption::half_life)) other.half_life = 9;
  if (!metric.takes.has(MetricOption::liked_from)) other.from = 2;
  if (!metric.takes.has(MetricOption::clip)) other.clip = 0.5;
  const MetricPlan plain = plan_of(metric);
  const MetricPlan varied = plan_of(metric, other);
  Dice dice(13);
  for (const SampleList& sample : random_samples(dice, support::effort(300))) {
    for (std::size_t m = 0; m < plain.metrics().size(); ++m) {
      ASSERT_EQ(MetricPlan::value_of(plain.metrics()[m], sample.list()),
                MetricPlan::value_of(varied.metrics()[m], sample.list()));
    }
  }
}

const auto name_of = [](const testing::TestParamInfo<const MetricDefinition*>& tested) {
  return name_of_definition(*tested.param);
};
std::vector<const MetricDefinition*> with_value_of_list() {
  std::vector<const MetricDefinition*> metrics = every_definition();
  std::erase_if(metrics, [](const MetricDefinition* metric) { return !has_value_of_list(*metric); });
  return metrics;
}

INSTANTIATE_TEST_SUITE_P(Every, ClaimedLaws, testing::ValuesIn(every_definition()), name_of);
INSTANTIATE_TEST_SUITE_P(Every, OptionLaws, testing::ValuesIn(with_value_of_list()), name_of);

TEST(Laws, are_all_claimed_by_some_metric) {
  for (const Law law : every_law) {
    const auto claims = [law](const MetricDefinition* metric) { return metric->laws.has(law); };
    EXPECT_TRUE(std::any_of(all_metrics().begin(), all_metrics().end(), claims)) << "law " << static_cast<int>(law);
  }
}

}  // namespace
}  // namespace recmeter::laws
