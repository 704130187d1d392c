#include "recmeter/window/running_sums.h"

#include <algorithm>

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
  feedback_.resize(std::max(feedback_.size(), other.feedback_.size()));
  for (std::size_t a = 0; a < other.feedback_.size(); ++a) {
    feedback_[a].credited += other.feedback_[a].credited;
    feedback_[a].repeated += other.feedback_[a].repeated;
  }
}

AssignedFeedback RunningSums::feedback(std::size_t action) const {
  return action < feedback_.size() ? feedback_[action] : AssignedFeedback{};
}

GroupSums RunningSums::group_sums(std::size_t column, Evidence evidence) const {
  GroupSums sums;
  sums.lists = lists_;
  if (evidence == Evidence::none) sums.evidence = lists_;
  if (columns_.empty()) return sums;
  for (std::size_t g = 0; g < user_groups; ++g) {
    const Int128* row = &columns_[g * width_];
    sums.value[g] = row[column];
    if (evidence != Evidence::none) {
      sums.evidence[g] = static_cast<std::uint64_t>(row[static_cast<std::size_t>(evidence) - 1]);
    }
  }
  return sums;
}

}  // namespace recmeter
