// Laws of every metric and of the sums it fills, over the registry: a new metric is covered without being asked. One of a new
// family, or with a new condition of evidence, does not build until it is said here which laws hold for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "laws/sample_lists.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/running_sums.h"
#include "support/effort.h"

namespace recmeter::laws {
namespace {

using support::Dice;

enum class Laws : std::uint8_t { of_sums, of_exposure };

// No default: -Wswitch asks whoever adds a family.
constexpr Laws laws_of(Family family) {
  switch (family) {
    case Family::list_mean: return Laws::of_sums;
    case Family::list_share: return Laws::of_sums;
    case Family::pooled: return Laws::of_sums;
    case Family::audience: return Laws::of_sums;
    case Family::quantile: return Laws::of_sums;
    case Family::exposure: return Laws::of_exposure;
  }
  return Laws::of_sums;
}

// What the condition says, told apart from how the sums count it.
bool has_evidence(const MetricDefinition& metric, SampleList sample, const PlannedMetric& planned) {
  if (planned.options.universe == Universe::list) sample.missed.clear();
  switch (metric.evidence) {
    case Evidence::none: return true;
    case Evidence::relevant_in_list: return !sample.hits.empty();
    case Evidence::relevant_of_user: return !sample.hits.empty() || !sample.missed.empty();
    case Evidence::own: return metric.has_evidence(sample.list(), planned.cutoff, planned.options);
  }
  return true;
}

std::vector<const MetricDefinition*> metrics_of(Laws laws) {
  std::vector<const MetricDefinition*> found;
  for (const MetricDefinition* metric : every_definition()) {
    if (laws_of(metric->family) == laws) found.push_back(metric);
  }
  return found;
}

constexpr std::uint64_t catalog_size = 2000;

// The metric with every choice that changes its definition, one at a time, and with each unit.
MetricPlan plan_of(const MetricDefinition& metric) {
  MetricSpec spec;
  spec.cutoffs = {1, 3, 10, 2000};
  spec.examination = sample_examination();
  std::vector<MetricOptions> choices{sample_options(metric)};
  const auto vary = [&](MetricOption option, auto member, const auto& values) {
    if (!metric.takes.has(option)) return;
    for (const auto& value : values) choices.emplace_back(sample_options(metric)).*member = value;
  };
  vary(MetricOption::gain, &MetricOptions::gain, std::array{GainKind::exp2});
  vary(MetricOption::ap_denominator, &MetricOptions::ap_denominator,
       std::array{ApDenominator::relevant, ApDenominator::k, ApDenominator::hits});
  vary(MetricOption::beta, &MetricOptions::beta, std::array{0.5});
  vary(MetricOption::persistence, &MetricOptions::persistence, std::array{0.5});
  vary(MetricOption::rank_share, &MetricOptions::rank_share, std::array{0.5, 1.0});
  vary(MetricOption::half_life, &MetricOptions::half_life, std::array{1.5});
  vary(MetricOption::liked_from, &MetricOptions::from, std::array{2.5});
  vary(MetricOption::unit_list, &MetricOptions::unit, std::array{Unit::list});
  vary(MetricOption::unit_user, &MetricOptions::unit, std::array{Unit::user});
  vary(MetricOption::unit_pooled, &MetricOptions::unit, std::array{Unit::pooled});
  vary(MetricOption::precision_denominator, &MetricOptions::precision_denominator, std::array{PrecisionDenominator::shown});
  vary(MetricOption::recall_denominator, &MetricOptions::recall_denominator, std::array{RecallDenominator::min});
  vary(MetricOption::ideal, &MetricOptions::ideal, std::array{IdealDcg::ones, IdealDcg::shown, IdealDcg::whole});
  vary(MetricOption::discount, &MetricOptions::discount, std::array{Discount::log2_max2, Discount::rank, Discount::none});
  vary(MetricOption::cut_at_relevant, &MetricOptions::cut, std::array{Cut::relevant});
  vary(MetricOption::level, &MetricOptions::level, std::array<std::uint32_t, 3>{0, 500, 1000});
  if (metric.scope == Scope::user) vary(MetricOption::universe, &MetricOptions::universe, std::array{Universe::list});
  vary(MetricOption::over, &MetricOptions::over, std::array{Over::nonempty, Over::relevant, Over::nonempty_relevant});
  vary(MetricOption::clip, &MetricOptions::clip, std::array{0.5, 1e8});
  vary(MetricOption::estimator, &MetricOptions::of, std::array{Estimator::snips, Estimator::dr, Estimator::pseudo_inverse});
  if (takes_action(metric)) choices.emplace_back(sample_options(metric)).action = sample_action;
  for (const MetricOptions& options : choices) {
    spec.requests.push_back({std::string(metric.name), "m" + std::to_string(spec.requests.size()), options});
  }
  auto plan = MetricPlan::make(spec, sample_context(metric));
  EXPECT_TRUE(plan) << plan.error().context;
  return std::move(*plan);
}

void add(PaneSums& sums, const MetricPlan& plan, const SampleList& sample) {
  const ListOwner owner{.group = sample.group, .user = {.high = sample.group, .low = sample.user}};
  sums.add(owner, ListValues(plan, sample.list()), sample.feedback, sample.matured);
}

PaneSums pane_of(const MetricPlan& plan, std::span<const SampleList> samples) {
  PaneSums sums;
  for (const SampleList& sample : samples) add(sums, plan, sample);
  return sums;
}

RunningSums running(const PaneSums& pane) {
  RunningSums sums;
  sums.enter(pane);
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
    const Estimate estimate = sums.estimate(metric, 0.95);
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

// Of metrics that have a value of one list.
class ListValueLaws : public MetricLaws {};

TEST_P(ListValueLaws, a_list_has_a_value_in_the_range) {
  const MetricDefinition& metric = *GetParam();
  ASSERT_LT(metric.low, metric.high);
  for (const SampleList& sample : random_samples(dice_, support::effort(2000))) {
    for (const PlannedMetric& planned : plan_.metrics()) {
      if (!has_evidence(*planned.definition, sample, planned)) continue;
      const ScoredList seen = seen_by(planned, sample.list());
      const double value = metric.evaluate(seen, cutoff_at(planned, seen), planned.options);
      ASSERT_GE(value, metric.low) << planned.key;
      // Rounded to 2^-32 it may not exceed the range either.
      if (std::isfinite(metric.high)) {
        ASSERT_LE(to_q32(value), to_q32(metric.high)) << planned.key << " of " << value;
      }
    }
  }
}

// Feedback moves a metric or nothing does: what the definition promises, told from lists that nobody acted on.
TEST_P(MetricLaws, a_list_that_only_counts_changes_no_column) {
  for (SampleList& sample : random_samples(dice_, support::effort(1000))) {
    if (dice_.percent(50)) sample.take_feedback_away();
    if (dice_.percent(50)) sample.missed.clear();
    if (!plan_.only_counts(sample.list())) continue;
    std::vector<std::int64_t> columns(plan_.columns(), 0);
    plan_.add_values(sample.list(), columns);
    ASSERT_EQ(columns, std::vector<std::int64_t>(plan_.columns(), 0));
  }
  const MetricDefinition& metric = *GetParam();
  const MovedBy moved_by = metric.family == Family::pooled ? metric.pooled->moved_by : metric.moved_by;
  auto plain = MetricPlan::make({.cutoffs = {3},
                                 .requests = {{std::string(metric.name), {}, sample_options(metric)}},
                                 .examination = sample_examination()},
                                sample_context(metric));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->only_counts({.length = 3}), moved_by != MovedBy::every_list) << "the promise is too small, or broken";
}

// The mean as [S6] has it, list by list or user by user.
struct PlainMean {
  Int128 total = 0;
  std::uint64_t in_mean = 0;
  std::uint64_t evidence = 0;
  std::uint64_t shown = 0;
};

PlainMean mean_of(const std::vector<const SampleList*>& samples, const PlannedMetric& planned) {
  const MetricDefinition& metric = *planned.definition;
  PlainMean mean;
  for (const SampleList* sample : samples) {
    const bool of_items = planned.over == Over::nonempty || planned.over == Over::nonempty_relevant;
    const bool of_evidence = planned.over == Over::relevant || planned.over == Over::nonempty_relevant;
    const bool evidence = has_evidence(metric, *sample, planned);
    if (of_items && sample->length == 0) continue;
    ++mean.shown;
    mean.evidence += evidence ? 1U : 0U;
    if (of_evidence && !evidence) continue;
    ++mean.in_mean;
    if (!evidence) continue;
    const ScoredList seen = seen_by(planned, sample->list());
    mean.total += to_q32(metric.evaluate(seen, cutoff_at(planned, seen), planned.options));
  }
  return mean;
}

PlainMean mean_of_users(const std::vector<SampleList>& samples, const PlannedMetric& planned) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<const SampleList*>> users;
  for (const SampleList& sample : samples) users[{sample.group, sample.user}].push_back(&sample);
  PlainMean mean;
  for (const auto& [user, lists] : users) {
    const PlainMean of_user = mean_of(lists, planned);
    if (of_user.in_mean == 0) continue;
    ++mean.in_mean;
    mean.total += to_q32(mean_of_q32(of_user.total, of_user.in_mean));
  }
  return mean;
}

TEST_P(ListValueLaws, the_published_value_is_the_mean_of_rounded_list_values) {
  const MetricDefinition& metric = *GetParam();
  for (std::uint64_t round = 0; round < support::effort(20); ++round) {
    const auto samples = random_samples(dice_, 1 + dice_.below(60));
    std::vector<const SampleList*> lists;
    for (const SampleList& sample : samples) lists.push_back(&sample);
    const RunningSums sums = running(pane_of(plan_, samples));
    for (const PlannedMetric& planned : plan_.metrics()) {
      if (planned.pooled != nullptr || metric.family == Family::quantile) continue;
      const PlainMean plain = mean_of(lists, planned);
      const bool of_users = planned.options.unit == Unit::user;
      const PlainMean expected = of_users ? mean_of_users(samples, planned) : plain;
      const Estimate estimate = sums.estimate(planned, 0.9);
      ASSERT_EQ(estimate.value.has_value(), expected.in_mean > 0) << planned.key;
      if (!estimate.value) continue;
      ASSERT_EQ(*estimate.value, mean_of_q32(expected.total, expected.in_mean)) << planned.key;
      if (!of_users) {
        ASSERT_EQ(estimate.relevant_share, share_of(plain.evidence, plain.shown)) << planned.key;
        ASSERT_EQ(estimate.given_relevant.has_value(), plain.evidence > 0);
      }
      if (planned.over == Over::all && estimate.given_relevant) {
        ASSERT_NEAR(*estimate.value, *estimate.relevant_share * *estimate.given_relevant, 1e-9) << planned.key;
      }
      if (!estimate.ci) continue;
      ASSERT_LE(estimate.ci->first, *estimate.value);
      ASSERT_GE(estimate.ci->second, *estimate.value);
      ASSERT_GE(estimate.ci->first, metric.low);
      ASSERT_LE(estimate.ci->second, metric.high);
    }
  }
}

class ShiftOfScores : public MetricLaws {};

TEST_P(ShiftOfScores, changes_nothing_where_the_definition_says_so) {
  std::size_t defined = 0;
  const std::uint64_t rounds = support::effort(40);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    auto samples = random_samples(dice_, 1 + dice_.below(120));
    const RunningSums sums = running(pane_of(plan_, samples));
    const double by = dice_.pick<double>({1, -1, 0.5, -1000, 12345.25});
    for (SampleList& sample : samples) sample.shift_scores(by);
    ASSERT_EQ(published(plan_, running(pane_of(plan_, samples))), published(plan_, sums)) << "moved by " << by;
    for (const PlannedMetric& metric : plan_.metrics()) defined += sums.estimate(metric, 0.95).value ? 1U : 0U;
  }
  EXPECT_GT(defined, rounds / 2) << "nothing was tested";
}

