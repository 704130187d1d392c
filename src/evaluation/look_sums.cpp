#include "recmeter/evaluation/look_sums.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "recmeter/evaluation/planned_experiment.h"

namespace recmeter {

namespace {

template <class To, class From>
void add_each(To& to, const From& from) {
  std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::plus<>());
}

}  // namespace

ArmCounts& ArmCounts::operator+=(const ArmCounts& other) {
  lists += other.lists;
  add_each(users, other.users);
  return *this;
}

ExperimentCounts& ExperimentCounts::operator+=(const ExperimentCounts& other) {
  add_each(mixed_users, other.mixed_users);
  mixed_lists += other.mixed_lists;
  other_lists += other.other_lists;
  nobody_lists += other.nobody_lists;
  return *this;
}

LookSums::LookSums(std::int64_t number, std::size_t arm_count, std::size_t width)
    : arms(arm_count),
      number_(number),
      width_(width),
      row_(arm_count * experiment_slots, no_row),
      lists_(arm_count * experiment_slots, 0) {}

LookSums& LookSums::operator+=(const LookSums& other) {
  for (std::size_t a = 0; a < arms.size(); ++a) arms[a] += other.arms[a];
  counts += other.counts;
  notes.insert(notes.end(), other.notes.begin(), other.notes.end());
  for (const auto& [slot, sums] : other.before) before[slot].merge(sums);
  other.for_each_row([this](std::size_t arm, std::size_t slot, std::span<const std::int64_t> more) {
    const auto to = row(arm, slot);
    add_each(to, more);
  });
  return *this;
}

void LookSums::settle_lists() {
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    const std::uint64_t lists = std::exchange(lists_[i], 0);
    if (lists == 0) continue;
    arms[i / experiment_slots].lists += lists;
    row(i / experiment_slots, i % experiment_slots)[PlannedExperiment::lists_at] += static_cast<std::int64_t>(lists);
  }
}

std::span<std::int64_t> LookSums::row(std::size_t arm, std::size_t slot) {
  std::uint32_t& row = row_[arm * experiment_slots + slot];
  if (row == no_row) {
    row = static_cast<std::uint32_t>(columns_.size() / width_);
    columns_.resize(columns_.size() + width_, 0);
  }
  return std::span(columns_).subspan(row * width_, width_);
}

}  // namespace recmeter
