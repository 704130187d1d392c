#include "recmeter/window/pane_sums.h"

#include <algorithm>
#include <numeric>

namespace recmeter {

void PaneSums::add(const ListOwner& owner, const ListValues& values, std::span<const AssignedFeedback> feedback,
                   bool matured) {
  ++lists_[owner.group];
  unmatured_ += matured ? 0 : 1;
  const bool acted = std::any_of(feedback.begin(), feedback.end(), [](const auto& f) { return f.credited + f.repeated > 0; });
  if (acted) add_feedback(feedback, 1);
  if (values.for_user()) users_.own().add_list(owner.user, owner.group, values.nonempty(), values.user_columns());
  for (const std::uint32_t bucket : values.buckets()) buckets_.add(bucket);
  if (values.ranges().empty()) return;
  const auto to = columns_for(owner.group, values.columns().size());
  for (const ColumnRange& range : values.ranges()) {
    for (std::size_t c = range.first; c < range.end; ++c) to[c] += values.columns()[c];
  }
}

void PaneSums::correct(const ListOwner& owner, const ListValues& was, std::span<const AssignedFeedback> feedback_was,
                       const ListValues& is, std::span<const AssignedFeedback> feedback_is) {
  add_feedback(feedback_was, ~std::uint64_t{0});
  add_feedback(feedback_is, 1);
  if (is.for_user()) users_.own().correct_list(owner.user, was.user_columns(), is.user_columns());
  if (was.ranges().empty() && is.ranges().empty()) return;
  const auto to = columns_for(owner.group, is.columns().size());
  for (const ColumnRange& range : was.ranges()) {
    for (std::size_t c = range.first; c < range.end; ++c) to[c] -= was.columns()[c];
  }
  for (const ColumnRange& range : is.ranges()) {
    for (std::size_t c = range.first; c < range.end; ++c) to[c] += is.columns()[c];
  }
}

void PaneSums::mature_open(EventTime last) {
  std::erase_if(open_, [last](EventTime shown) { return shown <= last; });
}

void PaneSums::end_open(EventTime last) {
  mature_open(last);
  unmatured_ += open_.size();
  open_ = {};
}

// `sign`: 1, or its negative, since counts wrap.
void PaneSums::add_feedback(std::span<const AssignedFeedback> feedback, std::uint64_t sign) {
  feedback_.resize(std::max(feedback_.size(), feedback.size()));
  for (std::size_t a = 0; a < feedback.size(); ++a) {
    feedback_[a].credited += sign * feedback[a].credited;
    feedback_[a].repeated += sign * feedback[a].repeated;
  }
}

void PaneSums::add_columns(std::size_t group, std::span<const std::int64_t> columns) {
  if (columns.empty()) return;
  const auto to = columns_for(group, columns.size());
  std::transform(columns.begin(), columns.end(), to.begin(), to.begin(), std::plus<>());
}

void PaneSums::merge(const PaneSums& other) {
  add_all_but_users(other);
  users_.merge(other.users_);
}

void PaneSums::merge(PaneSums&& other) {
  if (lists() == 0) {
    *this = std::move(other);
    return;
  }
  add_all_but_users(other);
  users_.merge(std::move(other.users_));
}

void PaneSums::add_all_but_users(const PaneSums& other) {
  for (std::size_t g = 0; g < user_groups; ++g) {
    lists_[g] += other.lists_[g];
    add_columns(g, other.columns(g));
  }
  unmatured_ += other.unmatured_;
  open_.insert(open_.end(), other.open_.begin(), other.open_.end());
  buckets_.merge(other.buckets_);
  add_feedback(other.feedback_, 1);
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
         open_.capacity() * sizeof(EventTime) + users_.memory_bytes() + buckets_.memory_bytes();
}

}  // namespace recmeter
