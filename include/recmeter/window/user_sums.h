// UserSums: what each user's lists add up to, for metrics that look at users one by one: `unit: user` and user_coverage.
//
// Sums per user form a group like those of PaneSums: added, merged and subtracted in any order with the same result. Costs
// memory for every user of a window, so it is empty unless some metric asks for it. Thread safety: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "recmeter/base/user_key.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

class UserSums {
 public:
  // The columns of a user, to be added to; counts the list.
  std::span<std::int64_t> add_list(UserKey user, std::size_t group, bool nonempty, std::size_t columns);
  void merge(const UserSums& other) { apply(other, 1); }
  // Requires: what is subtracted was added.
  void subtract(const UserSums& other) { apply(other, -1); }

  [[nodiscard]] bool empty() const { return at_.empty(); }
  // The sum over users of their means, each rounded once to 2^-32, for a metric of unit `user`; users for lists.
  struct Means {
    GroupSums sums;
    // The same of the share of lists with evidence, over all users with a list (with one that has items, as `over` says).
    Int128 evidence = 0;
    std::uint64_t shown = 0;  // their number
  };
  [[nodiscard]] Means means(const PlannedMetric& metric) const;
  // Users with a list that has items, among all users, as a mean.
  [[nodiscard]] GroupSums coverage() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Hash {
    std::size_t operator()(const UserKey& key) const { return key.low; }
  };
  struct User {
    std::int64_t lists = 0;
    std::int64_t nonempty = 0;
    std::uint32_t row = 0;
    std::uint8_t group = 0;
  };
  User& user(UserKey key, std::size_t group, std::size_t columns);
  void apply(const UserSums& other, int sign);

  std::unordered_map<UserKey, User, Hash> at_;  // never gone through in order: sums do not depend on it
  std::size_t width_ = 0;
  std::vector<std::int64_t> columns_;  // rows of width_
  std::vector<std::uint32_t> free_;    // rows
};

}  // namespace recmeter
