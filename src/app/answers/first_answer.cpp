#include "app/answers/first_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "app/compare/paired_lists.h"
#include "app/compare/paired_text.h"
#include "app/run/run_verdict.h"
#include "app/run/table_columns.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr double alpha_of_answer = 0.05;
constexpr std::size_t sentences_max = 4;  // of one screen

bool is_compared_by_experiment(const EvaluatorSpec& spec, const std::string& key) {
  return std::ranges::any_of(spec.experiments, [&](const ExperimentSpec& each) { return each.arms.key == key; });
}

std::set<std::string> keys_of(const EvaluatorPlan& plan, const std::vector<std::size_t>& columns) {
  std::set<std::string> keys;
  for (const std::size_t column : columns) keys.insert(plan.metrics.metrics()[column].key);
  return keys;
}

}  // namespace

std::set<std::string> first_columns(const EvaluatorPlan& plan, std::uint32_t longest) {
  ListLengths lengths;
  lengths.add(longest);
  const std::uint32_t cutoff = table_cutoff(plan.spec->metrics.cutoffs, lengths);
  return keys_of(plan, table_columns(plan.metrics, cutoff, longest, plan.spec->join.actions));
}

namespace {

// The window as rows of its name tell it. One window that does not stand on the grid of its size is over the whole log.
WindowSpec window_of(const std::string& name, const std::set<std::pair<EventTime, EventTime>>& times) {
  const auto& [start, end] = *times.begin();
  WindowSpec window{.name = name, .size = end - start, .slide = end - start};
  if (window.size.ms <= 0 || (times.size() == 1 && start.ms % window.size.ms != 0))
    window.size = window.slide = WindowSpec::whole;
  for (auto at = std::next(times.begin()); at != times.end(); ++at) {
    window.slide = std::min(window.slide, at->first - std::prev(at)->first);
  }
  return window;
}

std::set<std::string> arm_keys_of(std::span<const Row> rows) {
  std::set<std::string> keys;
  for (const Row& row : rows) {
    if (row.segment.size() == 1) keys.insert(row.segment.front().first);
  }
  if (keys.size() > 1) std::erase_if(keys, [](const std::string& key) { return !is_arm_name(key); });
  return keys;
}

// Metrics at the cutoff that lists of the usual length reach, and those that have none.
std::set<std::string> columns_of(std::span<const Row> rows) {
  std::set<std::uint32_t> cutoffs;
  for (const Row& row : rows) {
    for (const MetricValue& metric : row.metrics) {
      if (const std::uint32_t cutoff = cutoff_of_key(metric.key); cutoff > 0) cutoffs.insert(cutoff);
    }
  }
  ListLengths lengths;
  lengths.add(table_cutoff_max);
  const std::vector<std::uint32_t> all(cutoffs.begin(), cutoffs.end());
  const std::uint32_t chosen = table_cutoff(all, lengths);
  std::set<std::string> columns;
  for (const Row& row : rows) {
    for (const MetricValue& metric : row.metrics) {
      const std::uint32_t cutoff = cutoff_of_key(metric.key);
      if (cutoff == 0 || cutoff == chosen) columns.insert(metric.key);
    }
  }
  return columns;
}

}  // namespace

FirstTable first_table_of(std::span<const Row> rows) {
  std::map<std::string, std::set<std::pair<EventTime, EventTime>>> windows;
  EvaluatorSpec spec;
  spec.windows.clear();
  spec.join.horizons.clear();
  for (const Row& row : rows) {
    windows[row.window].emplace(row.start, row.end);
    if (std::ranges::find(spec.join.horizons, row.horizon) == spec.join.horizons.end()) {
      spec.join.horizons.push_back(row.horizon);
    }
  }
  for (const auto& [name, times] : windows) spec.windows.push_back(window_of(name, times));
  if (rows.empty()) spec.join.horizons = {one_hour};  // of a table that shows nothing
  FirstTable table(spec, arm_keys_of(rows));
  for (const Row& row : rows) table.add(row);
  table.choose_columns(columns_of(rows));
  return table;
}

