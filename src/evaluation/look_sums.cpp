#include "recmeter/evaluation/look_sums.h"

#include <algorithm>
#include <functional>

namespace recmeter {

ExperimentCounts& ExperimentCounts::operator+=(const ExperimentCounts& other) {
  std::transform(mixed_users.begin(), mixed_users.end(), other.mixed_users.begin(), mixed_users.begin(), std::plus<>());
  mixed_lists += other.mixed_lists;
  other_lists += other.other_lists;
  nobody_lists += other.nobody_lists;
  return *this;
}

LookSums::LookSums(std::int64_t number, std::size_t arm_count, std::size_t width)
    : arms(arm_count), number_(number), width_(width), row_(arm_count * experiment_slots, no_row) {}

std::span<std::int64_t> LookSums::row(std::size_t arm, std::size_t slot) {
  std::uint32_t& row = row_[arm * experiment_slots + slot];
  if (row == no_row) {
    row = static_cast<std::uint32_t>(columns_.size() / width_);
    columns_.resize(columns_.size() + width_, 0);
  }
  return std::span(columns_).subspan(row * width_, width_);
}

}  // namespace recmeter