TEST_P(MetricLaws, the_order_of_lists_leaves_no_trace) {
  for (std::uint64_t round = 0; round < support::effort(20); ++round) {
    auto samples = random_samples(dice_, 1 + dice_.below(120));
    const auto expected = published(plan_, running(pane_of(plan_, samples)));
    dice_.shuffle(samples);
    ASSERT_EQ(published(plan_, running(pane_of(plan_, samples))), expected);
  }
}

TEST_P(MetricLaws, merge_is_associative_and_commutative_and_an_empty_pane_is_its_identity) {
  for (std::uint64_t round = 0; round < support::effort(20); ++round) {
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
  for (std::uint64_t round = 0; round < support::effort(20); ++round) {
    const auto samples = random_samples(dice_, 1 + dice_.below(100));
    const auto expected = published(plan_, running(pane_of(plan_, samples)));
    std::vector<PaneSums> panes(1 + dice_.below(5));
    for (const SampleList& sample : samples) add(panes[dice_.below(panes.size())], plan_, sample);
    RunningSums entered;  // pane by pane, as a window moves
    for (const PaneSums& pane : panes) entered.enter(pane);
    RunningSums together;  // cell by cell, as `(other)` is put together
    for (const PaneSums& pane : panes) together.add(running(pane));
    ASSERT_EQ(published(plan_, entered), expected);
    ASSERT_EQ(published(plan_, together), expected);
  }
}

TEST_P(MetricLaws, a_pane_that_enters_and_leaves_leaves_no_trace) {
  for (std::uint64_t round = 0; round < support::effort(20); ++round) {
    std::vector<PaneSums> panes;
    for (std::size_t i = 0; i < 8; ++i) panes.push_back(pane_of(plan_, random_samples(dice_, dice_.below(30))));
    RunningSums moving;
    for (std::size_t end = 0; end < panes.size(); ++end) {
      moving.enter(panes[end]);
      if (end >= 3) moving.leave(panes[end - 3]);
      RunningSums still;
      for (std::size_t i = end >= 3 ? end - 2 : 0; i <= end; ++i) still.enter(panes[i]);
      ASSERT_EQ(published(plan_, moving), published(plan_, still));
    }
  }
}

// Of few items, with ratings as people give them: many of it are no more than sums hold.
bool is_small(const SampleList& sample) {
  return sample.length <= 20 &&
         std::all_of(sample.ratings.begin(), sample.ratings.end(),
                     [](const Rating& rating) { return std::abs(rating.rating) < 10 && std::abs(rating.prediction) < 10; }) &&
         std::ranges::all_of(sample.retests, [](const Retest& retest) { return std::abs(retest.again) < 10; });
}

bool has_interval_of_sums(const PlannedMetric& planned) {
  return planned.pooled != nullptr && planned.definition->of_weights == nullptr;
}

// Every group holds the same lists, each many times, so that one list more is less than a double holds: values without a
// group are equal exactly where there is none, whatever they are made of.
TEST_P(MetricLaws, an_interval_of_a_value_made_of_sums_is_null_only_where_these_say_so) {
  std::size_t told = 0;
  const std::uint64_t rounds = support::effort(50);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    auto samples = random_samples(dice_, 20);
    std::erase_if(samples, [](const SampleList& sample) { return !is_small(sample); });
    if (samples.size() < 2) continue;
    const SampleList extra = samples.back();
    samples.pop_back();
    std::vector<std::int64_t> columns(plan_.columns(), 0);
    for (const SampleList& sample : samples) plan_.add_values(sample.list(), columns);
    std::vector<std::int64_t> more(plan_.columns(), 0);
    plan_.add_values(extra.list(), more);
    std::array<std::uint64_t, user_groups> times{};
    for (std::uint64_t& n : times) n = (std::uint64_t{1} << 48) + dice_.below(std::uint64_t{1} << 48);
    for (const PlannedMetric& planned : plan_.metrics()) {
      if (!has_interval_of_sums(planned)) continue;
      ASSERT_NE(planned.pooled->exact, nullptr) << planned.key;
      const auto lists = static_cast<std::uint64_t>(
          std::count_if(samples.begin(), samples.end(), [&](const auto& sample) { return in_mean(planned, sample.list()); }));
      const std::uint64_t one = in_mean(planned, extra.list()) ? 1 : 0;
      const auto estimate_of = [&](std::uint64_t extra_times, bool many) {
        std::vector<Int128> sums;
        GroupColumns groups{.lists = {}, .evidence = {}, .columns = {}, .stride = planned.columns};
        for (std::size_t g = 0; g < user_groups; ++g) {
          const std::uint64_t n = many ? times[g] : 1;
          const std::uint64_t m = g == 0 ? extra_times : 0;
          groups.lists[g] = groups.evidence[g] = lists * n + one * m;
          for (std::size_t c = planned.column; c < planned.column + planned.columns; ++c) {
            sums.push_back(Int128{columns[c]} * n + Int128{more[c]} * m);
          }
        }
        groups.columns = sums;
        return estimate_pooled(*planned.pooled, groups, planned.cutoff, planned.options, 0.95);
      };
      const Estimate alike = estimate_of(0, true);
      ASSERT_FALSE(alike.ci) << planned.key;
      const Estimate few = estimate_of(1, false);
      if (!few.ci || *few.value == alike.value) continue;  // the list changes nothing, or there is none anyway
      const Estimate rounded = estimate_of(1, true);
      ASSERT_TRUE(rounded.ci) << planned.key;
      // One list moves a value without an upper end by as much as it is larger than the others.
      const double scale = std::max({1.0, std::abs(*rounded.value), std::abs(*few.value - alike.value.value_or(0))});
      ASSERT_NEAR(rounded.ci->first, *rounded.value, 1e-9 * scale) << planned.key;
      told += rounded.left_out.theta[0] == rounded.left_out.theta[1] ? 1U : 0U;
    }
  }
  const bool is_pooled = std::any_of(plan_.metrics().begin(), plan_.metrics().end(), has_interval_of_sums);
  // Few rounds may have none of these.
  if (rounds >= 50 || !is_pooled) {
    EXPECT_EQ(told > 0, is_pooled) << "doubles could always tell";
  }
}

