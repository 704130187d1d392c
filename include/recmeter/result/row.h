// Row: one published result. A value; what it means is [S6] to [S8], how it is written [I4].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/metric/curve.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/shown_counts.h"

namespace recmeter {

enum class Stage : std::uint8_t { provisional, final, truncated };
[[nodiscard]] std::string_view to_string(Stage stage) noexcept;

struct MetricValue {
  std::string key;                 // "precision@10", "distinct_items@10", "empty_list_share"
  std::string definition_id = {};  // "ndcg_list{gain=exp2}"; empty when all is default
  std::optional<double> value;
  std::optional<double> se;
  std::optional<std::pair<double, double>> ci;  // low, high
  // Metrics of coverage and shares of lists have no such members at all; the others have them, perhaps null.
  bool has_evidence = false;
  std::optional<double> given_relevant;
  std::optional<double> relevant_share;
  // Reasons against an off-policy estimate: why it has no value, or ""; wrong propensities. metric/weight_facts.h.
  std::string refused = {};
  bool is_suspect = false;
  // A mean's sum, and the number that it is over; not part of a published row.
  std::optional<double> numerator = {};
  std::optional<double> denominator = {};
  // Values without one user group each, where they were asked for (MetricSpec::left_out); not published.
  std::shared_ptr<const LeftOutValues> left_out = {};
  // A mean over lists by user group, where that was asked for (EvaluatorSpec::group_sums); not published.
  std::shared_ptr<const GroupSums> group_sums = {};
  // With these, what was shown in the lists and hit, where that was asked for (MetricSpec::shown_counts); not published.
  std::shared_ptr<const ShownCounts> shown = {};
};

struct ActionCount {
  std::string action;
  std::uint64_t credited = 0;
  std::uint64_t repeated = 0;
};

struct Row {
  std::string evaluator;
  std::string config;
  std::string window;
  EventTime start;
  EventTime end;
  Duration horizon;
  std::vector<std::pair<std::string, std::string>> segment;  // key, shown value; empty: the whole
  Stage stage = Stage::final;
  std::optional<std::uint64_t> revision;  // provisional rows only
  double matured = 1;                     // share of its lists whose horizon has passed
  std::vector<std::string> incomplete;    // "start", "gap", ... in the order of [S7], [S8]
  std::uint64_t lists = 0;
  std::vector<ActionCount> feedback;   // every configured action, in configured order
  std::vector<MetricValue> metrics;    // names x cutoffs in configured order
  std::vector<CurvePoint> curve = {};  // written on its own (`replay --curves`); empty unless asked for
};

}  // namespace recmeter
