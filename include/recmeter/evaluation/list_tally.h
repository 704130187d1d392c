// ListTally: how long the lists of a run are, and what those of each value of a segment key add up to for some metrics, by
// the slots of their users. A table of the run chooses its columns by the lengths, and compares arms by the sums.
//
// Lists count once, at the longest horizon. Tallies of shards add up to that of the run. Memory: 20 KiB for each value and
// metric. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "recmeter/evaluation/segmenter.h"
#include "recmeter/event/join_key.h"
#include "recmeter/experiment/slot_sums.h"
#include "recmeter/join/joiner.h"
#include "recmeter/metric/list_lengths.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

// The sums that are tallied beside lengths.
struct ListTallySpec {
  std::size_t horizon = 0;                 // index of the longest
  std::vector<std::size_t> segments = {};  // combinations of one key each
  std::vector<std::size_t> metrics = {};   // of MetricPlan::metrics(), means over lists
};

class ListTally {
 public:
  static constexpr std::size_t values_max = 10;  // a key with more is not summed

  // By value of the key, in the order of ListTallySpec::metrics.
  using ArmSums = std::map<std::string, std::vector<SlotSums>>;

  void add(const ListTallySpec& spec, const MetricPlan& metrics, const JoinKey& key, const Segmenter& segmenter,
           const ListView& list, const ScoredList& score);
  ListTally& operator+=(const ListTally& other);

  [[nodiscard]] const ListLengths& lengths() const { return lengths_; }
  // Sums by value of a combination in ListTallySpec::segments; empty: it has more than values_max, or no list.
  [[nodiscard]] ArmSums arms(std::size_t segment) const;
  [[nodiscard]] bool has_too_many(std::size_t segment) const {
    return segment < arms_.size() && arms_[segment].size() > values_max;
  }

 private:
  ListLengths lengths_;
  std::vector<ArmSums> arms_;  // by segment; one value beyond values_max says that there are too many
};

}  // namespace recmeter
