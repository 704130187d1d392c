#include "chance_lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "recmeter/base/check.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"
#include "support/dice.h"

namespace recmeter::conformance {
namespace {

constexpr std::uint64_t seed = 20'261'121;

ChanceList chance_list(support::Dice& dice) {
  ChanceList list;
  std::size_t length = 0;
  if (!dice.percent(8)) length = static_cast<std::size_t>(dice.percent(20) ? dice.between(13, 30) : dice.between(1, 12));
  const bool may_repeat = dice.percent(20);
  const std::size_t relevant_percent = dice.pick<std::size_t>({0, 5, 15, 30, 60, 100});
  const bool is_graded = dice.percent(50);
  const bool is_rated = dice.percent(40);
  const auto grade = [&] { return is_graded ? dice.pick<double>({1, 1, 2, 3, 5}) : 1.0; };
  std::set<std::uint32_t> seen;
  while (list.shown.size() < length) {
    const auto item = static_cast<std::uint32_t>(dice.below(may_repeat ? 10 : chance_catalog));
    const bool is_new = seen.insert(item).second;
    if (!is_new && !may_repeat) continue;
    ShownItem& shown = list.shown.emplace_back(ShownItem{.item = item});
    if (is_new && dice.percent(relevant_percent)) shown.grade = grade();
    if (is_new && is_rated && dice.percent(60)) {
      shown.rating.emplace(static_cast<double>(dice.between(1, 5)), static_cast<double>(dice.between(2, 10)) / 2);
    }
  }
  if (!dice.percent(50)) return list;
  for (std::size_t count = dice.pick<std::size_t>({1, 1, 2, 4, 15}); count > 0; --count) {
    const auto item = static_cast<std::uint32_t>(dice.below(chance_catalog));
    if (seen.insert(item).second) list.missed.emplace_back(item, grade());
  }
  return list;
}

// What a ScoredList looks at.
struct Scored {
  explicit Scored(const ChanceList& list) {
    std::set<std::uint32_t> seen;
    distinct.push_back(0);
    for (std::uint32_t rank = 1; rank <= list.shown.size(); ++rank) {
      const ShownItem& shown = list.shown[rank - 1];
      if (shown.grade > 0) hits.push_back({rank, shown.grade});
      if (shown.rating) {
        ratings.push_back(
            {.rank = rank, .rating = shown.rating->first, .has_prediction = true, .prediction = shown.rating->second});
      }
      if (shown.grade > 0 || shown.rating) judged.push_back(rank);
      seen.insert(shown.item);
      distinct.push_back(static_cast<std::uint32_t>(seen.size()));
    }
    std::map<double, std::uint64_t, std::greater<>> levels;
    for (const auto& [item, grade] : list.missed) ++levels[grade];
    for (const auto& [grade, items] : levels) missed.push_back({grade, items});
    scored = {.length = static_cast<std::uint32_t>(list.shown.size()),
              .hits = hits,
              .missed = missed,
              .missed_items = list.missed.size(),
              .distinct = distinct,
              .ratings = ratings,
              .judged = judged,
              .credited = judged.size(),
              .credited_with_score = ratings.size()};
  }

  std::vector<Hit> hits;
  std::vector<GradeCount> missed;
  std::vector<std::uint32_t> distinct;
  std::vector<Rating> ratings;
  std::vector<std::uint32_t> judged;
  ScoredList scored;
};

bool is_of_lists(const MetricDefinition& metric) {
  return metric.family == Family::list_mean || metric.family == Family::pooled;
}

// Of all lists together, by what they show.
bool is_of_exposure(const MetricDefinition& metric) {
  return metric.family == Family::exposure && !metric.exposure_needs.overlap;
}

// What a window of these lists knows of the items in their first k ranks.
struct Exposure {
  Exposure(const std::vector<ChanceList>& lists, std::uint32_t k) {
    std::map<std::uint32_t, std::uint64_t> shown_by;
    for (const ChanceList& list : lists) {
      std::set<std::uint32_t> items;
      for (std::size_t i = 0; i < list.shown.size() && i < k; ++i) items.insert(list.shown[i].item);
      for (const std::uint32_t item : items) ++shown_by[item];
    }
    std::map<std::uint64_t, std::uint64_t> items_shown_by;
    for (const auto& [item, count] : shown_by) ++items_shown_by[count];
    for (const auto& [count, items] : items_shown_by) levels.push_back({.lists = count, .items = items});
    facts = {.distinct = shown_by.size(),
             .distinct_in_catalog = shown_by.size(),
             .catalog_size = chance_catalog,
             .levels = levels,
             .levels_in_catalog = levels};
  }

