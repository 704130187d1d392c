#include "recmeter/window/user_sums.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/base/exact_sum.h"

namespace recmeter {

namespace {

// How many slots ahead of the one being moved memory is fetched.
constexpr std::size_t ahead = 24;

}  // namespace

void UserSums::add_list(const UserKey& user, std::size_t group, bool nonempty, std::span<const std::int64_t> columns) {
  add_lists({.key = user, .group = group, .lists = 1, .nonempty = nonempty ? 1U : 0U, .columns = columns});
}

void UserSums::add_lists(const UserView& user) {
  width_ = user.columns.size();
  change({.key = user.key,
          .lists = static_cast<std::int32_t>(user.lists),
          .nonempty = static_cast<std::int32_t>(user.nonempty),
          .group = static_cast<std::uint32_t>(user.group)},
         user.columns.data(), 1);
}

std::optional<UserSums::UserView> UserSums::find_user(const UserKey& key) const {
  if (used_ == 0) return std::nullopt;
  const std::size_t slot = find(key);
  const User& user = this->user(slot);
  if (user.lists == 0) return std::nullopt;
  return UserView{.key = user.key,
                  .group = user.group,
                  .lists = static_cast<std::uint64_t>(user.lists),
                  .nonempty = static_cast<std::uint64_t>(user.nonempty),
                  .columns = {columns(slot), width_}};
}

void UserSums::forget_user(const UserKey& key) {
  const std::size_t at = find(key);
  User& user = this->user(at);
  Group& group = groups_[user.group];
  --group.users;
  group.with_items -= user.nonempty > 0 ? 1U : 0U;
  user = {};
  std::fill_n(columns(at), width_, 0);
  erase(at);
}

void UserSums::correct_list(const UserKey& user, std::span<const std::int64_t> was, std::span<const std::int64_t> is) {
  const std::size_t slot = find(user);
  RECMETER_CHECK(this->user(slot).lists > 0, "a list that is corrected was added");
  std::int64_t* to = columns(slot);
  for (std::size_t c = 0; c < width_; ++c) to[c] += is[c] - was[c];
}

void UserSums::merge(const UserSums& other) {
  if (used_ == 0) {
    *this = other;
    return;
  }
  // Room for all at first: what comes in order would crowd into the front of a table that is too small for it.
  std::size_t slots = slots_;
  while ((used_ + other.used_) * 3 >= slots * 2) slots *= 2;
  if (slots > slots_) grow_to(slots);
  apply(other, 1);
}

void UserSums::apply(const UserSums& other, int sign) {
  for (std::size_t slot = 0; slot < other.slots_; ++slot) {
    if (const std::size_t next = slot + ahead; next < other.slots_) prefetch(other.user(next).key);
    if (other.user(slot).lists != 0) change(other.user(slot), other.columns(slot), sign);
  }
}

void UserSums::change(const User& by, const std::int64_t* columns, int sign) {
  if (used_ * 3 >= slots_ * 2) grow_to(std::max<std::size_t>(8, slots_ * 2));
  const std::size_t at = find(by.key);
  User& user = this->user(at);
  Group& group = groups_[by.group];
  if (user.lists == 0) {
    user = {.key = by.key, .group = by.group};
    ++used_;
    ++group.users;
  }
  group.with_items -= user.nonempty > 0 ? 1U : 0U;
  user.lists += sign * by.lists;
  user.nonempty += sign * by.nonempty;
  group.with_items += user.nonempty > 0 ? 1U : 0U;
  std::int64_t* to = this->columns(at);
  for (std::size_t c = 0; c < width_; ++c) to[c] += sign * columns[c];
  if (user.lists != 0) return;
  --group.users;
  erase(at);
}

// The user's slot, or the free one where it would go. Requires: a free slot.
std::size_t UserSums::find(const UserKey& key) const {
  const std::size_t mask = slots_ - 1;
  std::size_t at = home(key);
  while (user(at).lists != 0 && user(at).key != key) at = (at + 1) & mask;
  return at;
}

// Requires: `to` is free.
void UserSums::move(std::size_t from, std::size_t to) {
  user(to) = std::exchange(user(from), {});
  for (std::size_t c = 0; c < width_; ++c) columns(to)[c] = std::exchange(columns(from)[c], 0);
}

// Of a user without lists, whose columns are zero. Moves up what probing would no more find behind the freed slot.
void UserSums::erase(std::size_t at) {
  --used_;
  const std::size_t mask = slots_ - 1;
  for (std::size_t next = (at + 1) & mask; user(next).lists != 0; next = (next + 1) & mask) {
    const std::size_t distance = (next - home(user(next).key)) & mask;
    if (distance < ((next - at) & mask)) continue;  // it stands between its home and here
    move(next, at);
    at = next;
  }
}

void UserSums::grow_to(std::size_t slots) {
  UserSums grown;
  grown.slots_ = slots;
  grown.width_ = width_;
  grown.lines_.resize((slots * row_bytes() + sizeof(CacheLine) - 1) / sizeof(CacheLine));
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    if (const std::size_t next = slot + ahead; next < slots_) grown.prefetch(user(next).key);
    if (user(slot).lists == 0) continue;
    const std::size_t at = grown.find(user(slot).key);
    grown.user(at) = user(slot);
    std::copy_n(columns(slot), width_, grown.columns(at));
  }
  lines_ = std::move(grown.lines_);
  slots_ = slots;
  groups_.resize(user_groups);
}

UserSums::Means UserSums::means(const PlannedMetric& metric) const {
  if (metric.of_user != nullptr) return means_of_sums(metric);
  Means means;
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    const User& user = this->user(slot);
    if (user.lists == 0) continue;
    const std::span columns(this->columns(slot) + metric.user_column, 2);
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

GroupSums UserSums::totals(const UserForm& form, std::size_t column) const {
  GroupSums sums;
  for_each_user([&](const UserView& user) {
    ++sums.lists[user.group];
    sums.value[user.group] += form.value(user.columns.subspan(column, form.columns), user.lists);
  });
  sums.evidence = sums.lists;
  return sums;
}

// Of what a form makes of each user's sums, over the users for whom it makes something.
UserSums::Means UserSums::means_of_sums(const PlannedMetric& metric) const {
  Means means;
  std::vector<Int128> sums(metric.of_user->columns_at(metric.cutoff));
  for_each_user([&](const UserView& user) {
    std::copy_n(&user.columns[metric.user_column], sums.size(), sums.begin());
    ++means.shown;
    const ColumnSums of_user{.lists = user.lists, .evidence = user.lists, .columns = sums};
    const auto value = metric.of_user->value(of_user, metric.cutoff, metric.options);
    if (!value) return;
    means.evidence += to_q32(1);
    ++means.sums.lists[user.group];
    ++means.sums.evidence[user.group];
    means.sums.value[user.group] += to_q32_wide(*value);
  });
  return means;
}

UserWeights UserSums::weights(std::size_t column) const {
  UserWeights weights;
  for_each_user([&](const UserView& user) { weights.add(user.columns.subspan(column, user_weight_columns)); });
  return weights;
}

GroupSums UserSums::coverage() const {
  GroupSums sums;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    sums.lists[g] = groups_[g].users;
    sums.value[g] = Int128{groups_[g].with_items} << q32_fraction_bits;
  }
  sums.evidence = sums.lists;
  return sums;
}

std::size_t UserSums::memory_bytes() const {
  return lines_.capacity() * sizeof(CacheLine) + groups_.capacity() * sizeof(Group);
}

}  // namespace recmeter
