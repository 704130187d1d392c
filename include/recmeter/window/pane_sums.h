// PaneSums: the exact sums of one cell: a pane, a segment value, a horizon. The accumulator of [S6].
//
// Sums form a group: add a list, merge another, and (window/running_sums.h) subtract again, in any order, with the same bits.
// Sparse: a user group without values other than zero costs 9 bytes. 64-bit sums hold 2^31 lists of value 1 per group and
// pane. Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/join/scored_list.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/window/bucket_counts.h"
#include "recmeter/window/list_values.h"
#include "recmeter/window/user_parts.h"

namespace recmeter {

// Whose list it is.
struct ListOwner {
  std::size_t group = 0;  // of the user, [S6]
  UserKey user = {};      // meaningful when some metric looks at users one by one
};

class PaneSums {
 public:
  void add(const ListOwner& owner, const ListValues& values, std::span<const AssignedFeedback> feedback, bool matured);
  // What a list adds changes: `was` is taken back and `is` put in its place; its latency does not change. Requires: add()
  // with `was`, not matured.
  void correct(const ListOwner& owner, const ListValues& was, std::span<const AssignedFeedback> feedback_was,
               const ListValues& is, std::span<const AssignedFeedback> feedback_is);
  // A list that was added not matured is now.
  void mature() { --unmatured_; }
  // Where the log's end is not known yet: when a list was shown that was added as matured, and may turn out not to be.
  void add_open(EventTime shown) { open_.push_back(shown); }
  // Of such lists all have matured that were shown at `last` or before; and, where the log's end is known, no other.
  void mature_open(EventTime last);
  void end_open(EventTime last);
  // Fetches what add() for the user will look at, ahead of time.
  void prefetch(const UserKey& user) const { users_.own().prefetch(user); }
  // Nothing is added from now on but by merge(): copies may share. `users`: whose lists were added.
  void seal(UserDomain users) { users_.share(users); }
  void merge(const PaneSums& other);
  void merge(PaneSums&& other);

  [[nodiscard]] std::uint64_t lists() const;
  [[nodiscard]] std::uint64_t lists(std::size_t group) const { return lists_[group]; }
  [[nodiscard]] std::uint64_t unmatured() const { return unmatured_; }
  [[nodiscard]] std::span<const EventTime> open() const { return open_; }  // in any order
  // Empty when all are zero.
  [[nodiscard]] std::span<const std::int64_t> columns(std::size_t group) const;
  [[nodiscard]] std::span<const AssignedFeedback> feedback() const { return feedback_; }
  [[nodiscard]] const UserParts& users() const { return users_; }
  [[nodiscard]] const BucketCounts& buckets() const { return buckets_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class CellReader;  // recmeter/window/cell_bytes.h

  static constexpr std::uint8_t no_row = 0xff;
  std::span<std::int64_t> columns_for(std::size_t group, std::size_t width);
  void add_feedback(std::span<const AssignedFeedback> feedback, std::uint64_t sign);
  void add_columns(std::size_t group, std::span<const std::int64_t> columns);
  void add_all_but_users(const PaneSums& other);

  std::array<std::uint64_t, user_groups> lists_{};
  std::array<std::uint8_t, user_groups> row_ = all_empty();
  std::vector<std::int64_t> columns_;  // rows of width_, one per group that has values
  std::size_t width_ = 0;
  std::vector<AssignedFeedback> feedback_;  // per action; empty when none
  std::uint64_t unmatured_ = 0;
  std::vector<EventTime> open_;
  UserParts users_;
  BucketCounts buckets_;

  static constexpr std::array<std::uint8_t, user_groups> all_empty() {
    std::array<std::uint8_t, user_groups> rows{};
    rows.fill(no_row);
    return rows;
  }
};

}  // namespace recmeter
