// ListComparison: how the segments of a log compare, by the lists that replay --lists wrote. Rows have no users in them, so
// that the interval of a difference takes this file.
//
// Every value of a segment key that has 2 to 10 is compared with every other, over all lists of the log: the difference of
// means with its interval, in numbers and in words, as `compare --by` and the last line of a table have it (PairedLists,
// [S10.33]). Metrics that are no mean over lists are left out. Of lists of several recommenders, recommenders alone are
// compared.
// Memory: 20 KiB for each horizon, value and metric. Thread safety: none.
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
#include "recmeter/experiment/comparison.h"
#include "recmeter/experiment/slot_sums.h"
#include "recmeter/metric/list_lengths.h"

namespace recmeter {

class ListComparison {
 public:
  // Of one line. Errors: input_corrupt: it is no list.
  [[nodiscard]] Result<void> add(std::string_view json);

  // `a` against `b`, and of the same two also `b` against `a`: the interval of the one is not that of the other turned round.
  struct Pair {
    std::string horizon;
    std::string metric;
    std::pair<std::string, std::string> a;  // key and value of the segment
    std::pair<std::string, std::string> b;
    std::uint64_t lists_a = 0;  // with a value
    std::uint64_t lists_b = 0;
    // By the scale that decides at least one; none where the two cannot be compared.
    std::optional<Distance> absolute;
    std::optional<Distance> relative;
    std::optional<double> p;
    std::string words;  // the sentence of compare
  };
  // In the order of horizon, key, value of b, metric as first seen, value of a.
  [[nodiscard]] std::vector<Pair> pairs(double alpha) const;

  [[nodiscard]] bool has_pairs() const;

  // The cutoff at which a reader begins: that of the first table of the run. `shown`: of recommenders, the one whose lists
  // were shown; "": none, or it is not known. 0: no metric has a cutoff.
  [[nodiscard]] std::uint32_t cutoff(std::string_view shown) const;

  [[nodiscard]] EventTime first() const { return first_; }
  [[nodiscard]] EventTime last() const { return last_; }

 private:
  static constexpr std::size_t values_max = 10;

  struct Side {
    std::vector<SlotSums> metrics;  // by the place of the metric in metrics_
    ListLengths lengths;
  };
  using Key = std::pair<std::string, std::string>;  // horizon, key of the segment

  std::vector<std::string> metrics_;  // keys, as first seen
  std::map<Key, std::map<std::string, Side>> sides_;
  ListLengths lengths_;
  EventTime first_ = plus_infinity;
  EventTime last_ = minus_infinity;
};

}  // namespace recmeter
