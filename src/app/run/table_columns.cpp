#include "app/run/table_columns.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "recmeter/metric/mean_over_lists.h"

namespace recmeter {

namespace {

// Metrics that answer the same question, the best known first. A metric that is not named here is a kind of its own.
using Kind = std::span<const std::string_view>;
constexpr std::array<std::string_view, 15> order_kind{"ndcg_list", "ndcg_user", "map_list", "map_user", "gmap",
                                                      "hmap",      "qmap",      "ap_11",    "rbp",      "err",
                                                      "half_life", "dcg",       "auc",      "lauc",     "kendall_boolean"};
constexpr std::array<std::string_view, 4> recall_kind{"recall", "miss_rate", "f1", "fbeta"};
constexpr std::array<std::string_view, 4> error_kind{"rmse", "mae", "mse", "nmae"};
constexpr std::array<std::string_view, 3> chance_kind{"ips", "ips_clipped", "rips"};
const std::array<Kind, 4> kinds{order_kind, recall_kind, error_kind, chance_kind};

// The kind by its first name, and the metric's place in it.
std::pair<std::string_view, std::size_t> kind_of(std::string_view name) {
  for (const Kind kind : kinds) {
    const auto place = std::ranges::find(kind, name);
    if (place != kind.end()) return {kind.front(), static_cast<std::size_t>(place - kind.begin())};
  }
  return {name, 0};
}

// Lower is better. Cutoffs that are not `cutoff` are none where the metric has one at it.
using Rank = std::tuple<std::size_t, bool, bool, bool>;
Rank rank_of(const PlannedMetric& metric, std::uint32_t cutoff) {
  const bool has_cutoff = metric.cutoff != 0 && metric.cutoff != PlannedMetric::no_cut;
  const bool has_own_unit = !metric.options.unit || *metric.options.unit == own_unit(*metric.definition);
  return {kind_of(metric.definition->name).second, has_cutoff && metric.cutoff != cutoff, !metric.definition_id.empty(),
          !has_own_unit};
}

// Every list there can be of at most so many ranks: which of them are relevant, by which grade, and whether one is missed.
class EveryList {
 public:
  EveryList(const MetricPlan& metrics, std::uint32_t longest, std::span<const Action> actions) {
    constexpr std::uint32_t length_max = 4;  // definitions that differ at all differ here
    constexpr std::size_t grades_max = 3;
    std::set<double> gains;
    for (const Action& action : actions) {
      if (action.gain > 0) gains.insert(action.gain);
    }
    grades_.assign(gains.begin(), gains.end());
    if (grades_.size() > grades_max) grades_ = {grades_.front(), grades_[grades_.size() / 2], grades_.back()};
    for (std::uint32_t i = 0; i <= length_max; ++i) distinct_.push_back(i);
    parts_ = metrics.asked_actions().size();
    for (std::uint32_t length = 0; length <= std::min(longest, length_max); ++length) add(length, 1, {});
  }

  // Tells whether the two have the same value of each list.
  [[nodiscard]] bool are_equal(const PlannedMetric& a, const PlannedMetric& b) const {
    return std::ranges::all_of(lists_, [&](const List& list) {
      for (const bool is_missed : {false, true}) {
        std::vector<ActionPart> parts;
        const std::vector<GradeCount> missed = missed_of(is_missed);
        const ScoredList view = view_of(list, missed, parts);
        if (MetricPlan::value_of(a, view) != MetricPlan::value_of(b, view)) return false;
      }
      return true;
    });
  }

 private:
  struct List {
    std::uint32_t length = 0;
    std::vector<Hit> hits;
    std::vector<Hit> hits_of_one;  // as one action sees them
  };

  void add(std::uint32_t length, std::uint32_t rank, const std::vector<Hit>& hits) {
    if (rank > length) {
      List list{.length = length, .hits = hits, .hits_of_one = hits};
      for (Hit& hit : list.hits_of_one) hit.grade = 1;
      lists_.push_back(std::move(list));
      return;
    }
    add(length, rank + 1, hits);
    for (const double grade : grades_) {
      std::vector<Hit> more = hits;
      more.push_back({rank, grade});
      add(length, rank + 1, more);
    }
  }

  [[nodiscard]] std::vector<GradeCount> missed_of(bool is_missed) const {
    if (!is_missed || grades_.empty()) return {};
    return {{grades_.front(), 1}};
  }

