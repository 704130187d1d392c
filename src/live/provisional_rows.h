// ProvisionalRows: rows of windows that are not final yet, as they stand: [S7], `provisional`.
//
// The events of a live run a second time, in an order almost that of their arrival: lists count as soon as they are shown,
// and what they add to their windows is corrected when feedback is credited to them or their horizon passes. An event that
// comes when the preview has passed its time is taken as of then. So a row says what one that is cut off here would say, but
// for such events, for lists of rows not assembled, for what a user with many open lists missed in the older ones, and for
// lists that grew once they were shown: with others they are compared as they were shown first.
//
// Nothing of it reaches final rows. Thread safety: none. Memory: as a shard's, and the sums of panes until their windows are
// final.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/known_items.h"
#include "recmeter/evaluation/list_cells.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/evaluation/reorder_buffer.h"
#include "recmeter/evaluation/repeated_feedback.h"
#include "recmeter/evaluation/row_maker.h"
#include "recmeter/evaluation/segmenter.h"
#include "recmeter/join/joiner.h"
#include "recmeter/result/rendered_row.h"
#include "recmeter/window/list_values.h"
#include "recmeter/window/popularity_table.h"

namespace recmeter {

class ProvisionalRows : private ListObserver {
 public:
  // `plan` outlives the preview. `missing_lists_max`: of how many open lists of a user, the newest, it is seen at once what
  // they missed. `memory`, for what its joiner keeps long, outlives it too.
  explicit ProvisionalRows(const EvaluatorPlan& plan, std::size_t missing_lists_max = 16,
                           std::pmr::memory_resource* memory = std::pmr::get_default_resource());
  ~ProvisionalRows() override;

  void receive(RoutedBatch&& routed) { buffer_.add(std::move(routed)); }
  // Takes in the events before `t`. `w`: the watermark; what only final windows need is dropped. Neither decreases.
  void advance(EventTime t, EventTime w);
  // The rows that are due, in the order of windows, starts, horizons, combinations; none of them as it was when it was given
  // before.
  //
  // With `all` every row of a window that is not final. Else due are the window that the newest list fills first and the one
  // before it, of each name, and older ones when the share of their matured lists has crossed a tenth.
  [[nodiscard]] std::vector<SharedRow> rows(std::uint64_t revision, const LogStart& log_start, bool all = false);

 private:
  // A row but for its segment values: indices into the configuration.
  struct WindowAt {
    std::size_t window;
    EventTime start;
    std::size_t horizon;
    friend auto operator<=>(const WindowAt&, const WindowAt&) = default;
  };
  struct Given {
    int tenth = 0;                                // of matured lists
    std::map<std::string, std::uint64_t> hashes;  // by row key, of the rows given last
  };
  struct Counted;  // a list as it counts now

  void label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
             std::span<const std::uint32_t> before) override;
  void assembled(const ListView& /*list*/) override {}
  void scored(const ListView& list, HorizonIndex horizon_index, const ScoredList& score,
              std::span<const AssignedFeedback> feedback) override;
  void shown(const ListView& list) override;
  void growing(const ListView& list) override;
  void grown(const ListView& list, std::span<const Interner::Id> added) override;
  void changed(ListNumber list) override { changed_.push_back(list); }

  void take_in(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest);
  void learn_items();
  void look_at_changed();
  void forget(EventTime w);
  [[nodiscard]] std::vector<EventTime> starts(const WindowSpec& window) const;
  void add_rows(std::size_t window, EventTime start, bool is_due, std::uint64_t revision, const LogStart& log_start,
                std::vector<SharedRow>& rows);
  [[nodiscard]] int tenth_of(const WindowAt& at) const;
  [[nodiscard]] std::optional<WindowExposure> exposure_of(std::size_t window, EventTime start, std::size_t combination) const;
  void add_rows_of(const WindowAt& at, std::size_t combination, const WindowExposure* exposure, std::uint64_t revision,
                   const LogStart& log_start, std::vector<SharedRow>& rows);

  const EvaluatorPlan& plan_;
  const JoinRule& rule_;
  RowMaker row_maker_;
  ReorderBuffer buffer_;
  Segmenter segmenter_;
  Joiner joiner_;
  ListCells cells_;
  std::optional<PopularityTable> popularity_;
  std::vector<std::uint32_t> number_of_;  // items have their own numbers
  KnownItems known_;
  ItemSet in_catalog_;
  RepeatedFeedback repeated_;

  EventTime t_ = minus_infinity;
  EventTime w_ = minus_infinity;
  EventTime newest_ = minus_infinity;  // time of a list
  EventTime next_forget_ = minus_infinity;
  std::vector<ListNumber> changed_;                               // lists, since they were looked at
  std::vector<std::unordered_set<ListNumber>> fresh_;             // per horizon: shown, and not counted yet
  std::vector<std::unordered_map<ListNumber, Counted>> counted_;  // per horizon: as they count, where it is not zero
  std::vector<std::unordered_set<ListNumber>> withdrawn_;         // per horizon: counted with no value at present
  std::map<WindowAt, Given> given_;
  bool is_looking_ = false;
  bool is_withdrawing_ = false;
  ListValues was_;
  ListValues is_;
};

}  // namespace recmeter
