// Merger: sealed panes of all shards become windows, windows become rows, in the documented order. [S7] and [S8].
//
// Thread safety: one thread; finish() lends shards' panes and windows to tasks. Integers are merged, so it does not matter
// how slots were divided into shards.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/kept_pane.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/evaluation/row_maker.h"
#include "recmeter/evaluation/shard.h"
#include "recmeter/port/executor.h"
#include "recmeter/result/row.h"
#include "recmeter/window/popularity_table.h"
#include "recmeter/window/running_exposure.h"
#include "recmeter/window/running_sums.h"
#include "recmeter/window/sliding_window.h"

namespace recmeter {

class Merger {
 public:
  // Windows outside [from, to], and those that start at `starts_before` or later, are not made into rows; the whole window
  // holds the lists of [from, to). `plan` outlives the merger.
  struct Range {
    EventTime from = minus_infinity;
    EventTime to = plus_infinity;
    EventTime starts_before = plus_infinity;
  };
  // `keeps_panes`: what is sealed is kept as bytes too, and panes that were kept can be restored. Requires: then no window is
  // whole, and no metric asks for popularity.
  Merger(const EvaluatorPlan& plan, std::size_t shards, Range range, bool keeps_panes = false);

  // Takes what shard number `shard` has sealed; all shards have advanced to the same watermark.
  void collect(std::size_t shard, ShardOutput&& output);
  // Every shard has settled to `w` and been collected: lists before it can now be scored, with the popularity before them.
  // `advanced`: to where all shards have advanced.
  void settled(EventTime w, EventTime advanced);
  // Where shard number `shard` finds out how popular its items are; changes in settled() only.
  [[nodiscard]] PopularityView popularity(std::size_t shard) const;
  // The rows that watermark `w` makes due, in order; each combination of a window moves on independently, as a task of
  // `executor`. They are truncated where they would be due beyond `log_end`, plus_infinity while the log goes on.
  [[nodiscard]] std::vector<Row> finish(EventTime w, EventTime log_end, const LogStart& log_start, Executor& executor);

  // What was sealed since it was asked last, by finish(); what was restored is not among it.
  [[nodiscard]] std::deque<KeptPane> take_kept();
  [[nodiscard]] std::size_t kept_bytes() const { return kept_bytes_; }
  // From now on nothing is, and what was not taken goes.
  void keep_no_more() {
    is_keeping_ = false;
    static_cast<void>(take_kept());
  }
  // Takes panes that a run before kept, as if a shard of their own had sealed them. Rows with end + horizon up to `made_to`
  // are not made again. Before anything is collected, in the order in which they were sealed, with a finish() after each
  // call.
  void restore(ShardOutput&& panes, EventTime made_to);
  // What was restored has left all windows.
  void forget_restored();

  // Of the windows and panes held.
  [[nodiscard]] std::size_t sums_bytes() const;
  [[nodiscard]] std::size_t exposure_bytes() const;
  [[nodiscard]] std::size_t popularity_bytes() const;

 private:
  struct Due {
    EventTime at;  // end + horizon
    std::size_t window;
    EventTime start;
    std::size_t horizon;
    std::size_t combination;
    Row row;
  };
  // One window by the values of one combination of segment keys: the rows of one shape.
  struct Series {
    std::size_t window;       // in the configuration
    std::size_t combination;  // 0: the whole
    const WindowSpec* spec;
    std::vector<SlidingWindow<RunningSums>> sums;  // per horizon
    std::optional<SlidingWindow<RunningExposure>> exposure;
    std::map<EventTime, WindowExposure> waiting;  // by start; for the rows of all horizons
    std::vector<Due> due;
  };
  // What a shard has sealed since the last finish(); as in ShardOutput.
  struct Sealed {
    std::vector<std::map<EventTime, SegmentPanes<Exposure>>> exposure = {};
    std::vector<std::vector<std::map<EventTime, SegmentPanes<PaneSums>>>> sums = {};
  };

  void prepare(std::size_t shard);
  template <class Cell, class Of, class Write>
  void keep(std::size_t grid, std::size_t horizon, Of&& of, Write&& write, std::vector<std::function<void()>>& tasks);
  void keep_sealed(Executor& executor);
  [[nodiscard]] EventTime first_boundary(EventTime end) const;
  void add_series(std::size_t window, std::size_t combination);
  void add_panes(Series& series);
  template <class Cell, class To, class Of>
  void add_panes(const Series& series, To& to, Of&& of);
  void advance(Series& series, EventTime w, EventTime log_end, const LogStart& log_start) const;
  void make_rows(Series& series, std::size_t horizon, EventTime start,
                 std::span<const SlidingWindow<RunningSums>::Segment> segments, EventTime log_end,
                 const LogStart& log_start) const;
  void learn(std::size_t shard, const std::vector<ShardOutput::NewItem>& items);
  void unlearn(std::size_t shard, const std::vector<Interner::Id>& items);

  const EvaluatorPlan& plan_;
  RowMaker row_maker_;
  Range range_;
  std::optional<TimeSpan> whole_;  // of the lists of the whole window, once it is sealed
  std::deque<Series> series_;

  // Per shard; behind them, where panes are kept, those that were restored.
  std::size_t shards_;
  std::vector<Sealed> sealed_;
  std::vector<std::vector<Interner::Id>> forgotten_;

  bool is_keeping_;
  std::deque<KeptPane> kept_;
  std::size_t kept_bytes_ = 0;
  EventTime made_to_ = minus_infinity;               // of rows, by runs before
  EventTime users_are_dealt_from_ = minus_infinity;  // before it users of a shard may be in restored panes too
  Interner::Id restored_items_ = 0;                  // their numbers are below

  // Items by the number they have here, and by the numbers they have in each shard.
  Interner items_;
  std::vector<std::uint32_t> users_;                   // per item: shards that know it
  std::vector<std::vector<std::uint32_t>> number_of_;  // per shard and its number
  ItemSet in_catalog_;
  std::optional<PopularityTable> popularity_;  // by item number; when some metric asks for it
};

}  // namespace recmeter