  std::vector<CountLevel> levels;
  ExposureFacts facts;
};

// Under each preset its names, and every metric of lists of the registry as it is by default.
MetricPlan plan_of_all() {
  MetricSpec spec;
  spec.cutoffs.assign(std::begin(chance_cutoffs), std::end(chance_cutoffs));
  for (const Preset& preset : all_presets()) {
    for (const PresetName& name : preset.names) {
      const MetricDefinition* metric = find_metric(name.metric);
      RECMETER_CHECK(metric != nullptr, "presets name metrics of the registry");
      if (!is_of_lists(*metric)) continue;
      spec.requests.push_back(
          {std::string(name.metric), std::string(preset.name) + "." + std::string(name.name), name.options});
    }
  }
  for (const MetricDefinition* metric : all_metrics()) {
    // Chance gives lists grades, not actions, policies or examination; and rates nothing twice.
    const bool is_known = is_of_lists(*metric) && !metric->needs.has(ListPart::popularity) &&
                          !metric->needs.has(ListPart::attributes) && !metric->needs.has(ListPart::seen) &&
                          !metric->needs.has(ListPart::retests) && !metric->needs.has(ListPart::history) &&
                          !metric->needs_action && !metric->needs_examination && !judges_policy(*metric);
    if (is_known) spec.requests.push_back({std::string(metric->name), "own." + std::string(metric->name), {}});
  }
  spec.requests.push_back({"ndcg_user", "own.ndcg_exp2", {.gain = GainKind::exp2}});
  spec.requests.push_back({"ndcg_user", "own.ndcg_shown", {.ideal = IdealDcg::shown}});
  spec.requests.push_back({"ndcg_user", "own.ndcg_whole", {.ideal = IdealDcg::whole}});
  for (const auto& [word, kind] : std::array{std::pair{"log2_max2", Discount::log2_max2}, std::pair{"rank", Discount::rank},
                                             std::pair{"none", Discount::none}}) {
    spec.requests.push_back({"dcg", "own.dcg_" + std::string(word), {.discount = kind}});
    spec.requests.push_back({"ndcg_user", "own.ndcg_" + std::string(word), {.discount = kind}});
  }
  for (const std::uint32_t level : {0U, 333U, 1000U}) {
    spec.requests.push_back({"ap_11", "own.ap_11_level_" + std::to_string(level), {.level = level}});
  }
  // ranx has them as one array, which no name of a preset stands for.
  for (std::uint32_t tenths = 0; tenths <= 10; ++tenths) {
    spec.requests.push_back({"ap_11",
                             "ranx.interpolated_precision_at_recall_" + std::to_string(tenths),
                             {.cut = Cut::none, .level = 100 * tenths}});
  }
  for (const char* name :
       {"recall", "f1", "miss_rate", "ap_11", "fallout", "inverse_precision", "informedness", "markedness", "lauc", "auc"}) {
    spec.requests.push_back({name, "own." + std::string(name) + "_of_list", {.universe = Universe::list}});
  }
  spec.requests.push_back({"precision", "own.r_precision", {.cut = Cut::relevant}});
  spec.requests.push_back({"ndcg_user", "own.ndcg_at_r", {.cut = Cut::relevant}});
  spec.requests.push_back({"map_user", "own.map_at_r", {.cut = Cut::relevant}});
  spec.requests.push_back({"recall", "own.recall_min", {.recall_denominator = RecallDenominator::min}});
  for (const char* name : {"mae", "rmse", "pearson", "rated_auc"}) {
    spec.requests.push_back({name, "own." + std::string(name), {.unit = Unit::list}});
  }
  auto plan = MetricPlan::make(spec, {.catalog_size = chance_catalog,
                                      .catalog_has_attributes = false,
                                      .ratings = {},
                                      .actions = {{.name = "best", .gain = 5, .after = {}, .horizon = {}}}});
  RECMETER_CHECK(plan.has_value(), "every preset can be planned");
  return std::move(*plan);
}

// The metric's value from its columns, summed over `lists` lists.
std::optional<double> value_of(const PlannedMetric& metric, std::span<const Int128> columns, std::uint64_t lists) {
  const auto at = [&](std::size_t column) { return static_cast<std::uint64_t>(columns[column]); };
  const std::uint64_t in_mean = metric.mean_column == PlannedMetric::no_column ? lists : at(metric.mean_column);
  if (in_mean == 0) return std::nullopt;
  if (metric.pooled == nullptr) return quotient_of(columns[metric.column], Int128{in_mean} << q32_fraction_bits);
  const std::uint64_t evidence = metric.evidence_column == PlannedMetric::no_column ? in_mean : at(metric.evidence_column);
  const ColumnSums sums{.lists = in_mean, .evidence = evidence, .columns = columns.subspan(metric.column, metric.columns)};
  return metric.pooled->value(sums, metric.cutoff, metric.options);
}

// As under preset names, with the options they have there, so as recmeter's own.
void add_exposure(const std::vector<ChanceList>& lists, std::map<std::string, ChanceValues>& values) {
  for (const std::uint32_t k : chance_cutoffs) {
    const Exposure exposure(lists, k);
    const auto add = [&](std::string name, const MetricDefinition& metric, MetricOptions options) {
      options.catalog_size = chance_catalog;
      values[std::move(name) + "@" + std::to_string(k)].all = metric.measure(exposure.facts, options, 0.95).value;
    };
    for (const Preset& preset : all_presets()) {
      for (const PresetName& name : preset.names) {
        const MetricDefinition& metric = *find_metric(name.metric);
        if (is_of_exposure(metric)) add(std::string(preset.name) + "." + std::string(name.name), metric, name.options);
      }
    }
    for (const MetricDefinition* metric : all_metrics()) {
      const bool is_of_scores = metric->needs.has(ListPart::scores);  // which what is shown has none of here
      if (is_of_exposure(*metric) && !is_of_scores) add("own." + std::string(metric->name), *metric, {});
    }
  }
}

}  // namespace

std::vector<ChanceList> chance_lists(std::size_t count) {
  support::Dice dice(seed);
  std::vector<ChanceList> lists;
  while (lists.size() < count) lists.push_back(chance_list(dice));
  return lists;
}

std::map<std::string, ChanceValues> chance_values(const std::vector<ChanceList>& lists) {
  const MetricPlan plan = plan_of_all();
  std::map<std::string, ChanceValues> values;
  std::vector<Int128> totals(plan.columns());
  for (const ChanceList& list : lists) {
    std::vector<std::int64_t> columns(plan.columns());
    plan.add_values(Scored(list).scored, columns);
    const std::vector<Int128> wide(columns.begin(), columns.end());
    for (std::size_t c = 0; c < columns.size(); ++c) totals[c] += columns[c];
    for (const PlannedMetric& metric : plan.metrics()) values[metric.key].lists.push_back(value_of(metric, wide, 1));
  }
  for (const PlannedMetric& metric : plan.metrics()) values[metric.key].all = value_of(metric, totals, lists.size());
  add_exposure(lists, values);
  return values;
}

}  // namespace recmeter::conformance
