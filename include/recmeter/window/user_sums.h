// UserSums: what each user's lists add up to, for metrics that look at users one by one: `unit: user` and user_coverage.
//
// Sums per user form a group like those of PaneSums: added, merged and subtracted in any order with the same result. Costs
// memory for every user of a window, so it is empty unless some metric asks for it. A user has fewer than 2^31 lists. Thread
// safety: none.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/user_key.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

class UserSums {
 public:
  // `columns`: what the list adds to its user's, as many for every list.
  void add_list(const UserKey& user, std::size_t group, bool nonempty, std::span<const std::int64_t> columns);
  // All of a user's lists.
  struct UserView {
    UserKey key;
    std::size_t group;
    std::uint64_t lists;  // fewer than 2^31, at least 1
    std::uint64_t nonempty;
    std::span<const std::int64_t> columns;
  };
  void add_lists(const UserView& user);
  // visit(UserView), in no order.
  template <class Visit>
  void for_each_user(Visit&& visit) const {
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      const User& user = this->user(slot);
      if (user.lists == 0) continue;
      visit(UserView{.key = user.key,
                     .group = user.group,
                     .lists = static_cast<std::uint64_t>(user.lists),
                     .nonempty = static_cast<std::uint64_t>(user.nonempty),
                     .columns = {columns(slot), width_}});
    }
  }
  // The user's lists, as a view until the sums change; none: it has no list.
  [[nodiscard]] std::optional<UserView> find_user(const UserKey& user) const;
  // Takes all of the user's lists back. Requires: it has some.
  void forget_user(const UserKey& user);
  // A list adds something else than it did. Requires: add_list() for the user with `was`.
  void correct_list(const UserKey& user, std::span<const std::int64_t> was, std::span<const std::int64_t> is);
  // Fetches what add_list() for the user will look at, ahead of time.
  void prefetch(const UserKey& user) const {
    if (slots_ > 0) fetch_ahead(&this->user(home(user)));
  }
  void merge(const UserSums& other);
  // Requires: what is subtracted was added.
  void subtract(const UserSums& other) { apply(other, -1); }

  // The sum over users of their means (or of their values, where a form makes these of the user's own sums), each rounded
  // once to 2^-32, for a metric of unit `user`; users for lists.
  struct Means {
    GroupSums sums;
    // The same of the share of lists with evidence, over all users with a list (with one that has items, as `over` says).
    Int128 evidence = 0;
    std::uint64_t shown = 0;  // their number
  };
  [[nodiscard]] Means means(const PlannedMetric& metric) const;
  // The sum over users of the value that each has by itself.
  [[nodiscard]] GroupSums totals(const UserForm& form, std::size_t column) const;
  // Of the weights that stand in user_weight_columns from `column` on.
  [[nodiscard]] UserWeights weights(std::size_t column) const;
  // Users with a list that has items, among all users, as a mean. Costs the same however many users there are.
  [[nodiscard]] GroupSums coverage() const;
  [[nodiscard]] std::size_t users() const { return used_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct alignas(64) CacheLine {
    std::array<std::byte, 64> bytes;
  };
  struct User {
    UserKey key;
    std::int32_t lists = 0;  // 0: the slot is free
    std::int32_t nonempty = 0;
    std::uint32_t group = 0;
  };
  struct Group {
    std::uint64_t users = 0;
    std::uint64_t with_items = 0;
  };
  void apply(const UserSums& other, int sign);
  [[nodiscard]] Means means_of_sums(const PlannedMetric& metric) const;
  void change(const User& by, const std::int64_t* columns, int sign);
  [[nodiscard]] std::size_t row_bytes() const { return sizeof(User) + width_ * sizeof(std::int64_t); }
  [[nodiscard]] const User& user(std::size_t slot) const {
    return *reinterpret_cast<const User*>(lines_.data()->bytes.data() + slot * row_bytes());
  }
  [[nodiscard]] User& user(std::size_t slot) { return const_cast<User&>(std::as_const(*this).user(slot)); }
  [[nodiscard]] const std::int64_t* columns(std::size_t slot) const {
    return reinterpret_cast<const std::int64_t*>(&user(slot) + 1);
  }
  [[nodiscard]] std::int64_t* columns(std::size_t slot) { return reinterpret_cast<std::int64_t*>(&user(slot) + 1); }
  // Keys are hashes already. Tables of all sizes have the same order, so that one goes through another from front to back;
  // but it is not the order of slots, of which a shard's users have few.
  [[nodiscard]] std::size_t home(const UserKey& key) const {
    return static_cast<std::size_t>((key.low * 0xD6E8FEB86659FD93U) >> (64 - std::countr_zero(slots_)));
  }
  [[nodiscard]] std::size_t find(const UserKey& key) const;
  void move(std::size_t from, std::size_t to);
  void erase(std::size_t at);
  void grow_to(std::size_t slots);

  // Open addressing, linear probing. A row for each slot: the user and width_ columns behind it, zeros where it is free; of
  // four columns, in one cache line.
  std::vector<CacheLine> lines_;
  std::size_t slots_ = 0;  // a power of two
  std::size_t used_ = 0;
  std::size_t width_ = 0;
  std::vector<Group> groups_;  // user_groups of them; empty before the first user
};

}  // namespace recmeter
