// PopularityTable: how many users acted on each item in the trailing period, at every step that a list may still ask for.
//
// Thread safety: one thread changes it; between changes any thread may ask. Counts are integers and changes of a step are
// added up, so it does not matter in which order shards tell them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/fetch_ahead.h"
#include "recmeter/metric/metric_spec.h"
#include "recmeter/window/acting_users.h"
#include "recmeter/window/step_history.h"
#include "recmeter/window/top_counts.h"
#include "recmeter/window/trailing_period.h"

namespace recmeter {

class PopularityTable {
 public:
  explicit PopularityTable(const PopularitySpec& spec) : period_(spec), top_(spec.top) {}

  // Here items have the numbers of the one table, not of a shard. Requires: the step is later than the last advance() went.
  void add(const ActingChange& change) { coming_[change.step].push_back(change); }
  // Lists before `w` may now be asked for; those before `needed_from` will not be any more.
  // Requires: all changes up to the step of `w` have been added.
  void advance(EventTime w, EventTime needed_from);
  // The number may come to mean another item. Requires: nobody acted on it in the period, and no list that may be asked for
  // shows it.
  void forget(Interner::Id item);

  [[nodiscard]] std::int64_t step_of(EventTime ts) const { return period_.step_of(ts); }
  // Users who acted at all, or on the item, in the period before the step.
  [[nodiscard]] std::uint64_t users(std::int64_t step) const { return users_.at(step); }
  [[nodiscard]] std::uint64_t users_of(Interner::Id item, std::int64_t step) const {
    return lasting_users_of(item, step).value;
  }
  // The same, and the step from which on they may be others; not after `step` where that has not been advanced to.
  [[nodiscard]] StepHistory::Lasting lasting_users_of(Interner::Id item, std::int64_t step) const {
    StepHistory::Lasting users{.value = 0, .until = unknown_from_};
    if (item < items_.size()) users = items_[item].lasting_at(step);
    users.until = std::min(users.until, unknown_from_);
    return users;
  }
  // Follows one pointer of users_of(), step 0 or 1, ahead of time.
  void prefetch(Interner::Id item, int step) const {
    if (item >= items_.size()) return;
    if (step == 0) fetch_ahead(&items_[item]);
    if (step == 1) items_[item].prefetch();
  }
  // An item on which at least so many acted is among the most popular; 0: none is.
  [[nodiscard]] std::uint64_t popular_from(std::int64_t step) const { return popular_from_.at(step); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void set(StepHistory& history, std::int64_t step, std::uint64_t value, std::int64_t needed_from);

  TrailingPeriod period_;
  TopCounts top_;
  std::map<std::int64_t, std::vector<ActingChange>> coming_;  // by step
  StepHistory users_;
  StepHistory popular_from_;
  std::vector<StepHistory> items_;                                        // by number
  std::int64_t unknown_from_ = std::numeric_limits<std::int64_t>::min();  // the step after that of the last advance()
  std::size_t history_bytes_ = 0;
};

}  // namespace recmeter