const auto name_of = [](const testing::TestParamInfo<const MetricDefinition*>& tested) {
  return name_of_definition(*tested.param);
};

INSTANTIATE_TEST_SUITE_P(Every, MetricLaws, testing::ValuesIn(metrics_of(Laws::of_sums)), name_of);

std::vector<const MetricDefinition*> metrics_where(Laws laws, const std::function<bool(const MetricDefinition&)>& holds) {
  std::vector<const MetricDefinition*> found = metrics_of(laws);
  std::erase_if(found, [&](const MetricDefinition* metric) { return !holds(*metric); });
  return found;
}

INSTANTIATE_TEST_SUITE_P(Every, ListValueLaws,
                         testing::ValuesIn(metrics_where(Laws::of_sums,
                                                         [](const auto& metric) { return metric.evaluate != nullptr; })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(
    Every, ShiftOfScores,
    testing::ValuesIn(metrics_where(Laws::of_sums, [](const auto& metric) { return metric.laws.has(Law::shift_of_scores); })),
    name_of);

// Those of what was shown at all; the laws of counts and of overlap stand in exposure_metric_laws_test.cpp.
class ExposureMetricLaws : public testing::TestWithParam<const MetricDefinition*> {};

// Exposure may only know more: whether it also rises is the metric's own affair.
TEST_P(ExposureMetricLaws, a_measure_never_leaves_its_range) {
  const MetricDefinition& metric = *GetParam();
  ASSERT_NE(metric.measure, nullptr);
  ASSERT_EQ(metric.evaluate, nullptr);
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{100}}) {
    std::optional<double> before;
    for (std::uint64_t distinct = 0; distinct < 120; ++distinct) {
      const ExposureFacts facts{.distinct = distinct, .distinct_in_catalog = std::min(distinct, size), .catalog_size = size};
      const auto value = metric.measure(facts, {}, 0.95).value;
      ASSERT_TRUE(value);
      ASSERT_GE(*value, metric.low);
      ASSERT_LE(*value, metric.high);
      if (before) {
        ASSERT_GE(*value, *before) << "fewer distinct items are worth more";
      }
      before = value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ExposureMetricLaws,
                         testing::ValuesIn(metrics_where(Laws::of_exposure,
                                                         [](const auto& metric) {
                                                           return !metric.exposure_needs.counts &&
                                                                  !metric.exposure_needs.overlap;
                                                         })),
                         name_of);

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Registry, holds_every_metric_that_is_defined_in_src_metric_once) {
  std::multiset<std::string> defined;
  const std::regex definition(R"(const MetricDefinition (\w+)_metric(?:\{| = ))");
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
  for (const MetricDefinition* metric : every_definition()) {
    SCOPED_TRACE(name_of_definition(*metric));
    EXPECT_NE(find_metric(metric->name), nullptr);
    EXPECT_FALSE(metric->formula.empty());
    EXPECT_FALSE(metric->source.empty());
    const bool of_lists = metric->family == Family::list_mean || metric->family == Family::list_share;
    EXPECT_EQ(metric->evaluate != nullptr, of_lists || metric->family == Family::quantile);
    EXPECT_EQ(metric->at_rank != nullptr, metric->family == Family::quantile);
    EXPECT_TRUE(metric->slower_share == nullptr || metric->family == Family::quantile);
    EXPECT_EQ(metric->measure != nullptr, metric->family == Family::exposure);
    EXPECT_EQ(metric->pooled != nullptr, metric->family == Family::pooled || metric->takes.has(MetricOption::unit_pooled));
    EXPECT_EQ(metric->mean_of_lists != nullptr, metric->takes.has(MetricOption::unit_list));
    EXPECT_TRUE(metric->of_user == nullptr || metric->takes.has(MetricOption::unit_user));
    EXPECT_EQ(metric->has_evidence != nullptr, metric->evidence == Evidence::own);
    EXPECT_TRUE(metric->scope == Scope::list || metric->evidence != Evidence::relevant_in_list);
    EXPECT_TRUE(metric->over != Over::relevant || metric->evidence != Evidence::none);
  }
  EXPECT_EQ(find_metric("no such metric"), nullptr);
}

TEST(Registry, has_laws_for_every_metric) {
  EXPECT_EQ(metrics_of(Laws::of_sums).size() + metrics_of(Laws::of_exposure).size(), every_definition().size());
}

}  // namespace
}  // namespace recmeter::laws
