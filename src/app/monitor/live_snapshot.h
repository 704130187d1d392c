// LiveSnapshot: what there is to be seen of a run at one moment, made by the run's thread and read by anybody.
//
// A LiveSnapshot never changes; readers hold it as long as they like. LiveSnapshotKeeper makes them. Thread safety:
// snapshot() from any thread; everything else from the run's. It costs the run a lookup a row, and a list of pointers
// whenever there is a new snapshot; what a row, a series or a checkpoint costs does not grow with how many there are.
// Invariant: what it holds is bounded by what is kept and by series_max, however many series a run has had.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "app/monitor/published_schema.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/live/row_archive.h"
#include "recmeter/result/rendered_row.h"

namespace recmeter {

// An experiment's rows, in the order of its looks; at least one.
struct ExperimentLog {
  std::string name;
  std::string key;  // of the segments whose values are its arms
  std::vector<SharedExperimentRow> rows;
};

struct LiveSnapshot {
  std::optional<RunStatus> status;
  // Before there is a status: whether the state is still to be opened, and whether that waits for room on a disk.
  bool is_opening = false;
  bool has_room = true;
  // Rows of windows that are not final (provisional, truncated), and final ones that the kept results may not have yet. By
  // window, horizon and combination as configured, segment values and start.
  std::vector<SharedRow> rows;
  std::vector<SharedRow>
      newest_final;  // of each window, horizon and segment, in the same order; none that has a later final window
  // That have a row, kept or shown; in that order too, windows before horizons.
  std::shared_ptr<const std::vector<RowSeries>> series = std::make_shared<const std::vector<RowSeries>>();
  std::vector<std::string> reasons;  // sentences that say what stands in the way
  // In configured order, those that have had a look.
  std::shared_ptr<const std::vector<ExperimentLog>> experiments = std::make_shared<const std::vector<ExperimentLog>>();
};

class LiveSnapshotKeeper {
 public:
  // More are forgotten, those with the oldest rows first.
  static constexpr std::size_t series_max = 20'000;
  // `keep`: for how long the kept results keep a row. `schema` outlives it.
  LiveSnapshotKeeper(const PublishedSchema& schema, Duration keep);

  // Instead of the constructor's `keep`.
  void keep_for(Duration keep) { keep_ = keep; }

  // Before the run, in this order: the state is to be opened, with room on its disk or without; it is open, and these are the
  // series that it keeps; a final row of them, shown until there is a newer one.
  void take_opening(bool has_room);
  void take_opened(const std::vector<KeptSeries>& kept);
  void take_kept(SharedRow row);

  // Whether it is shown: a provisional one that came after the last one of its window is not.
  bool take(const SharedRow& shown);
  // One of a look that there was replaces it.
  void take(const SharedExperimentRow& row);
  void take(const RunStatus& status);
  // What the run has told its user last; it counts as the reason until the run has begun, and while it is held.
  void tell(std::string_view message) {
    told_ = message;
    has_changed_ = true;
  }
  // What was final when this was called before last is among the kept results.
  void kept();
  // Makes what was taken the snapshot. Called as often as the run likes.
  void show();

  [[nodiscard]] std::shared_ptr<const LiveSnapshot> snapshot() const { return snapshot_.load(); }

 private:
  // In the order of rows: window, horizon, combination, segment values.
  using Place = std::tuple<std::size_t, std::size_t, std::size_t, std::vector<std::string>>;
  using OpenRows = std::map<std::pair<Place, std::int64_t>, SharedRow>;  // by series and start
  [[nodiscard]] Place place_of(const std::string& window, Duration horizon,
                               const std::vector<std::pair<std::string, std::string>>& segment) const;
  // A series, and where its newest row begins.
  struct Known {
    RowSeries series;
    EventTime newest;
  };
  void note_series(const Place& place, const Row& row);
  void forget_series(EventTime watermark);
  [[nodiscard]] bool is_over(const Row& row, EventTime watermark) const;
  [[nodiscard]] std::vector<std::string> reasons() const;

  const PublishedSchema& schema_;
  OpenRows open_;
  // Final rows of it: those since the last checkpoint, and those before it that a checkpoint follows. A final row stays until
  // one of kept(), so that the iterators hold.
  std::vector<OpenRows::iterator> final_;
  std::vector<OpenRows::iterator> final_before_;
  std::map<Place, SharedRow> newest_final_;
  std::map<Place, Known> series_;
  bool has_new_series_ = true;
  Duration keep_;
  std::vector<ExperimentLog> experiments_;
  bool has_new_look_ = false;
  std::optional<RunStatus> status_;
  bool is_opening_ = false;
  bool has_room_ = true;
  std::string told_;
  bool has_changed_ = true;
  std::atomic<std::shared_ptr<const LiveSnapshot>> snapshot_;
};

}  // namespace recmeter
