// MeanRow: the mean of a metric in one row, as far as its change is told in parts. Values; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/metric/estimate.h"

namespace recmeter {

struct MeanFacts {
  std::uint64_t lists = 0;      // in the mean
  std::optional<double> value;  // empty: there are none
  std::optional<double> relevant_share;
  std::optional<double> given_relevant;
};

// The mean of the lists of all groups, but for those of `without`.
[[nodiscard]] MeanFacts mean_facts(const GroupSums& sums, std::optional<std::size_t> without = std::nullopt);

struct MeanRow {
  MeanFacts facts;  // no lists: there is no such row
  // Their sums by user group, which give intervals; null: not known.
  std::shared_ptr<const GroupSums> sums = {};
};

// The rows of one value of a segment key, before and after.
struct SegmentRows {
  std::string value;
  MeanRow a;
  MeanRow b;
};

// Rows of all values of a segment key, ascending; in each row that there is each list is in one of them.
struct KeyRows {
  std::string key;
  std::vector<SegmentRows> segments;
};

}  // namespace recmeter