FirstAnswer::FirstAnswer(const EvaluatorPlan& plan, AnswerSpec answer) : plan_(plan), spec_(std::move(answer)) {
  const EvaluatorSpec& spec = *plan.spec;
  const auto longest = std::ranges::max_element(spec.join.horizons);
  tally_.horizon = static_cast<std::size_t>(longest - spec.join.horizons.begin());
  for (std::size_t i = 0; i < spec.segments.size(); ++i) {
    if (spec.segments[i].keys.size() == 1) keys_.push_back({spec.segments[i].keys.front(), i, true});
  }
  if (keys_.size() == 1) keys_.front().is_named_so = is_arm_name(keys_.front().name);
  if (keys_.size() > 1) std::erase_if(keys_, [](const ArmKey& key) { return !is_arm_name(key.name); });
  for (const ArmKey& key : keys_) tally_.segments.push_back(key.segment);
  // Lengths are known at the end only.
  const std::vector<std::uint32_t> without_number{0};
  for (const std::uint32_t cutoff : spec.metrics.cutoffs.empty() ? without_number : spec.metrics.cutoffs) {
    const auto compared = compared_column(plan.metrics, columns_at(cutoff, ListLengths::length_max), spec_.compares_order);
    const bool is_new = compared && std::ranges::find(tally_.metrics, *compared) == tally_.metrics.end();
    if (is_new && !tally_.segments.empty()) tally_.metrics.push_back(*compared);
  }
}

std::vector<std::size_t> FirstAnswer::columns_at(std::uint32_t cutoff, std::uint32_t longest) const {
  return table_columns(plan_.metrics, cutoff, longest, plan_.spec->join.actions);
}

FirstTable FirstAnswer::table() const {
  std::set<std::string> arms{recommender_key, policy_key};
  for (const ArmKey& key : keys_) arms.insert(key.name);
  return {*plan_.spec, std::move(arms), spec_.is_of_recommenders ? FirstTable::Segments::of_arms : FirstTable::Segments::all};
}

std::optional<ChosenControl> FirstAnswer::control_of(const std::vector<std::string>& arms) const {
  if (!spec_.control.empty()) return choose_control(arms, spec_.control);
  if (auto named = named_control(arms)) return ChosenControl{.value = std::move(*named)};
  return arms.size() == 2 ? choose_control(arms, "") : std::nullopt;
}

bool FirstAnswer::is_compared(const ListTally& lists, std::size_t key) const {
  const std::size_t values = lists.arms(key).size();
  return keys_[key].is_named_so ? values > 1 : values == 2;
}

// Recommenders may fill more ranks than the page that was shown had, and then its lists stand beside them only so far.
std::uint32_t FirstAnswer::cutoff_for(const ListTally& lists) const {
  const std::vector<std::uint32_t>& cutoffs = plan_.spec->metrics.cutoffs;
  std::uint32_t cutoff = table_cutoff(cutoffs, lists.lengths());
  if (spec_.is_of_recommenders) cutoff = std::min(cutoff, nearest_cutoff(cutoffs, ListLengths::of_one(spec_.length)));
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!is_compared(lists, i)) continue;
    if (spec_.is_of_recommenders) {
      const ListTally::Arms arms = lists.arms(i);
      const auto shown = arms.find(spec_.shown);
      if (shown != arms.end()) cutoff = std::min(cutoff, nearest_cutoff(cutoffs, shown->second.lengths));
    } else {
      cutoff = std::min(cutoff, table_cutoff(cutoffs, lists.lengths_of_arms(i)));
    }
  }
  return spec_.is_of_recommenders ? cutoff : cutoff_of_hits(cutoff, cutoffs, lists.hit_ranks());
}

PairedLists FirstAnswer::paired(const ListTally& lists, std::size_t key, std::size_t metric) const {
  PairedLists out;
  const std::string horizon = render_duration(plan_.spec->join.horizons[tally_.horizon]);
  const std::string& name = plan_.metrics.metrics()[tally_.metrics[metric]].key;
  for (const auto& [value, arm] : lists.arms(key)) {
    out.add_sums(horizon, value, name, arm.sums[metric]);
    out.add_times(value, arm.times);
  }
  return out;
}

std::vector<std::string> FirstAnswer::sentences(const ListTally& lists, std::size_t metric) const {
  std::vector<std::string> out;
  const auto place = std::ranges::find(tally_.metrics, metric);
  if (place == tally_.metrics.end() || lists.acted_on() == 0) return out;
  const PlannedMetric& planned = plan_.metrics.metrics()[metric];
  const auto number = static_cast<std::size_t>(place - tally_.metrics.begin());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!is_compared(lists, i) || is_compared_by_experiment(*plan_.spec, keys_[i].name)) continue;
    const PairedLists paired = this->paired(lists, i, number);
    const std::optional<ChosenControl> control = control_of(paired.variants());
    if (!control) continue;
    const std::string which = keys_.size() > 1 ? keys_[i].name + ": " : "";
    for (const PairedLists::Pair& pair : paired.pairs(control->value, alpha_of_answer)) {
      if (out.size() < sentences_max) out.push_back(which + paired_sentence(pair, *control, planned.definition->better));
    }
    for (const std::string& sentence : never_together(paired, control->value)) {
      if (out.size() < sentences_max) out.push_back(which + sentence);
    }
  }
  return out;
}

