// KeptMeans: the rows of a metric that may have to be compared, of many that come by: the newest window and what lies so long
// before it, of each name and horizon. In whatever order they come, the same are kept.
//
// Memory: 2 kB a row whose sums are known, 200 bytes else. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/attribution/mean_row.h"
#include "recmeter/base/event_time.h"
#include "recmeter/result/row.h"

namespace recmeter::why {

// Ascending by key.
using Segment = std::vector<std::pair<std::string, std::string>>;

struct KeptMean {
  std::string evaluator;
  std::string config;
  EventTime start;
  EventTime end;
  Segment segment;
  Stage stage = Stage::final;
  std::vector<std::string> incomplete;
  MeanRow mean;
  std::optional<std::pair<double, double>> ci = {};  // of the value
  std::shared_ptr<const ShownCounts> shown = {};     // null: not counted
};

// Which windows can be asked for.
struct KeepRule {
  EventTime at = plus_infinity;           // they end by then
  Duration reach = one_day;               // how long before the newest
  std::optional<EventTime> against = {};  // and the newest that ends by then
};

class KeptMeans {
 public:
  using Rows = std::map<Segment, KeptMean>;
  using Windows = std::map<EventTime, Rows>;  // by start

  KeptMeans(std::string metric, KeepRule rule);

  // Provisional rows are none that may be compared.
  void add(const Row& row);

  [[nodiscard]] const std::string& metric() const { return metric_; }
  [[nodiscard]] const KeepRule& rule() const { return rule_; }
  // Tells whether some row has the metric; and what rows without it have, at most metrics_max.
  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] const std::set<std::string>& metrics() const { return metrics_; }
  [[nodiscard]] const std::set<std::string>& evaluators() const { return evaluators_; }
  [[nodiscard]] std::optional<Duration> longest_horizon() const;
  // Names of the windows with rows of that horizon.
  [[nodiscard]] std::vector<std::string> names(Duration horizon) const;
  [[nodiscard]] const Windows& windows(const std::string& name, Duration horizon, Stage stage) const;

  static constexpr std::size_t metrics_max = 1000;

 private:
  void forget(Windows& windows) const;

  std::string metric_;
  KeepRule rule_;
  bool is_known_ = false;
  std::set<std::string> metrics_;
  std::set<std::string> evaluators_;
  struct Of {
    Duration horizon;
    std::string name;
    Stage stage = Stage::final;
    friend auto operator<=>(const Of&, const Of&) = default;
  };
  std::map<Of, Windows> windows_;
};

// The mean of one row. Without sums the number of lists in it is told by how value, share and what is given go together:
// [S6.22].
[[nodiscard]] MeanRow mean_row_of(const Row& row, const MetricValue& metric);

// Tells whether the value is the product of relevant_share and given_relevant.
[[nodiscard]] bool is_product(const MeanFacts& facts);

}  // namespace recmeter::why
