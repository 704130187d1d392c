// ListLooks: takes the final lists of a run into ShowCounts. Thread safety: as RunWitness says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/examination/examination_run.h"
#include "recmeter/evaluation/run_witness.h"

namespace recmeter::examining {

class ListLooks final : public RunWitness {
 public:
  // The run has one combination of segment keys, which is that of the request. `request` outlives it.
  ListLooks(const Request& request, std::size_t horizon) : request_(request), horizon_(horizon) {}

  void fate(const EventBatch& /*batch*/, const Event& /*event*/, PartitionIndex /*partition*/, Fate /*fate*/,
            std::optional<DuplicateReason> /*why*/) override {}
  void decided(const DecidedFeedback& /*feedback*/) override {}
  void opened(const EventBatch& batch, const Event& opening, std::span<const std::uint32_t> labels) override;
  void scored(const ListView& list, HorizonIndex horizon, const ScoredList& score, const Interner& items,
              bool is_matured) override;

  [[nodiscard]] ShowCounts& counts() { return counts_; }
  [[nodiscard]] std::uint64_t other_lists() const { return other_lists_; }
  [[nodiscard]] std::uint64_t unfinished_lists() const { return unfinished_lists_; }
  // Of lists that count.
  [[nodiscard]] std::map<std::string, std::uint64_t> lists_by_value() const;
  [[nodiscard]] bool has_too_many_variants() const { return has_too_many_variants_; }
  // A few of the key's values, whether they count or not.
  [[nodiscard]] const std::vector<std::string>& some_values() const { return some_values_; }

 private:
  static constexpr std::uint32_t left_out = 0xffffffff;

  [[nodiscard]] std::uint32_t variant_of(const EventBatch& batch, const Event& opening);

  const Request& request_;
  const std::size_t horizon_;
  ShowCounts counts_;
  std::vector<std::uint32_t> variants_;  // by label
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::uint64_t> lists_;  // by variant
  std::vector<std::string> some_values_;
  std::uint64_t other_lists_ = 0;
  std::uint64_t unfinished_lists_ = 0;
  bool has_too_many_variants_ = false;
  std::vector<std::pair<Interner::Id, std::uint32_t>> shown_;  // kept for its room
};

}  // namespace recmeter::examining
