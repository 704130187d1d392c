// ListComparison: how the segments of a log compare, by the lists that replay --lists wrote. Rows have no users in them, so
// that the interval of a difference takes this file.
//
// Of each segment key that has 2 to 10 values every two values are compared, over all lists of the log: the relative
// difference of means with its interval, by the user groups of [S6.21]. Metrics that are no mean over lists are left out. Of
// lists of several recommenders, recommenders alone are compared.
// Memory: 2 KiB for each horizon, value and metric. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/metric/estimate.h"

namespace recmeter {

class ListComparison {
 public:
  // Of one line. Errors: input_corrupt: it is no list.
  [[nodiscard]] Result<void> add(std::string_view json);

  // `a` against `b`.
  struct Pair {
    std::string horizon;
    std::string metric;
    std::pair<std::string, std::string> a;  // key and value of the segment
    std::pair<std::string, std::string> b;
    std::uint64_t lists_a = 0;  // with a value
    std::uint64_t lists_b = 0;
    Estimate relative;
  };
  // In the order of horizon, key, metric as first seen, value.
  [[nodiscard]] std::vector<Pair> pairs(double confidence) const;

  [[nodiscard]] bool has_pairs() const;

  [[nodiscard]] EventTime first() const { return first_; }
  [[nodiscard]] EventTime last() const { return last_; }

 private:
  static constexpr std::size_t values_max = 10;

  struct Side {
    std::vector<GroupSums> metrics;  // by the place of the metric in metrics_
  };
  using Key = std::pair<std::string, std::string>;  // horizon, key of the segment

  std::vector<std::string> metrics_;  // keys, as first seen
  std::map<Key, std::map<std::string, Side>> sides_;
  EventTime first_ = plus_infinity;
  EventTime last_ = minus_infinity;
};

}  // namespace recmeter
