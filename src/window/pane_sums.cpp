#include "recmeter/window/pane_sums.h"

#include <algorithm>
#include <numeric>

namespace recmeter {

void PaneSums::add(const MetricPlan& plan, const ListOwner& owner, const ScoredList& list,
                   std::span<const AssignedFeedback> feedback, bool matured) {
  ++lists_[owner.group];
  unmatured_ += matured ? 0 : 1;
  const bool acted = std::any_of(feedback.begin(), feedback.end(), [](const auto& f) { return f.credited + f.repeated > 0; });
  if (acted) {
    feedback_.resize(feedback.size());
    for (std::size_t a = 0; a < feedback.size(); ++a) {
      feedback_[a].credited += feedback[a].credited;
      feedback_[a].repeated += feedback[a].repeated;
    }
  }
  if (plan.needs_users()) {
    plan.add_user_values(list, users_.add_list(owner.user, owner.group, list.length > 0, plan.user_columns()));
  }
  if (!plan.only_counts(list)) plan.add_values(list, columns_for(owner.group, plan.columns()));
}

void PaneSums::merge(const PaneSums& other) {
  for (std::size_t g = 0; g < user_groups; ++g) {
    lists_[g] += other.lists_[g];
    const auto from = other.columns(g);
    if (from.empty()) continue;
    const auto to = columns_for(g, from.size());
    std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
  }
  unmatured_ += other.unmatured_;
  users_.merge(other.users_);
  feedback_.resize(std::max(feedback_.size(), other.feedback_.size()));
  for (std::size_t a = 0; a < other.feedback_.size(); ++a) {
    feedback_[a].credited += other.feedback_[a].credited;
    feedback_[a].repeated += other.feedback_[a].repeated;
  }
}

std::uint64_t PaneSums::lists() const {
  return std::accumulate(lists_.begin(), lists_.end(), std::uint64_t{0});
}

std::span<const std::int64_t> PaneSums::columns(std::size_t group) const {
  if (row_[group] == no_row) return {};
  return std::span(columns_).subspan(row_[group] * width_, width_);
}

std::span<std::int64_t> PaneSums::columns_for(std::size_t group, std::size_t width) {
  if (row_[group] == no_row) {
    width_ = width;
    row_[group] = static_cast<std::uint8_t>(columns_.size() / width);
    columns_.resize(columns_.size() + width, 0);
  }
  return std::span(columns_).subspan(row_[group] * width_, width_);
}

std::size_t PaneSums::memory_bytes() const {
  return sizeof(*this) + columns_.capacity() * sizeof(std::int64_t) + feedback_.capacity() * sizeof(AssignedFeedback) +
         users_.memory_bytes();
}

}  // namespace recmeter
