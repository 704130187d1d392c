// EvaluatorPlan: an EvaluatorSpec worked out; what all shards and the merger share. Immutable after construction; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/base/lane_names.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/evaluation/list_tally.h"
#include "recmeter/evaluation/planned_experiment.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/metric/plan.h"
#include "recmeter/result/report.h"
#include "recmeter/window/pane_grid.h"
#include "recmeter/window/running_exposure.h"
#include "recmeter/window/running_sums.h"
#include "recmeter/window/segment_panes.h"
#include "recmeter/window/sliding_window.h"

namespace recmeter {

struct LanePlan;

struct EvaluatorPlan {
  const EvaluatorSpec* spec;
  MetricPlan metrics;
  ExposurePlan exposure;  // which facts of what was shown the rows want
  PaneGrids grids;
  std::vector<SegmentBound> bounds;  // per combination, the whole first
  std::vector<std::string> actions;  // their names
  // Every configured segment key once: the combination and the place in it that hold its value.
  std::vector<std::pair<std::size_t, std::size_t>> segment_keys;
  Duration lateness_max;                       // the largest of the inputs
  bool keeps_panes = false;                    // keep_panes() was called
  bool lists_wanted = false;                   // scored lists are asked for (`replay --lists`)
  std::optional<ListTallySpec> tally = {};     // tally_lists() was called; of what was shown
  std::vector<PlannedExperiment> experiments;  // in configured order; empty unless they are asked for
  std::vector<std::string> teams;              // those of all team drafts among them, each once
  // Of one lane: its name, empty where there are none; the number of the recommender whose lists it has, or of the one that
  // it judges by what was shown (OffPolicySpec); neither: what was shown, as such.
  std::string lane = {};
  std::optional<std::uint8_t> candidate = {};
  std::optional<std::uint8_t> policy = {};
  std::vector<std::shared_ptr<const LanePlan>> lanes = {};  // what was shown first; empty where there are none

  // `spec` outlives the plan. `experiments_wanted`: those of the spec are followed.
  [[nodiscard]] static Result<EvaluatorPlan> make(const EvaluatorSpec& spec, Duration lateness_max, bool lists_wanted,
                                                  bool experiments_wanted = false);

  // A run keeps a ListTally of what was shown: where there are lanes, of lengths alone.
  void tally_lists(ListTallySpec of);

  // A window, of the configuration or like one of it, by the values of a combination of segment keys. What is shown moves
  // through one, what is counted through one for each horizon. `in_catalog`: the items that the catalogue names.
  [[nodiscard]] SlidingWindow<RunningSums> sums_window(const WindowSpec& window, std::size_t combination) const;
  [[nodiscard]] SlidingWindow<RunningExposure> exposure_window(const WindowSpec& window, std::size_t combination,
                                                               const ItemSet& in_catalog) const;
  [[nodiscard]] bool wants_exposure() const { return !exposure.cutoffs.empty(); }

  // A list's labels: what each combination of segment keys has, then its latency where some metric asks for it (the bucket
  // + 1; 0: none), then those of each experiment.
  [[nodiscard]] std::size_t labels_per_list() const { return experiment_labels(experiments.size()); }
  [[nodiscard]] std::size_t experiment_labels(std::size_t experiment) const {
    return row_labels() + experiment * PlannedExperiment::labels_per_list;
  }
  // Those that rows depend on.
  [[nodiscard]] std::size_t row_labels() const {
    return spec->segments.size() + (metrics.needs(ListPart::latency) ? 1U : 0U);
  }
  void label_latency(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels) const;
  [[nodiscard]] std::optional<std::uint32_t> latency_bucket(std::span<const std::uint32_t> labels) const;

  // How much later than without lanes all results come: what is in whose stead is known by then.
  [[nodiscard]] Duration lane_delay() const { return spec->lanes.is_wanted() ? spec->join.assemble : Duration{0}; }
  // What stands in front of the segments of a lane's rows, with `lane`.
  [[nodiscard]] const char* lane_key() const { return policy ? policy_key : recommender_key; }
  // Whether the log's events are counted here; those of lanes are the same once more.
  [[nodiscard]] bool counts_events() const { return !candidate && !policy; }
  // Whether the event is one of the lane.
  [[nodiscard]] bool has(const Event& event) const;
  // Whether it has to be known in a lane what was shown, and by what items.
  [[nodiscard]] bool follows_places() const {
    return candidate.has_value() || policy.has_value() || (!lane.empty() && spec->lanes.pairs);
  }
  [[nodiscard]] bool asks_seen() const {
    return candidate && (metrics.needs(ListPart::seen) || spec->lanes.unjudged == LaneSpec::Unjudged::drop);
  }

  // The first time after `w` at which some pane is sealed or a look is complete, whether it holds anything or not.
  [[nodiscard]] EventTime next_seal_after(EventTime w) const;

  // The watermark that seals the pane of a grid at a horizon of the join, counted from 1, or what it showed (0); of the whole
  // window plus_infinity.
  [[nodiscard]] EventTime sealed_at(std::size_t grid, std::size_t horizon, EventTime start) const;
  // The watermark at which all rows of windows that end by `to` are final.
  [[nodiscard]] EventTime final_by(EventTime to) const;

  [[nodiscard]] Duration longest_window() const;
  // How long before a list an event may lie that its values depend on.
  [[nodiscard]] Duration look_back() const;
  // How long before the watermark an event may lie that a result not yet final depends on.
  [[nodiscard]] Duration event_memory() const;

  // How long before the watermark an event may lie that some pane not yet sealed, or a look without a row, depends on: what a
  // run has to read again that has kept the sealed panes.
  [[nodiscard]] Duration open_memory() const;
  // Whether sealed panes hold all that results need of what is before open_memory(): not where there are lanes, metrics of
  // popularity or a whole window.
  [[nodiscard]] bool can_keep_panes() const;
  // Makes the plan one of runs that keep sealed panes. `width_max`: wider panes are divided; no row changes by it. Requires:
  // can_keep_panes().
  void keep_panes(Duration width_max);
  // The same, where it saves half of what a restart reads, and no more than a sixth of a horizon is read for it.
  void keep_panes_where_they_pay();

  // How long an item keeps its number after its last use: nothing that knows the number lives longer.
  [[nodiscard]] Duration item_memory(Duration join_memory) const;
};

// One lane: as the whole configuration, but for what is its own.
struct LanePlan {
  std::shared_ptr<const EvaluatorSpec> spec;
  EvaluatorPlan plan;

  [[nodiscard]] LaneReport report_of(const LaneCounts& counts) const {
    return {.name = plan.lane, .is_policy = plan.policy.has_value(), .counts = counts};
  }
};

}  // namespace recmeter
