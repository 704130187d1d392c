// EvaluatorSpec: everything that decides what is computed, checked and complete. It comes from the configuration
// (src/app) and is all the core knows of it. Plain values; immutable after construction, shared by all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/experiment_spec.h"
#include "recmeter/evaluation/lane_spec.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/field.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/metric/metric_spec.h"
#include "recmeter/window/catalog.h"
#include "recmeter/window/segment_spec.h"
#include "recmeter/window/window_spec.h"

namespace recmeter {

// Hard bounds; every one is a line of the configuration's `limits`.
struct Limits {
  std::size_t list_items = 1000;
  std::size_t id_bytes = 256;
  std::size_t segment_bytes = 256;
  std::size_t message_bytes = std::size_t{1} << 20;
  std::size_t segment_values = 200;
  std::size_t distinct_items = 4'000'000;
  std::size_t compared_lists = 1024;
  std::size_t experiment_users = 20'000'000;
  std::int64_t windows_per_list = 10'000;       // size / slide of a window
  std::int64_t values_per_list = 1'000'000;     // that a list goes into
  std::int64_t values_per_day = 1'000'000'000;  // that a day of events makes, with one value of each segment
  std::set<InvalidReason> tolerated_reasons;    // do not count into invalid_share
  double invalid_share = 0.2;
  double lost_share = 0.01;
};

struct TimeRule {
  Duration max_future_skew{5 * 60 * 1000};  // records with a broker timestamp
  Duration max_step{60 * 60 * 1000};        // plain files; 0: no future rule
};

// Kept by a live run, so that it can say why a metric changed: [S16.12].
struct AttributionSpec {
  std::vector<std::string> windows = {};  // their names; at least one
  Duration keep{50 * one_hour.ms};
  bool ranks = false;
  std::string item_group = {};  // an attribute of the catalogue; "": none
};

struct EvaluatorSpec {
  std::string name = "default";
  JoinRule join;
  TimeRule time;
  std::vector<WindowSpec> windows;
  std::vector<SegmentSpec> segments;
  std::optional<Catalog> catalog;
  MetricSpec metrics;
  RatingRule ratings;
  std::optional<OffPolicySpec> off_policy;  // nothing: no other policy is judged
  std::vector<ExperimentSpec> experiments;
  LaneSpec lanes;
  Limits limits;
  // Says whether what an action was worth counts in one list alone among those of one value of the first combination of
  // `segments`, as where each value is a recommender that was not live: [S12.12]. Requires: every_touch.
  bool counts_worth_once = false;
  std::optional<AttributionSpec> attribution = {};  // nothing: a live run keeps nothing of the kind
  // Windows, by name, whose rows keep what means over lists are made of, to be taken apart.
  std::vector<std::string> group_sums = {};
  // Fingerprint of what the values of a row mean ([I4], `config`): 16 hex digits.
  std::string config_hash;
};

struct DecoderOptions;
struct EventKinds;
struct FieldTable;

// The fields of events that are read because something configured uses them.
[[nodiscard]] OptionalFields fields_read(const EvaluatorSpec& spec);
// How events of such a log are read for this evaluator.
[[nodiscard]] DecoderOptions decoder_options(const EvaluatorSpec& spec, const FieldTable& fields);

// Makes it that of a live run, whose rows keep what `attribution` says.
void keep_parts(EvaluatorSpec& spec);
// The number of item groups by which the catalogue is divided as `attribution` says; 0: by none.
[[nodiscard]] std::size_t item_groups_of(const EvaluatorSpec& spec);

// What of it depends on all that a user did before, as its place and value: it is for bounded runs, which begin where the log
// does. Nothing: nothing does.
[[nodiscard]] std::optional<std::string> needs_whole_past(const EvaluatorSpec& spec);

// What events there are of it.
[[nodiscard]] EventKinds kinds_of(const EvaluatorSpec& spec);

}  // namespace recmeter
