// Laws of every metric and of the sums it fills, over the registry: a new metric is covered without being asked. One of a new
// family, or with a new condition of evidence, does not build until it is said here which laws hold for it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "laws/list_samples.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/running_sums.h"

namespace recmeter::laws {
namespace {

using support::Dice;

enum class Laws : std::uint8_t { of_sums, of_exposure };

// No default: -Wswitch asks whoever adds a family.
constexpr Laws laws_of(Family family) {
  switch (family) {
    case Family::list_mean: return Laws::of_sums;
    case Family::list_share: return Laws::of_sums;
    case Family::exposure: return Laws::of_exposure;
  }
  return Laws::of_sums;
}

// What the condition says, told apart from how the sums count it.
bool has_evidence(Evidence evidence, const ListSample& sample) {
  switch (evidence) {
    case Evidence::none: return true;
    case Evidence::relevant_in_list: return !sample.hits.empty();
    case Evidence::relevant_of_user: return !sample.hits.empty() || !sample.missed.empty();
  }
  return true;
}

std::vector<const MetricDefinition*> metrics_of(Laws laws) {
  std::vector<const MetricDefinition*> found;
  for (const MetricDefinition* metric : all_metrics()) {
    if (laws_of(metric->family) == laws) found.push_back(metric);
  }
  return found;
}

// The metric with every choice that changes its definition.
MetricPlan plan_of(const MetricDefinition& metric) {
  MetricSpec spec;
  spec.cutoffs = {1, 3, 10, 2000};
  for (const GainKind gain : {GainKind::linear, GainKind::exp2}) {
    for (const auto ap : {ApDenominator::min, ApDenominator::relevant, ApDenominator::k, ApDenominator::hits}) {
      for (const double beta : {0.5, 2.0}) {
        const std::string key = "m" + std::to_string(spec.requests.size());
        spec.requests.push_back({std::string(metric.name), key, {.gain = gain, .ap_denominator = ap, .beta = beta}});
      }
    }
  }
  auto plan = MetricPlan::make(spec);
  EXPECT_TRUE(plan) << plan.error().context;
  return std::move(*plan);
}

void add(PaneSums& sums, const MetricPlan& plan, const ListSample& sample) {
  sums.add(plan, sample.group, sample.list(), sample.feedback, sample.matured);
}

PaneSums pane_of(const MetricPlan& plan, std::span<const ListSample> samples) {
  PaneSums sums;
  for (const ListSample& sample : samples) add(sums, plan, sample);
  return sums;
}

RunningSums running(const PaneSums& pane) {
  RunningSums sums;
  sums.add(pane);
  return sums;
}

void append_bits(std::vector<std::uint64_t>& bits, std::optional<double> value) {
  bits.push_back(value ? 1 : 0);
  bits.push_back(value ? std::bit_cast<std::uint64_t>(*value) : 0);
}

// Every bit that a row takes from the sums.
std::vector<std::uint64_t> published(const MetricPlan& plan, const RunningSums& sums) {
  std::vector<std::uint64_t> bits{sums.lists(), sums.unmatured()};
  for (std::size_t action = 0; action < 3; ++action) {
    bits.insert(bits.end(), {sums.feedback(action).credited, sums.feedback(action).repeated});
  }
  for (const PlannedMetric& metric : plan.metrics()) {
    const MetricDefinition& definition = *metric.definition;
    const GroupSums groups = sums.group_sums(metric.column, definition.evidence);
    const Estimate estimate = estimate_mean(groups, definition.low, definition.high, 0.95);
    for (const auto& value : {estimate.value, estimate.se, estimate.given_relevant, estimate.relevant_share}) {
      append_bits(bits, value);
    }
    append_bits(bits, estimate.ci ? std::optional(estimate.ci->first) : std::nullopt);
    append_bits(bits, estimate.ci ? std::optional(estimate.ci->second) : std::nullopt);
  }
  return bits;
}

class MetricLaws : public testing::TestWithParam<const MetricDefinition*> {
 protected:
  MetricPlan plan_ = plan_of(*GetParam());
  Dice dice_{7};
};

TEST_P(MetricLaws, a_list_has_a_value_in_the_range) {
  const MetricDefinition& metric = *GetParam();
  ASSERT_LT(metric.low, metric.high);
  for (const ListSample& sample : random_samples(dice_, 2000)) {
    for (const PlannedMetric& planned : plan_.metrics()) {
      const double value = metric.evaluate(sample.list(), planned.cutoff, planned.options);
      ASSERT_GE(value, metric.low) << planned.key;
      // Rounded to 2^-32 it may not exceed the range either.
      ASSERT_LE(to_q32(value), to_q32(metric.high)) << planned.key << " of " << value;
    }
  }
}

TEST_P(MetricLaws, a_list_without_hits_is_worth_nothing_where_the_definition_says_so) {
  const MetricDefinition& metric = *GetParam();
  bool some_value = false;
  for (ListSample& sample : random_samples(dice_, 500)) {
    sample.hits.clear();
    for (const PlannedMetric& planned : plan_.metrics()) {
      const double value = metric.evaluate(sample.list(), planned.cutoff, planned.options);
      some_value = some_value || value != 0;
      ASSERT_TRUE(value == 0 || !metric.zero_without_hits) << planned.key;
    }
  }
  EXPECT_NE(some_value, metric.zero_without_hits) << "the definition promises less than it could";
}

TEST_P(MetricLaws, a_list_that_only_counts_changes_no_column) {
  std::size_t counted = 0;
  for (const ListSample& sample : random_samples(dice_, 500)) {
    if (!plan_.only_counts(sample.list())) continue;
    ++counted;
    std::vector<std::int64_t> columns(plan_.columns(), 0);
    plan_.add_values(sample.list(), columns);
    ASSERT_EQ(columns, std::vector<std::int64_t>(plan_.columns(), 0));
  }
  EXPECT_EQ(counted > 0, GetParam()->zero_without_hits);
}

TEST_P(MetricLaws, the_published_value_is_the_mean_of_rounded_list_values) {
  const MetricDefinition& metric = *GetParam();
  for (int round = 0; round < 20; ++round) {
    const auto samples = random_samples(dice_, 1 + dice_.below(60));
    const RunningSums sums = running(pane_of(plan_, samples));
    for (const PlannedMetric& planned : plan_.metrics()) {
      Int128 total = 0;
      std::uint64_t evidence = 0;
      for (const ListSample& sample : samples) {
        total += to_q32(metric.evaluate(sample.list(), planned.cutoff, planned.options));
        evidence += has_evidence(metric.evidence, sample) ? 1U : 0U;
      }
      const Estimate estimate = estimate_mean(sums.group_sums(planned.column, metric.evidence), metric.low, metric.high, 0.9);
      ASSERT_EQ(estimate.value, mean_of_q32(total, samples.size())) << planned.key;
      ASSERT_EQ(estimate.relevant_share, share_of(evidence, samples.size())) << planned.key;
      ASSERT_EQ(estimate.given_relevant.has_value(), evidence > 0);
      if (evidence == 0) continue;
      ASSERT_NEAR(*estimate.value, *estimate.relevant_share * *estimate.given_relevant, 1e-12) << planned.key;
      if (estimate.ci) {
        ASSERT_LE(estimate.ci->first, *estimate.value);
        ASSERT_GE(estimate.ci->second, *estimate.value);
        ASSERT_GE(estimate.ci->first, metric.low);
        ASSERT_LE(estimate.ci->second, metric.high);
      }
    }
  }
}

TEST_P(MetricLaws, the_order_of_lists_leaves_no_trace) {
  for (int round = 0; round < 20; ++round) {
    auto samples = random_samples(dice_, 1 + dice_.below(120));
    const auto expected = published(plan_, running(pane_of(plan_, samples)));
    dice_.shuffle(samples);
    ASSERT_EQ(published(plan_, running(pane_of(plan_, samples))), expected);
  }
}

TEST_P(MetricLaws, merge_is_associative_and_commutative_and_an_empty_pane_is_its_identity) {
  for (int round = 0; round < 20; ++round) {
    const PaneSums a = pane_of(plan_, random_samples(dice_, dice_.below(20)));
    const PaneSums b = pane_of(plan_, random_samples(dice_, dice_.below(20)));
    const PaneSums c = pane_of(plan_, random_samples(dice_, dice_.below(60)));
    PaneSums left = a;  // (a + b) + c
    left.merge(b);
    left.merge(c);
    PaneSums right = b;  // a + (b + c)
    right.merge(c);
    PaneSums whole = a;
    whole.merge(right);
    PaneSums backwards = c;  // c + b + a
    backwards.merge(b);
    backwards.merge(a);
    const auto expected = published(plan_, running(left));
    ASSERT_EQ(published(plan_, running(whole)), expected);
    ASSERT_EQ(published(plan_, running(backwards)), expected);
    PaneSums with_nothing = left;
    with_nothing.merge(PaneSums{});
    PaneSums to_nothing;
    to_nothing.merge(left);
    ASSERT_EQ(published(plan_, running(with_nothing)), expected);
    ASSERT_EQ(published(plan_, running(to_nothing)), expected);
  }
}

TEST_P(MetricLaws, lists_split_anywhere_into_panes_give_the_same_bits) {
  for (int round = 0; round < 20; ++round) {
    const auto samples = random_samples(dice_, 1 + dice_.below(100));
    const auto expected = published(plan_, running(pane_of(plan_, samples)));
    std::vector<PaneSums> panes(1 + dice_.below(5));
    for (const ListSample& sample : samples) add(panes[dice_.below(panes.size())], plan_, sample);
    RunningSums entered;  // pane by pane, as a window moves
    for (const PaneSums& pane : panes) entered.add(pane);
    RunningSums together;  // cell by cell, as `(other)` is put together
    for (const PaneSums& pane : panes) together.add(running(pane));
    ASSERT_EQ(published(plan_, entered), expected);
    ASSERT_EQ(published(plan_, together), expected);
  }
}

TEST_P(MetricLaws, a_pane_that_enters_and_leaves_leaves_no_trace) {
  for (int round = 0; round < 20; ++round) {
    std::vector<PaneSums> panes;
    for (std::size_t i = 0; i < 8; ++i) panes.push_back(pane_of(plan_, random_samples(dice_, dice_.below(30))));
    RunningSums moving;
    for (std::size_t end = 0; end < panes.size(); ++end) {
      moving.add(panes[end]);
      if (end >= 3) moving.subtract(panes[end - 3]);
      RunningSums still;
      for (std::size_t i = end >= 3 ? end - 2 : 0; i <= end; ++i) still.add(panes[i]);
      ASSERT_EQ(published(plan_, moving), published(plan_, still));
    }
  }
}

const auto name_of = [](const testing::TestParamInfo<const MetricDefinition*>& tested) {
  return std::string(tested.param->name);
};

INSTANTIATE_TEST_SUITE_P(Every, MetricLaws, testing::ValuesIn(metrics_of(Laws::of_sums)), name_of);

class ExposureMetricLaws : public testing::TestWithParam<const MetricDefinition*> {};

TEST_P(ExposureMetricLaws, a_measure_never_leaves_its_range_and_never_falls_when_more_is_shown) {
  const MetricDefinition& metric = *GetParam();
  ASSERT_NE(metric.measure, nullptr);
  ASSERT_EQ(metric.evaluate, nullptr);
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{100}}) {
    std::optional<double> before;
    for (std::uint64_t distinct = 0; distinct < 120; ++distinct) {
      const std::uint64_t in_catalog = std::min(distinct, size);
      const auto value = metric.measure({.distinct = distinct, .distinct_in_catalog = in_catalog, .catalog_size = size});
      ASSERT_TRUE(value);
      ASSERT_GE(*value, metric.low);
      if (metric.high > metric.low) {
        ASSERT_LE(*value, metric.high);
      }
      if (before) {
        ASSERT_GE(*value, *before);
      }
      before = value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ExposureMetricLaws, testing::ValuesIn(metrics_of(Laws::of_exposure)), name_of);

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Registry, holds_every_metric_that_is_defined_in_src_metric_once) {
  std::multiset<std::string> defined;
  const std::regex definition(R"(const MetricDefinition (\w+)_metric\{)");
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(RECMETER_SOURCE_DIR) / "src/metric")) {
    const std::string text = text_of(file.path());
    for (auto at = std::sregex_iterator(text.begin(), text.end(), definition); at != std::sregex_iterator(); ++at) {
      defined.insert((*at)[1]);
    }
  }
  std::multiset<std::string> registered;
  for (const MetricDefinition* metric : all_metrics()) registered.insert(std::string(metric->name));
  EXPECT_EQ(defined, registered);
  EXPECT_GE(defined.size(), 14U);
}

TEST(Registry, says_of_every_metric_what_its_family_needs) {
  for (const MetricDefinition* metric : all_metrics()) {
    SCOPED_TRACE(metric->name);
    EXPECT_EQ(find_metric(metric->name), metric);
    EXPECT_FALSE(metric->formula.empty());
    EXPECT_FALSE(metric->source.empty());
    EXPECT_NE(metric->evaluate == nullptr, metric->measure == nullptr);
    EXPECT_EQ(metric->measure != nullptr, metric->family == Family::exposure);
    EXPECT_EQ(metric->evidence == Evidence::none, metric->family != Family::list_mean);
    EXPECT_TRUE(metric->scope == Scope::list || metric->evidence == Evidence::relevant_of_user);
  }
  EXPECT_EQ(find_metric("no such metric"), nullptr);
}

TEST(Registry, has_laws_for_every_metric) {
  EXPECT_EQ(metrics_of(Laws::of_sums).size() + metrics_of(Laws::of_exposure).size(), all_metrics().size());
}

}  // namespace
}  // namespace recmeter::laws
