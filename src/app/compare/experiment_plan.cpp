#include "app/compare/experiment_plan.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recmeter/event/join_key.h"
#include "recmeter/experiment/power.h"
#include "recmeter/window/segment_spec.h"

namespace recmeter {

namespace {

using simdjson::SUCCESS;

constexpr double share_decided = 0.8;
constexpr double far_share = 1.0 / 3;  // of the log: lists further apart are no more of one visit
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

// How values of one metric lie around their mean: alone, in pairs of one user, and in pairs that lie far apart.
struct Scatter {
  double lists = 0;
  double mean = 0;
  double alone = 0;        // squares
  double pairs = 0;        // twice the products within users
  double far = 0;          // of those, of lists far apart
  double far_squares = 0;  // of what each user adds to `far`
};

}  // namespace

Result<void> PlanLists::add(std::string_view key, std::string_view json) {
  thread_local simdjson::dom::parser parser;  // it keeps its memory
  simdjson::dom::object line, metrics, segments;
  std::int64_t ts = 0;
  std::string_view id;
  const bool is_list = parser.parse(json.data(), json.size()).get(line) == SUCCESS &&
                       line["metrics"].get(metrics) == SUCCESS && line["ts"].get(ts) == SUCCESS;
  bool is_nobody = false;
  if (is_list && line["nobody"].get(is_nobody) != SUCCESS) is_nobody = false;
  // A list of nobody is its own user. [S6.11]
  if (!is_list || ((is_nobody || line["user_id"].get(id) != SUCCESS) && line["list_id"].get(id) != SUCCESS)) {
    return failure(Errc::input_corrupt, "this is not a list with its metrics");
  }
  std::string_view arm;
  if (!key.empty() && line["segments"].get(segments) == SUCCESS && segments[key].get(arm) != SUCCESS) arm = {};
  if (arm == segment_none || arm == segment_other) arm = {};
  std::vector<std::pair<std::string_view, double>> values;
  for (const auto [name, value] : metrics) {
    double number = 0;
    if (value.get(number) == SUCCESS) values.emplace_back(name, number);
  }
  add(hash_id(id), EventTime{ts}, arm, values);
  return {};
}

void PlanLists::add(std::uint64_t user, EventTime ts, std::string_view arm,
                    std::span<const std::pair<std::string_view, double>> metrics) {
  if ((user & ((std::uint64_t{1} << zeros_) - 1)) != 0) return;
  std::uint32_t number = 0;
  if (!arm.empty()) {
    const auto place = std::ranges::find(arms_, arm);
    number = static_cast<std::uint32_t>(place - arms_.begin()) + 1;
    if (place == arms_.end()) arms_.emplace_back(arm);
  }
  const std::size_t at = lists_.size();
  lists_.push_back({.user = user, .ts = ts, .arm = number});
  for (auto& of_metric : values_) of_metric.push_back(no_value);
  for (const auto& [name, value] : metrics) {
    const auto place = std::ranges::find(metrics_, name);
    const auto metric = static_cast<std::size_t>(place - metrics_.begin());
    if (place == metrics_.end()) {
      metrics_.emplace_back(name);
      values_.emplace_back(at + 1, no_value);
    }
    values_[metric][at] = static_cast<float>(value);
  }
  if (lists_.size() > lists_max) halve();
}

std::optional<EventTime> PlanLists::first_of(std::string_view arm) const {
  const auto number = static_cast<std::uint32_t>(std::ranges::find(arms_, arm) - arms_.begin()) + 1;
  std::optional<EventTime> first;
  for (const Kept& list : lists_) {
    if (list.arm == number) first = std::min(first.value_or(list.ts), list.ts);
  }
  return first;
}

void PlanLists::halve() {
  ++zeros_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if ((lists_[i].user & ((std::uint64_t{1} << zeros_) - 1)) != 0) continue;
    lists_[kept] = lists_[i];
    for (auto& of_metric : values_) of_metric[kept] = of_metric[i];
    ++kept;
  }
  lists_.resize(kept);
  for (auto& of_metric : values_) of_metric.resize(kept);
}

PlanLists::Chosen PlanLists::chosen(bool with_arm_only) const {
  Chosen out;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (!with_arm_only || lists_[i].arm != 0) out.lists.push_back(static_cast<std::uint32_t>(i));
  }
  if (out.lists.empty()) return out;
  const auto time_of = [this](std::uint32_t i) { return lists_[i].ts; };
  const auto [first, last] = std::ranges::minmax(out.lists, {}, time_of);
  // So many lists fill their time, the last one too.
  const auto count = static_cast<double>(out.lists.size());
  out.span_ms = static_cast<double>((time_of(last) - time_of(first)).ms) * count / std::max(1.0, count - 1);
  std::ranges::sort(out.lists, {}, [this](std::uint32_t i) { return std::tuple(lists_[i].user, lists_[i].ts.ms, i); });
  return out;
}

