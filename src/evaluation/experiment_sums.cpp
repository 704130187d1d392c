#include "recmeter/evaluation/experiment_sums.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace recmeter {

namespace {

std::uint64_t users_from(const UsersByZeros& users, std::uint8_t zeros) {
  return std::accumulate(users.begin() + zeros, users.end(), std::uint64_t{0});
}

// Of a row of sums, in 2^-32.
Int128 sum_at(const Int128* row, const SumPlace& place) {
  constexpr Int128 next = Int128{1} << 32;
  Int128 sum = 0;
  for (std::size_t c = place.width; c-- > 0;) sum = sum * next + row[place.first + c];
  return place.is_count ? sum * next : sum;
}

}  // namespace

ExperimentSums::ExperimentSums(const PlannedExperiment& plan)
    : plan_(plan),
      columns_(plan.spec->arms.values.size() * experiment_slots * plan.width()),
      arms_(plan.spec->arms.values.size()) {}

void ExperimentSums::add(const LookSums& look) {
  look.for_each_row([this](std::size_t arm, std::size_t slot, std::span<const std::int64_t> more) {
    Int128* to = &columns_[(arm * experiment_slots + slot) * plan_.width()];
    std::transform(more.begin(), more.end(), to, to, std::plus<Int128>());
  });
  for (std::size_t a = 0; a < arms_.size(); ++a) arms_[a] += look.arms[a];
  counts_ += look.counts;
}

std::uint64_t ExperimentSums::members(std::uint8_t zeros) const {
  std::uint64_t members = 0;
  for (const ArmCounts& arm : arms_) members += users_from(arm.users, zeros);
  return members;
}

void ExperimentSums::fill(ExperimentLook& look) const {
  for (const ArmCounts& arm : arms_) look.arms.push_back({.lists = arm.lists, .users = users_from(arm.users, look.sample)});
  look.mixed_users = users_from(counts_.mixed_users, look.sample);
  look.mixed_lists = counts_.mixed_lists;
  look.other_lists = counts_.other_lists;
  look.nobody_lists = counts_.nobody_lists;
  if (plan_.draft) look.draft = draft_counts();
  for (const TestedMetric& metric : plan_.metrics) {
    std::vector<SlotSums>& arms = look.metrics.emplace_back();
    for (std::size_t a = 0; a < arms_.size(); ++a) arms.push_back(slot_sums(metric, a));
    std::vector<Int128>& uncut = look.uncut.emplace_back();
    for (std::size_t a = 0; metric.uncut && a < arms_.size(); ++a) uncut.push_back(total_of_arm(*metric.uncut, a));
  }
}

Int128 ExperimentSums::total_of_arm(const SumPlace& place, std::size_t arm) const {
  Int128 sum = 0;
  for (std::size_t slot = 0; slot < experiment_slots; ++slot) {
    sum += sum_at(&columns_[(arm * experiment_slots + slot) * plan_.width()], place);
  }
  return sum;
}

DraftCounts ExperimentSums::draft_counts() const {
  const auto total = [&](std::size_t column) {
    Int128 sum = 0;
    for (std::size_t at = column; at < columns_.size(); at += plan_.width()) sum += columns_[at];
    return static_cast<std::int64_t>(sum);
  };
  const std::int64_t wins = total(PlannedExperiment::wins_at);
  const std::int64_t losses = wins - total(PlannedExperiment::preference_at);
  const std::int64_t ties = total(PlannedExperiment::credited_at) - wins - losses;
  return {static_cast<std::uint64_t>(wins), static_cast<std::uint64_t>(losses), static_cast<std::uint64_t>(ties)};
}

SlotSums ExperimentSums::slot_sums(const TestedMetric& metric, std::size_t arm) const {
  SlotSums sums;
  for (std::size_t slot = 0; slot < experiment_slots; ++slot) {
    const Int128* row = &columns_[(arm * experiment_slots + slot) * plan_.width()];
    sums.s[slot] = sum_at(row, metric.sum);
    sums.n[slot] = sum_at(row, metric.weight);
    if (!plan_.has_before()) continue;
    sums.x[slot] = sum_at(row, plan_.before(metric.sum));
    sums.p[slot] = sum_at(row, plan_.before(metric.weight));
    sums.m[slot] = sum_at(row, {.first = PlannedExperiment::users_at, .is_count = true});
  }
  return sums;
}

}  // namespace recmeter
