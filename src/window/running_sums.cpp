#include "recmeter/window/running_sums.h"

#include <algorithm>
#include <numeric>

#include "recmeter/metric/latency_buckets.h"

namespace recmeter {

void RunningSums::apply(const PaneSums& pane, int sign) {
  const auto step = static_cast<std::uint64_t>(sign);  // modulo 2^64 a subtraction is an addition
  for (std::size_t g = 0; g < user_groups; ++g) {
    lists_[g] += step * pane.lists(g);
    lists_total_ += step * pane.lists(g);
    const auto from = pane.columns(g);
    if (from.empty()) continue;
    if (columns_.empty()) {
      width_ = from.size();
      columns_.resize(user_groups * width_, 0);
    }
    Int128* to = &columns_[g * width_];
    for (std::size_t c = 0; c < width_; ++c) to[c] += sign * Int128{from[c]};
  }
  unmatured_ += step * pane.unmatured();
  sign > 0 ? users_.enter(pane.users()) : users_.leave(pane.users());
  sign > 0 ? buckets_.merge(pane.buckets()) : buckets_.subtract(pane.buckets());
  feedback_.resize(std::max(feedback_.size(), pane.feedback().size()));
  for (std::size_t a = 0; a < pane.feedback().size(); ++a) {
    feedback_[a].credited += step * pane.feedback()[a].credited;
    feedback_[a].repeated += step * pane.feedback()[a].repeated;
  }
}

void RunningSums::add(const RunningSums& other) {
  for (std::size_t g = 0; g < user_groups; ++g) lists_[g] += other.lists_[g];
  lists_total_ += other.lists_total_;
  if (columns_.empty()) {
    columns_ = other.columns_;
    width_ = other.width_;
  } else {
    for (std::size_t c = 0; c < other.columns_.size(); ++c) columns_[c] += other.columns_[c];
  }
  unmatured_ += other.unmatured_;
  users_.add(other.users_);
  buckets_.merge(other.buckets_);
  feedback_.resize(std::max(feedback_.size(), other.feedback_.size()));
  for (std::size_t a = 0; a < other.feedback_.size(); ++a) {
    feedback_[a].credited += other.feedback_[a].credited;
    feedback_[a].repeated += other.feedback_[a].repeated;
  }
}

AssignedFeedback RunningSums::feedback(std::size_t action) const {
  return action < feedback_.size() ? feedback_[action] : AssignedFeedback{};
}

// Per group what the column counts; of no column: all lists.
std::array<std::uint64_t, user_groups> RunningSums::counts(std::size_t column) const {
  if (column == PlannedMetric::no_column) return lists_;
  std::array<std::uint64_t, user_groups> counts{};
  if (columns_.empty()) return counts;
  for (std::size_t g = 0; g < user_groups; ++g) counts[g] = static_cast<std::uint64_t>(columns_[g * width_ + column]);
  return counts;
}

std::vector<Int128> RunningSums::columns(std::size_t first, std::size_t count) const {
  std::vector<Int128> sums(columns_.empty() ? 0 : count, 0);
  for (std::size_t g = 0; g < user_groups; ++g) {
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += columns_[g * width_ + first + c];
  }
  return sums;
}

Estimate RunningSums::estimate(const PlannedMetric& metric, double confidence) const {
  const MetricDefinition& definition = *metric.definition;
  if (definition.family == Family::audience) {
    const UserForm* form = definition.per_user;
    const GroupSums sums = form != nullptr ? users_.totals(*form, metric.user_column) : users_.coverage();
    return estimate_mean(sums, {definition.low, definition.high}, confidence);
  }
  if (definition.family == Family::quantile) return estimate_rank(metric);
  return metric.options.unit == Unit::user ? estimate_users(metric, confidence) : estimate_lists(metric, confidence);
}

GroupSums RunningSums::group_sums(const PlannedMetric& metric) const {
  GroupSums sums{.value = {}, .lists = counts(metric.mean_column), .evidence = {}};
  const bool has_own = metric.mean_evidence_column != PlannedMetric::no_column;
  const std::size_t evidence = has_own ? metric.mean_evidence_column : metric.evidence_column;
  sums.evidence = evidence == PlannedMetric::no_column ? sums.lists : counts(evidence);
  for (std::size_t g = 0; g < user_groups && !columns_.empty(); ++g) sums.value[g] = columns_[g * width_ + metric.column];
  return sums;
}

Estimate RunningSums::estimate_lists(const PlannedMetric& metric, double confidence) const {
  const MetricDefinition& definition = *metric.definition;
  const auto in_mean = counts(metric.mean_column);
  const auto evidence = metric.evidence_column == PlannedMetric::no_column ? in_mean : counts(metric.evidence_column);
  Estimate estimate;
  if (metric.pooled != nullptr) {
    const auto evidence_in_mean =
        metric.mean_evidence_column == PlannedMetric::no_column ? evidence : counts(metric.mean_evidence_column);
    GroupColumns sums{.lists = in_mean, .evidence = evidence_in_mean, .columns = columns_, .stride = width_};
    if (!columns_.empty()) sums.columns = sums.columns.subspan(metric.column);
    estimate = estimate_pooled(*metric.pooled, sums, metric.cutoff, metric.options, confidence);
    if (metric.definition->estimator || metric.definition->of_weights != nullptr) judge_weights(metric, sums, estimate);
  } else {
    estimate = estimate_mean(group_sums(metric), {definition.low, definition.high}, confidence);
  }
  // Lists left out of the mean still count in the share.
  const auto shown = counts(metric.shown_column);
  const auto all = std::accumulate(shown.begin(), shown.end(), std::uint64_t{0});
  const auto some = std::accumulate(evidence.begin(), evidence.end(), std::uint64_t{0});
  if (all > 0) estimate.relevant_share = share_of(some, all);
  return estimate;
}

// `columns`: of its weights.
WeightFacts RunningSums::weight_facts(const PlannedMetric& metric, std::span<const Int128> columns) const {
  WeightFacts facts{.columns = columns};
  if (metric.weighs_users) facts.users = users_.weights(metric.user_column);
  if (metric.weight_series == PlannedMetric::no_column) return facts;
  const auto first = static_cast<std::uint32_t>(latency_buckets + metric.weight_series * weight_buckets);
  const auto counts = buckets_.counts(first, first + static_cast<std::uint32_t>(weight_buckets));
  if (!counts.empty()) facts.largest = counts.back().bucket - first;
  return facts;
}

// A value that weights cannot carry is not published; and a fact of weights is no estimate. `sums`: from the metric's first
// column on.
void RunningSums::judge_weights(const PlannedMetric& metric, const GroupColumns& sums, Estimate& estimate) const {
  std::vector<Int128> columns = this->columns(metric.column, weight_columns);
  columns.resize(weight_columns, 0);
  const WeightFacts facts = weight_facts(metric, columns);
  if (metric.definition->of_weights != nullptr) {
    estimate = {};
    estimate.value = metric.definition->of_weights(facts);
    return;
  }
  const Estimate mean = estimate_pooled(weight_mean_form, sums, metric.cutoff, metric.options, suspect_confidence);
  estimate.is_suspect = mean.ci && (mean.ci->first > 1 || mean.ci->second < 1);
  const std::string_view refused = refusal_of(*metric.definition->estimator, facts, metric.options);
  if (refused.empty()) return;
  estimate.value.reset();
  estimate.se.reset();
  estimate.ci.reset();
  estimate.left_out = {};
  estimate.refused = refused;
}

Estimate RunningSums::estimate_rank(const PlannedMetric& metric) const {
  Estimate estimate;
  const auto counts = buckets_.counts(0, latency_buckets);
  const auto add = [](std::uint64_t sum, const BucketCount& count) { return sum + count.lists; };
  const auto lists = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}, add);
  estimate.value = metric.definition->at_rank(counts, metric.options);
  if (lists_total_ > 0) estimate.relevant_share = share_of(lists, lists_total_);
  return estimate;
}

Estimate RunningSums::estimate_users(const PlannedMetric& metric, double confidence) const {
  const UserSums::Means means = users_.means(metric);
  const ValueRange range{metric.definition->low, metric.definition->high};
  Estimate estimate = estimate_mean(means.sums, range, confidence);
  estimate.relevant_share.reset();
  estimate.given_relevant.reset();
  if (means.shown == 0) return estimate;
  estimate.relevant_share = mean_of_q32(means.evidence, means.shown);
  if (means.evidence == 0 || metric.of_user != nullptr) return estimate;
  if (metric.over == Over::relevant || metric.over == Over::nonempty_relevant) {
    estimate.given_relevant = estimate.value;
    return estimate;
  }
  const Int128 total = std::accumulate(means.sums.value.begin(), means.sums.value.end(), Int128{0});
  estimate.given_relevant = quotient_of(total, means.evidence);
  return estimate;
}

}  // namespace recmeter
