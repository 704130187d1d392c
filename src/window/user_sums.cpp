#include "recmeter/window/user_sums.h"

#include <algorithm>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

UserSums::User& UserSums::user(UserKey key, std::size_t group, std::size_t columns) {
  const auto [at, is_new] = at_.try_emplace(key);
  User& user = at->second;
  if (!is_new) return user;
  width_ = columns;
  user.group = static_cast<std::uint8_t>(group);
  if (columns == 0) return user;
  if (free_.empty()) {
    user.row = static_cast<std::uint32_t>(columns_.size() / columns);
    columns_.resize(columns_.size() + columns, 0);
  } else {
    user.row = free_.back();
    free_.pop_back();
    std::fill_n(columns_.begin() + static_cast<std::ptrdiff_t>(user.row * columns), columns, 0);
  }
  return user;
}

std::span<std::int64_t> UserSums::add_list(UserKey key, std::size_t group, bool nonempty, std::size_t columns) {
  User& of = user(key, group, columns);
  ++of.lists;
  of.nonempty += nonempty ? 1 : 0;
  return std::span(columns_).subspan(of.row * width_, width_);
}

void UserSums::apply(const UserSums& other, int sign) {
  for (const auto& [key, from] : other.at_) {
    User& to = user(key, from.group, other.width_);
    to.lists += sign * from.lists;
    to.nonempty += sign * from.nonempty;
    for (std::size_t c = 0; c < width_; ++c) {
      columns_[to.row * width_ + c] += sign * other.columns_[from.row * width_ + c];
    }
    if (to.lists != 0) continue;
    if (width_ > 0) free_.push_back(to.row);
    at_.erase(key);
  }
}

UserSums::Means UserSums::means(const PlannedMetric& metric) const {
  Means means;
  for (const auto& [key, user] : at_) {
    const std::int64_t* columns = &columns_[user.row * width_ + metric.user_column];
    const auto evidence = static_cast<std::uint64_t>(columns[1]);
    const bool of_nonempty = metric.over == Over::nonempty || metric.over == Over::nonempty_relevant;
    const bool of_evidence = metric.over == Over::relevant || metric.over == Over::nonempty_relevant;
    const auto shown = static_cast<std::uint64_t>(of_nonempty ? user.nonempty : user.lists);
    if (shown == 0) continue;
    ++means.shown;
    means.evidence += to_q32(share_of(evidence, shown));
    const std::uint64_t lists = of_evidence ? evidence : shown;
    if (lists == 0) continue;
    ++means.sums.lists[user.group];
    means.sums.evidence[user.group] += evidence > 0 ? 1U : 0U;
    means.sums.value[user.group] += to_q32(mean_of_q32(columns[0], lists));
  }
  return means;
}

GroupSums UserSums::coverage() const {
  GroupSums sums;
  for (const auto& [key, user] : at_) {
    ++sums.lists[user.group];
    sums.value[user.group] += user.nonempty > 0 ? Int128{1} << q32_fraction_bits : Int128{0};
  }
  sums.evidence = sums.lists;
  return sums;
}

std::size_t UserSums::memory_bytes() const {
  constexpr std::size_t node = sizeof(UserKey) + sizeof(User) + 2 * sizeof(void*);
  return at_.size() * node + at_.bucket_count() * sizeof(void*) + columns_.capacity() * sizeof(std::int64_t) +
         free_.capacity() * sizeof(std::uint32_t);
}

}  // namespace recmeter
