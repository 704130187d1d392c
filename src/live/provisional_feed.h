// ProvisionalFeed: a ProvisionalRows while a live run keeps up, and none while it does not: what is behind has nothing to
// show that will not be final soon, and its time goes into catching up.
//
// When the run has come up, it reads the journal, a piece a round, up to the last checkpoint, and then takes the
// events that the run routes. Thread safety: one thread, but for the task of begin(). Invariant: while it follows, it has
// every event of the journal and those routed since.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <vector>

#include "live/provisional_rows.h"
#include "recmeter/base/result.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct ProvisionalFeedOptions {
  Duration every{5000};                                                  // between rows, by the reader's clock
  std::size_t events_a_round = 100'000;                                  // of the journal, about
  std::size_t missing_lists_max = 16;                                    // as ProvisionalRows's
  EventTime from = minus_infinity;                                       // the first start of a window
  bool is_wanted = true;                                                 // false: it does nothing
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();  // as ProvisionalRows's
};

class ProvisionalFeed {
 public:
  // `plan` and `store` outlive it.
  ProvisionalFeed(const EvaluatorPlan& plan, const StateStore& store, ProvisionalFeedOptions options)
      : plan_(plan), store_(store), options_(options) {}

  // Continues the runs that gave their last rows this revision.
  void resume(std::uint64_t revision) { revision_ = revision; }
  [[nodiscard]] bool is_wanted() const { return options_.is_wanted; }

  // For how long, by the reader's clock, some partition has had more than was read.
  void keep_up(Duration behind);
  void receive(const std::vector<std::vector<RoutedBatch>>& routed);
  // Adds what it has to do in a round; `t`: as far as events have come in, `w`: the watermark.
  void begin(EventTime t, EventTime w, std::vector<std::function<void()>>& tasks);
  // Requires: the task has run. Errors: those of Journal::read.
  [[nodiscard]] Result<void> complete();
  // The store holds every event that was routed; `w`: the watermark up to which none will be.
  [[nodiscard]] Result<void> kept(EventTime w);

  // Whether there may be rows to publish at `now`, by the reader's clock.
  [[nodiscard]] bool is_due(EventTime now) const { return follows_ && now >= next_; }
  // The revision of the rows that rows() gives next. It rises before the checkpoint that says it, and rows are given after
  // that: so a run that continues from there gives its rows a later one.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  void revise() { ++revision_; }
  // Requires: is_due(), or, for all rows of windows that are not final, follows().
  [[nodiscard]] std::vector<SharedRow> rows(EventTime now, const LogStart& log_start, bool all = false);
  // Making and giving rows took from `begin` to `end`, by the reader's clock: the next come so late that it takes no more
  // than a fifth of the time.
  void gave(EventTime begin, EventTime end) { next_ = std::max(next_, end + Duration{4 * (end - begin).ms}); }
  [[nodiscard]] bool follows() const { return follows_; }
  [[nodiscard]] std::uint64_t rows_given() const { return rows_given_; }

 private:
  [[nodiscard]] Result<void> read(EventTime to, std::size_t events_max);

  const EvaluatorPlan& plan_;
  const StateStore& store_;
  ProvisionalFeedOptions options_;
  std::optional<ProvisionalRows> rows_;
  bool follows_ = false;      // has read the journal
  EventTime read_to_{0};      // of the journal
  EventTime readable_to_{0};  // where the store has every event there will be
  EventTime next_ = minus_infinity;
  std::uint64_t revision_ = 0;
  std::uint64_t rows_given_ = 0;
  Result<void> outcome_;
};

}  // namespace recmeter
