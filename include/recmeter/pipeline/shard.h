// Shard: the timelines and sums of some of the 256 slots; events in, sealed panes out.
//
// Thread safety: one thread at a time. A round is: receive() what was routed; settle(w), which files every event before w;
// then advance(w') for one or more w' <= w, after each of which take_output() holds the panes that w' has sealed. Sums of a
// pane are sealed at pane end + h + skew, its exposure at pane end + assemble.
//
// Where some metric asks for ListPart::popularity, take_output() is called after settle() too, and what all shards have put
// there goes into the table of the PopularityView before any of them advances.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/join/joiner.h"
#include "recmeter/pipeline/distinct_ranks.h"
#include "recmeter/pipeline/evaluator_plan.h"
#include "recmeter/pipeline/reorder_buffer.h"
#include "recmeter/pipeline/run_witness.h"
#include "recmeter/pipeline/scored_line.h"
#include "recmeter/pipeline/segmenter.h"
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
};

// Where a shard finds out how popular its items are: the table of all shards, and the shard's items by their numbers there.
struct PopularityView {
  const PopularityTable* table = nullptr;
  const std::vector<std::uint32_t>* number_of = nullptr;
};

class Shard : private ListObserver {
 public:
  // `plan`, what `popularity` shows and `witness`, which may be null, outlive the shard. Requires: `popularity` shows a table
  // where some metric asks for one.
  Shard(const EvaluatorPlan& plan, std::size_t partitions, PopularityView popularity = {}, RunWitness* witness = nullptr);

  void receive(RoutedBatch&& routed) { inbox_.push_back(std::move(routed)); }
  void settle(EventTime w);
  // `log_end`: lists whose horizon ends after it are not matured; plus_infinity while the log goes on.
  void advance(EventTime w, EventTime log_end);
  [[nodiscard]] ShardOutput take_output();

  // A later advance() beyond this time seals a pane; so steps can be made small where much is sealed at once.
  [[nodiscard]] EventTime next_seal() const;
  // Decided so far: duplicates, accepted impressions and feedback, per partition.
  [[nodiscard]] const std::vector<EventCounts>& decided() const { return decided_; }
  [[nodiscard]] std::size_t undecided() const { return buffer_.size(); }
  [[nodiscard]] OutcomeCounts outcomes() const { return joiner_.outcomes(); }
  [[nodiscard]] std::uint64_t lists() const { return joiner_.lists_opened(); }
  // Of the cells of panes not handed over yet.
  [[nodiscard]] std::size_t sums_bytes() const;
  [[nodiscard]] std::size_t exposure_bytes() const;
  // Of who acted on what in the trailing period.
  [[nodiscard]] std::size_t popularity_bytes() const;

 private:
  // Finds a list's cells in the pane it was last asked for, by label.
  template <class Cell>
  struct CellFinder {
    EventTime pane = minus_infinity;
    SegmentPanes<Cell>* cells = nullptr;
    std::vector<std::vector<Cell*>> by_label;  // per combination
  };

  // What was last found out about an item. Half a cache line: attributes stand in it where they are few.
  struct alignas(32) KnownItem {
    static constexpr std::size_t few = 4;

    std::int64_t step = std::numeric_limits<std::int64_t>::min();  // at which it had acting_users
    std::uint32_t acting_users = 0;
    std::uint32_t attributes_size = 0;
    union {
      std::array<std::uint32_t, few> attributes_here = {};
      const std::uint32_t* attributes_there;  // when there are more
    };

    void set_attributes(std::span<const std::uint32_t> attributes);
    [[nodiscard]] std::span<const std::uint32_t> attributes() const {
      return {attributes_size > few ? attributes_there : attributes_here.data(), attributes_size};
    }
  };

  void label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels) override;
  void assembled(const ListView& list) override;
  void scored(const ListView& list, std::size_t horizon, const ScoredList& score,
              std::span<const AssignedFeedback> feedback) override;
  void decided(const DecidedFeedback& feedback) override { witness_->decided(feedback); }
  template <class Cell, class Visit>
  void for_each_cell(std::map<EventTime, SegmentPanes<Cell>>& panes, CellFinder<Cell>& finder, EventTime pane,
                     std::span<const std::uint32_t> labels, Visit&& visit);
  void add_act(const EventBatch& batch, const Event& event);
  ScoredList with_parts(const ListView& list, const ScoredList& score);
  void look_up(std::span<const Interner::Id> items, std::int64_t step);
  [[nodiscard]] UserKey user_of(const ListView& list) const;
  void prefetch(std::span<const ReorderBuffer::Pending> rest) const;
  bool is_repeated_feedback(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest);
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
  EventTime log_end_ = plus_infinity;
  EventTime next_forget_ = minus_infinity;

  std::vector<std::map<EventTime, SegmentPanes<Exposure>>> exposure_;  // per grid
  std::vector<CellFinder<Exposure>> exposure_finder_;
  std::vector<std::vector<std::map<EventTime, SegmentPanes<PaneSums>>>> sums_;  // per grid, horizon
  std::vector<std::vector<CellFinder<PaneSums>>> sums_finder_;
  ShardOutput output_;
  ListValues values_;  // of the list being scored
  DistinctRanks distinct_;
  std::vector<Interner::Id> first_items_;                   // by rank of the list being added, repeated items left out
  bool needs_known_ = false;                                // some metric asks for more of an item than who acted
  std::vector<KnownItem> known_;                            // by item
  std::vector<Interner::Id> unknown_;                       // items of the list being scored
  std::vector<std::span<const std::uint32_t>> attributes_;  // by rank of the list being scored
  PopularityView popularity_;
  std::optional<ActingUsers> acting_;
  std::vector<std::uint32_t> acting_users_of_;  // by rank, of the list being scored

  // The identities of the feedback of one timeline and time seen so far; see is_repeated_feedback.
  std::vector<std::string> identities_;
  EventTime identities_ts_ = minus_infinity;
  std::uint64_t identities_hash_ = 0;
};

}  // namespace recmeter