  [[nodiscard]] ScoredList view_of(const List& list, const std::vector<GradeCount>& missed,
                                   std::vector<ActionPart>& parts) const {
    parts.assign(parts_, {.hits = list.hits_of_one, .missed = missed, .missed_items = missed.size()});
    ScoredList view;
    view.length = list.length;
    view.hits = list.hits;
    view.missed = missed;
    view.missed_items = missed.size();
    view.distinct = std::span(distinct_).first(list.length + 1);
    view.credited = list.hits.size();
    view.by_action = parts;
    return view;
  }

  std::vector<double> grades_;
  std::vector<std::uint32_t> distinct_;
  std::size_t parts_ = 0;
  std::vector<List> lists_;
};

// Tells whether EveryList has all that the metric looks at.
bool is_of_hits(const PlannedMetric& metric) {
  const MetricDefinition& definition = *metric.definition;
  if (!is_mean_over_lists(metric) || metric.by_value || definition.is_of_ratings || judges_policy(definition)) return false;
  for (const ListPart part :
       {ListPart::feedback, ListPart::popularity, ListPart::attributes, ListPart::delay, ListPart::value, ListPart::latency,
        ListPart::seen, ListPart::retests, ListPart::scores, ListPart::policy, ListPart::history}) {
    if (definition.needs.has(part)) return false;
  }
  return true;
}

// Tells whether the two look at the same actions: at the same one, or at all where there is only one that counts.
bool see_the_same(const PlannedMetric& a, const PlannedMetric& b, std::span<const Action> actions) {
  if (a.action == b.action) return true;
  const bool is_one = std::ranges::count_if(actions, [](const Action& action) { return action.gain > 0; }) == 1;
  const auto is_of_it = [&](const PlannedMetric& metric) {
    if (metric.action == AskedAction::none) return true;
    const auto named = std::ranges::find(actions, metric.options.action, &Action::name);
    return named != actions.end() && named->gain > 0 && !named->goes_by_value();
  };
  return is_one && is_of_it(a) && is_of_it(b);
}

}  // namespace

std::optional<std::size_t> compared_column(const MetricPlan& metrics, std::span<const std::size_t> columns, bool by_order) {
  const auto is_compared = [&](std::size_t column) {
    const PlannedMetric& metric = metrics.metrics()[column];
    return is_mean_over_lists(metric) && metric.definition->moved_by != MovedBy::every_list;
  };
  if (by_order) {
    const auto is_of_order = [&](std::size_t column) {
      return is_compared(column) && kind_of(metrics.metrics()[column].definition->name).first == order_kind.front();
    };
    const auto found = std::ranges::find_if(columns, is_of_order);
    if (found != columns.end()) return *found;
  }
  const auto found = std::ranges::find_if(columns, is_compared);
  return found != columns.end() ? std::optional(*found) : std::nullopt;
}

std::vector<std::size_t> table_columns(const MetricPlan& metrics, std::uint32_t cutoff, std::uint32_t longest,
                                       std::span<const Action> actions) {
  const std::span<const PlannedMetric> all = metrics.metrics();
  // By kind and action. A value at a rank and a share of lists may have one name, and are two answers.
  std::map<std::tuple<std::string_view, std::size_t, bool>, std::size_t> of_kind;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_of_rank = all[i].definition->family == Family::quantile;
    const std::tuple key(kind_of(all[i].definition->name).first, all[i].action, is_of_rank);
    const auto [place, is_first] = of_kind.try_emplace(key, i);
    if (!is_first && rank_of(all[i], cutoff) < rank_of(all[place->second], cutoff)) place->second = i;
  }
  std::vector<std::size_t> chosen;
  for (const auto& [kind, metric] : of_kind) chosen.push_back(metric);
  std::ranges::sort(chosen);
  const EveryList lists(metrics, longest, actions);
  std::vector<std::size_t> columns;
  for (const std::size_t i : chosen) {
    const bool is_told = std::ranges::any_of(columns, [&](std::size_t other) {
      return is_of_hits(all[i]) && is_of_hits(all[other]) && see_the_same(all[i], all[other], actions) &&
             lists.are_equal(all[i], all[other]);
    });
    if (!is_told) columns.push_back(i);
  }
  return columns;
}

}  // namespace recmeter