FirstMore FirstAnswer::more(const ListTally& lists) const {
  FirstMore out;
  const bool is_judged = std::ranges::any_of(plan_.metrics.metrics(),
                                             [](const PlannedMetric& metric) { return judges_policy(*metric.definition); });
  for (std::size_t i = 0; lists.acted_on() > 0 && i < keys_.size(); ++i) {
    const bool has_experiment = is_compared_by_experiment(*plan_.spec, keys_[i].name);
    if (!has_experiment && !is_compared(lists, i)) continue;
    const std::string key = has_experiment ? "" : keys_[i].name;
    if (std::ranges::find(out.keys, key) == out.keys.end()) out.keys.push_back(key);
  }
  out.has_propensities = lists.has_propensities() && !is_judged;
  return out;
}

namespace {

// Why the whole log has no interval: its users fall into 64 groups, of which 20 have to have acted.
std::string few_text(const ListTally& lists) {
  const std::size_t users = lists.users().count();
  const std::size_t acting = lists.acting_users().count();
  if (users < evidence_groups_min) return fmt::format("too few users ({}; {} are needed)", users, evidence_users_needed);
  return fmt::format("too few users acted ({}; {} are needed)", acting, evidence_users_needed);
}

// Ranks that the table does not look at. "": few are acted on.
std::string beyond_text(const ListLengths& hits, std::uint32_t cutoff) {
  constexpr std::uint64_t hits_min = 20;
  if (cutoff == 0 || hits.lists() < hits_min) return "";
  const std::uint64_t beyond = hits.reaching(cutoff + 1);
  if (5 * beyond < hits.lists()) return "";
  return fmt::format("{} of {} items acted on stood below rank {}, where metrics @{} do not look.\n", beyond, hits.lists(),
                     cutoff, cutoff);
}

// By the doctor's rule.
std::string order_text(const ListHalves& halves) {
  if (!halves.are_equal(ListHalves::lost_below)) return "";
  return fmt::format(
      "Believe no metric of ranks: {:.0f} % of the items acted on stood in the first half of their list, by chance {:.0f} %, "
      "so the order shown is lost.\n",
      100 * halves.share(), 100 * halves.chance());
}

// Where no action comes later than its list, the end of the log cuts nothing off.
std::string ending_text(const ListTally& lists, Duration horizon, const std::optional<GapAtEnd>& gap) {
  if (lists.acted_on() == 0 || !lists.is_acted_on_later()) return "";
  const bool is_held = gap && gap->rows > 0;
  std::string out;
  if (lists.cut() > 0) {
    out = early_end_sentence(horizon, static_cast<double>(lists.cut()) / static_cast<double>(lists.lengths().lists()));
  }
  if (is_held) out += held_rows_text(*gap, out.empty() ? "Rows" : " Other rows");
  return out;
}

}  // namespace

FirstSaid FirstAnswer::said(const ListTally& lists, const EndOfLog& log) const {
  const std::uint32_t cutoff = cutoff_for(lists);
  const std::vector<std::size_t> columns = columns_at(cutoff, lists.lengths().longest());
  FirstSaid out{.columns = keys_of(plan_, columns),
                .few = few_text(lists),
                .ending = ending_text(lists, plan_.spec->join.horizons[tally_.horizon], log.gap),
                .lines = {}};
  if (lists.lengths().lists() > 0 && !log.has_actions) {
    out.lines.emplace_back("No action was read, so every list counts as not acted on: give the log of actions, too.\n");
  }
  constexpr std::uint64_t many_lists = 20;
  if (!spec_.is_of_recommenders && lists.acted_on() >= many_lists && lists.acted_on() == lists.lengths().lists()) {
    out.lines.emplace_back(
        "Every list was acted on: others may be missing in the log, so these are values of lists with an action.\n");
  }
  if (!spec_.is_of_recommenders) {
    for (std::string& each : std::array{beyond_text(lists.hit_ranks(), cutoff), order_text(lists.halves())}) {
      if (!each.empty()) out.lines.push_back(std::move(each));
    }
  }
  const auto compared = compared_column(plan_.metrics, columns, spec_.compares_order);
  out.is_answered = compared.has_value();
  if (!compared) return out;
  const auto place = std::ranges::find(tally_.metrics, *compared);
  if (log.league && place != tally_.metrics.end() && !keys_.empty()) {
    const auto metric = static_cast<std::size_t>(place - tally_.metrics.begin());
    out.lines.push_back(log.league(paired(lists, 0, metric), plan_.metrics.metrics()[*compared]));
  } else {
    for (const std::string& sentence : sentences(lists, *compared)) out.lines.push_back(sentence + "\n");
  }
  return out;
}

}  // namespace recmeter