// style: long because its sums are of two passes over the same lists
MetricPlanRow PlanLists::plan_metric(std::size_t metric, const Chosen& chosen, double information, std::size_t arms,
                                     double tau, double unseen) const {
  const std::vector<float>& values = values_[metric];
  MetricPlanRow row{.metric = metrics_[metric]};
  Scatter at;
  for (const std::uint32_t i : chosen.lists) {
    if (std::isnan(values[i])) continue;
    at.lists += 1;
    at.mean += static_cast<double>(values[i]);
  }
  row.lists = static_cast<std::uint64_t>(at.lists);
  if (at.lists == 0) {
    row.why = "no list has a value";
    return row;
  }
  at.mean /= at.lists;
  row.value = at.mean;
  // A difference between arms is none between users.
  std::vector<double> sums(arms_.size() + 1), counts(arms_.size() + 1);
  for (const std::uint32_t i : chosen.lists) {
    if (std::isnan(values[i])) continue;
    sums[lists_[i].arm] += static_cast<double>(values[i]);
    counts[lists_[i].arm] += 1;
  }
  const auto off_mean = [&](std::uint32_t i) {
    return static_cast<double>(values[i]) - sums[lists_[i].arm] / counts[lists_[i].arm];
  };
  if (!(at.mean > 0)) {
    row.why = "no relative change of 0";
    return row;
  }
  const double apart = far_share * chosen.span_ms;
  for (std::size_t from = 0; from < chosen.lists.size();) {
    std::size_t to = from;
    double sum = 0, squares = 0, earlier = 0, far = 0;
    std::size_t behind = from;
    for (; to < chosen.lists.size() && lists_[chosen.lists[to]].user == lists_[chosen.lists[from]].user; ++to) {
      const std::uint32_t i = chosen.lists[to];
      for (; static_cast<double>((lists_[i].ts - lists_[chosen.lists[behind]].ts).ms) >= apart && behind < to; ++behind) {
        const std::uint32_t before = chosen.lists[behind];
        if (!std::isnan(values[before])) earlier += off_mean(before);
      }
      if (std::isnan(values[i])) continue;
      const double off = off_mean(i);
      far += 2 * off * earlier;
      sum += off;
      squares += off * off;
    }
    at.alone += squares;
    at.pairs += sum * sum - squares;
    at.far += far;
    at.far_squares += far * far;
    from = to;
  }
  if (!(at.alone > 0)) {
    row.why = "every list has the same value";
    return row;
  }
  // Pairs far apart say how much stays however long it lasts; where they say nothing for sure, nothing stays, and
  // a little more does not make it all stay.
  const double far_time = (1 - far_share) * (1 - far_share);
  constexpr double sure = 2;  // standard errors
  const double kept = at.far > 0 ? std::max(0.0, 1 - sure * sure * at.far_squares / (at.far * at.far)) : 0;
  const double stays = kept * at.far / far_time;
  const double passes = std::max(at.alone / 2, at.alone + at.pairs - stays);
  const double sampled = std::ldexp(1, -static_cast<int>(zeros_));
  const double scale = 2 * static_cast<double>(arms) * sampled / (at.lists * at.lists * at.mean * at.mean);
  const double wanted = tau * tau / information;  // v
  const double log_days = chosen.span_ms / static_cast<double>(one_day.ms);
  if (stays > 0) row.least = std::expm1(std::sqrt(information * scale * stays));
  if (scale * stays >= wanted) {
    row.why = fmt::format("never below {:.2g} %", 100 * *row.least);
    return row;
  }
  const double days = log_days * scale * passes / (wanted - scale * stays);
  if (days > days_max) {
    row.why = "more than a year";
    return row;
  }
  row.days = days;
  // Each half of the log sees as large a share of the users who were not seen before.
  const double spans = std::max(1.0, std::ceil(days)) / log_days;
  row.users = unseen < 1 ? (1 - std::pow(unseen, 2 * spans)) / (1 - unseen * unseen) : spans;
  return row;
}

ExperimentPlan PlanLists::plan(const PlanRule& rule) const {
  ExperimentPlan out{.values = arms_, .arms = std::max<std::size_t>(2, arms_.size()), .first = {}, .last = {}, .metrics = {}};
  std::ranges::sort(out.values);
  const Chosen lists = chosen(!arms_.empty());
  out.lists = lists.lists.size();
  out.sampled = std::ldexp(1, -static_cast<int>(zeros_));
  if (lists.lists.empty()) return out;
  const auto time_of = [this](std::uint32_t i) { return lists_[i].ts; };
  out.first = time_of(*std::ranges::min_element(lists.lists, {}, time_of));
  out.last = time_of(*std::ranges::max_element(lists.lists, {}, time_of));
  out.log_days = lists.span_ms / static_cast<double>(one_day.ms);
  // Users of the first half and of all tell how many more would come.
  double all = 0, early = 0;
  for (std::size_t i = 0; i < lists.lists.size(); ++i) {
    const Kept& list = lists_[lists.lists[i]];
    if (i > 0 && lists_[lists.lists[i - 1]].user == list.user) continue;
    all += 1;
    const auto same = [&](std::uint32_t other) { return lists_[other].user == list.user; };
    const auto end = std::find_if_not(lists.lists.begin() + static_cast<std::ptrdiff_t>(i), lists.lists.end(), same);
    out.most_lists = std::max(out.most_lists, static_cast<std::uint64_t>(end - lists.lists.begin()) - i);
    early += 2 * static_cast<double>((list.ts - out.first).ms) < lists.span_ms ? 1 : 0;
  }
  out.users = static_cast<std::uint64_t>(all / out.sampled);
  const double unseen = early > 0 ? std::clamp(all / early - 1, 0.0, 1.0) : 1;
  const double alpha = rule.alpha / static_cast<double>(out.arms - 1);
  const double information = information_for(share_decided, alpha);
  for (std::size_t metric = 0; metric < metrics_.size(); ++metric) {
    MetricPlanRow row = plan_metric(metric, lists, information, out.arms, std::log1p(rule.mde), unseen);
    if (row.users) *row.users *= static_cast<double>(out.users);
    out.metrics.push_back(std::move(row));
  }
  return out;
}

}  // namespace recmeter
