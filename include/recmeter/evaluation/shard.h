// Shard: the timelines and sums of some of the 256 slots; events in, sealed panes out.
//
// Thread safety: one thread at a time. A round is: receive() what was routed; settle(w), which files every event before w;
// then advance(w') for one or more w' <= w, after each of which take_output() holds the panes that w' has sealed. Sums of a
// pane are sealed at pane end + h + skew, its exposure at pane end + assemble.
//
// Where some metric asks for ListPart::popularity, take_output() is called after settle() too, and what all shards have put
// there goes into the table of the PopularityView before any of them advances. `range`: of the lists in the whole window.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_tally.h"
#include "recmeter/evaluation/known_items.h"
#include "recmeter/evaluation/lane_feed.h"
#include "recmeter/evaluation/list_cells.h"
#include "recmeter/evaluation/list_tally.h"
#include "recmeter/evaluation/policy_lists.h"
#include "recmeter/evaluation/reorder_buffer.h"
#include "recmeter/evaluation/repeated_feedback.h"
#include "recmeter/evaluation/run_witness.h"
#include "recmeter/evaluation/scored_line.h"
#include "recmeter/evaluation/seen_items.h"
#include "recmeter/evaluation/segmenter.h"
#include "recmeter/join/joiner.h"
#include "recmeter/result/report.h"
#include "recmeter/window/acting_users.h"
#include "recmeter/window/exposure.h"
#include "recmeter/window/list_values.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/popularity_table.h"
#include "recmeter/window/segment_panes.h"

namespace recmeter {

struct ShardOutput {
  struct NewItem {
    Interner::Id id;
    std::string text;
  };
  std::vector<NewItem> new_items;
  std::vector<ActingChange> acting;  // of this shard's items; from settle()
  // Per grid: pane start -> cells.
  std::vector<std::map<EventTime, SegmentPanes<Exposure>>> exposure;
  // Per grid and horizon: pane start -> cells.
  std::vector<std::vector<std::map<EventTime, SegmentPanes<PaneSums>>>> sums;
  std::vector<Interner::Id> forgotten_items;  // to be unlearned after the above
  std::vector<ScoredLine> lines;              // in the order of (due, ...), see ScoredLine
  std::optional<TimeSpan> whole;              // of the lists of the whole window; from seal_whole()
  std::vector<std::deque<LookSums>> looks;    // per experiment: those that are complete, in order
};

class Shard : private ListObserver {
 public:
  // `plan`, what `popularity` shows, `witness`, which may be null, and `memory`, for what the joiner keeps long, outlive the
  // shard. Requires: `popularity` shows a table where some metric asks for one.
  Shard(const EvaluatorPlan& plan, std::size_t partitions, PopularityView popularity = {}, RunWitness* witness = nullptr,
        std::pmr::memory_resource* memory = std::pmr::get_default_resource(),
        TimeSpan range = {minus_infinity, plus_infinity});

  void receive(RoutedBatch&& routed) { inbox_.push_back(std::move(routed)); }
  void settle(EventTime w);
  // `log_end`: lists whose horizon ends after it are not matured; plus_infinity while the log goes on.
  void advance(EventTime w, EventTime log_end);
  // The newest record of a log that has ended, which may lie beyond the end by which lists mature ([S3.16]).
  void log_has_ended(EventTime last_record) { last_record_ = last_record; }
  // Hands over the whole window's panes, which no watermark seals. Requires: its lists have been scored.
  void seal_whole();
  [[nodiscard]] ShardOutput take_output();

  [[nodiscard]] ExperimentTally& tally(std::size_t experiment) { return tallies_[experiment]; }
  // The tally of its lists, in range; as EvaluatorPlan::tally says.
  [[nodiscard]] const ListTally& lists_tally() const { return lists_tally_; }
  // An action was credited after the time of its list.
  [[nodiscard]] bool credits_later() const { return joiner_.credits_later(); }
  // Whether lists that may mature by a later end of the log are kept so.
  void keep_open(bool keeps) { keeps_open_ = keeps; }
  // From now on members of an experiment are those whose hash begins with so many zero bits. [S10.8].
  void sample_members(std::size_t experiment, std::uint8_t zeros) { tallies_[experiment].sample(zeros); }

  // A later advance() beyond this time seals a pane or goes beyond a look; so steps can be made small where much is sealed at
  // once, and what follows a look can depend on it.
  [[nodiscard]] EventTime next_seal() const;
  // Decided so far: duplicates, accepted impressions and feedback, per partition.
  [[nodiscard]] const std::vector<EventCounts>& decided() const { return decided_; }
  [[nodiscard]] std::size_t undecided() const { return buffer_.size(); }
  // Of a lane whose lists were not shown.
  [[nodiscard]] LaneCounts lane_counts() const;
  [[nodiscard]] OutcomeCounts outcomes() const { return joiner_.outcomes(); }
  [[nodiscard]] const std::vector<OutcomeCounts>& outcomes_by_action() const { return joiner_.outcomes_by_action(); }
  [[nodiscard]] std::uint64_t lists() const { return joiner_.lists_opened(); }
  // Of the cells of panes not handed over yet.
  [[nodiscard]] std::size_t sums_bytes() const { return cells_.sums_bytes(); }
  [[nodiscard]] std::size_t exposure_bytes() const { return cells_.exposure_bytes(); }
  // Of who acted on what in the trailing period.
  [[nodiscard]] std::size_t popularity_bytes() const { return known_.popularity_bytes(); }

 private:
  void label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
             std::span<const std::uint32_t> before) override;
  void assembled(const ListView& list) override;
  void upcoming(const UpcomingList& list) override;
  void scored(const ListView& list, HorizonIndex at, const ScoredList& score,
              std::span<const AssignedFeedback> feedback) override;
  void decided(const DecidedFeedback& feedback) override { witness_->decided(feedback); }
  void take(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest);
  void take_for_lane(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest);
  void release_feed(EventTime w);
  void add_feedback(const EventBatch& batch, const Event& event);
  [[nodiscard]] bool is_left_out(const ListView& list);
  void add_values(const ListView& list, std::size_t horizon, const ScoredList& score,
                  std::span<const AssignedFeedback> feedback);
  void prefetch(std::span<const ReorderBuffer::Pending> rest);
  void prefetch(const ReorderBuffer::Pending& pending, int step) const;
  void seal(EventTime w);
  void forget(EventTime w);

  const EvaluatorPlan& plan_;
  const JoinRule& rule_;
  RunWitness* witness_;
  ReorderBuffer buffer_;
  Segmenter segmenter_;
  Joiner joiner_;
  std::vector<RoutedBatch> inbox_;
  std::vector<EventCounts> decided_;
  std::size_t prefetched_ = 0;  // what was left of a bucket when prefetch() was last called
  EventTime log_end_ = plus_infinity;
  EventTime last_record_ = plus_infinity;
  EventTime next_forget_ = minus_infinity;
  bool keeps_open_ = false;

  ListCells cells_;
  KnownItems known_;
  RepeatedFeedback repeated_;
  std::optional<LaneFeed> feed_;  // where the plan follows places
  std::optional<SeenItems> seen_;
  std::optional<PolicyLists> policies_;  // where the plan judges one
  std::uint64_t unpaired_ = 0;
  std::vector<ExperimentTally> tallies_;  // per experiment
  TimeSpan range_;
  ListTally lists_tally_;
  ListValues values_;  // of the list being scored
  ShardOutput output_;
};

}  // namespace recmeter
