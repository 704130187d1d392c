// ExperimentSums: what the lists of an experiment's looks so far have added up to, over all shards. Exact integers, added
// only: equal sums whatever the shards, their order and where they were cut. [S10.5]. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/evaluation/look_sums.h"
#include "recmeter/evaluation/planned_experiment.h"

namespace recmeter {

class ExperimentSums {
 public:
  // `plan` outlives the sums.
  explicit ExperimentSums(const PlannedExperiment& plan);

  void add(const LookSums& look);
  // Members whose hash begins with at least so many zero bits.
  [[nodiscard]] std::uint64_t members(std::uint8_t zeros) const;
  // Writes the sums and counts into a look whose sample is set.
  void fill(ExperimentLook& look) const;

  [[nodiscard]] std::size_t memory_bytes() const { return columns_.capacity() * sizeof(Int128); }

 private:
  [[nodiscard]] Int128 total_of_arm(const SumPlace& place, std::size_t arm) const;
  [[nodiscard]] DraftCounts draft_counts() const;
  [[nodiscard]] SlotSums slot_sums(const TestedMetric& metric, std::size_t arm) const;

  const PlannedExperiment& plan_;
  std::vector<Int128> columns_;  // rows of plan_.width(), by arm and slot
  std::vector<ArmCounts> arms_;
  ExperimentCounts counts_;
};

}  // namespace recmeter
