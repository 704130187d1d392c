// LookSums: what the lists of one look add to an experiment: counts, and exact sums per arm and slot. [S10.5].
//
// A shard fills those of its users; the sums of all shards are added up, in any order, to the same bits. Thread safety: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/user_key.h"
#include "recmeter/evaluation/member_table.h"
#include "recmeter/experiment/slot_sums.h"
#include "recmeter/window/user_sums.h"

namespace recmeter {

// By the zero bits that the hash of a user begins with, so that the members of every sample are known: [S10.8].
using UsersByZeros = std::array<std::uint64_t, 64>;

struct ArmCounts {
  std::uint64_t lists = 0;
  UsersByZeros users{};  // that became members

  ArmCounts& operator+=(const ArmCounts& other);
};

// Over all arms.
struct ExperimentCounts {
  UsersByZeros mixed_users{};
  std::uint64_t mixed_lists = 0;
  std::uint64_t other_lists = 0;
  std::uint64_t nobody_lists = 0;

  ExperimentCounts& operator+=(const ExperimentCounts& other);
};

// A user as it has become in a look: a member, or one that another arm was shown to, too.
struct MemberNote {
  UserKey user;
  std::uint8_t slot = 0;
  Member member;
};

class LookSums {
 public:
  // `number`: of the look, from 1; up to 0 of the time before the start. `width`: columns of a row,
  // PlannedExperiment::width(); the first counts lists.
  LookSums(std::int64_t number, std::size_t arm_count, std::size_t width);

  // Of the same look.
  LookSums& operator+=(const LookSums& other);

  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] std::span<std::int64_t> row(std::size_t arm, std::size_t slot);
  // One more list of the arm. Most lists add nothing else, and these counts lie close together; settle_lists() brings them
  // to where they are read: `arms` and the rows.
  void count_list(std::size_t arm, std::size_t slot) { ++lists_[arm * experiment_slots + slot]; }
  void settle_lists();
  // Fetches the first columns of what row() will show, ahead of time.
  void prefetch(std::size_t arm, std::size_t slot, std::size_t columns) const {
    const std::uint32_t row = row_[arm * experiment_slots + slot];
    if (row == no_row) return;
    constexpr std::size_t step = 64 / sizeof(std::int64_t);  // a cache line
    for (std::size_t c = 0; c < columns; c += step) fetch_ahead(&columns_[row * width_ + c]);
  }
  // visit(arm, slot, row) for every row that was asked for.
  template <class Visit>
  void for_each_row(Visit&& visit) const {
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (row_[i] == no_row) continue;
      visit(i / experiment_slots, i % experiment_slots, std::span(columns_).subspan(row_[i] * width_, width_));
    }
  }

  std::vector<ArmCounts> arms;
  ExperimentCounts counts;
  // Where another run goes on from the look: who has become a member in it, in this order, and of a look before the start
  // what users' lists have added to the time before, by slot.
  std::vector<MemberNote> notes;
  std::map<std::uint8_t, UserSums> before;

 private:
  static constexpr std::uint32_t no_row = static_cast<std::uint32_t>(-1);
  std::int64_t number_;
  std::size_t width_;
  std::vector<std::uint32_t> row_;    // by arm and slot: which row of columns_
  std::vector<std::uint64_t> lists_;  // by arm and slot: those that are not settled
  std::vector<std::int64_t> columns_;
};

}  // namespace recmeter
