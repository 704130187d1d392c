// SampleList: a scored list that owns what it shows, as chance makes it: for the laws of metrics and sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recmeter/metric/plan.h"
#include "support/dice.h"

namespace recmeter::laws {

struct SampleList {
  std::uint32_t length = 0;
  std::vector<Hit> hits;
  std::vector<GradeCount> missed;
  std::vector<AssignedFeedback> feedback;
  std::vector<Rating> ratings;
  std::vector<std::uint32_t> judged;
  std::vector<Retest> retests;
  std::uint64_t credited = 0;
  std::uint64_t credited_with_score = 0;
  std::vector<std::uint32_t> distinct;                     // [i]: distinct items in the first i ranks
  std::vector<std::span<const std::uint32_t>> attributes;  // by rank; of static storage
  std::vector<std::uint32_t> acting_users_of;              // by rank
  std::vector<std::uint8_t> seen;                          // by rank: shown to the user
  std::vector<std::uint32_t> logged_ranks;                 // by rank: in the list that was shown in its place; 0: not there
  bool has_place = false;                                  // whether one was
  std::vector<std::uint8_t> known;                         // by rank: the user had acted on it before
  bool is_nobodys = false;                                 // then nothing is known of that
  std::int64_t first_ms = 0;                               // of its one action, which makes the hits and the missed items
  std::optional<std::uint32_t> latency_bucket = {};
  bool has_policy = false;
  std::vector<double> target;  // of ListPolicy, by rank
  std::vector<double> logged;
  std::vector<double> predicted;
  std::vector<double> expected;
  std::uint64_t acting_users = 0;
  std::uint64_t popular_from = 0;
  std::size_t group = 0;
  std::uint64_t user = 0;  // of the group
  bool matured = true;

  void take_feedback_away();
  // What stands at the two ranks changes places: item, grade, whether it was there before. Without feedback but hits.
  void swap(std::uint32_t a, std::uint32_t b);
  // The hits come first, best first.
  void make_ideal();
  // Moves every rating and prediction by the same amount.
  void shift_scores(double by);
  // Valid while the sample lives and stays as it is.
  [[nodiscard]] ScoredList list() const;

  mutable std::vector<Hit> action_hits = {};  // of list()
  mutable ActionPart action = {};
};

// Every metric, and the definitions that options make of one; each by a name of its own.
[[nodiscard]] std::vector<const MetricDefinition*> every_definition();
[[nodiscard]] std::string name_of_definition(const MetricDefinition& metric);

// What metrics of one action are of.
inline constexpr const char* sample_action = "click";
[[nodiscard]] MetricContext sample_context();
// The same, and what the metric needs to judge another policy, if it does.
[[nodiscard]] MetricContext sample_context(const MetricDefinition& metric);
// Options without which it is not what it is.
[[nodiscard]] MetricOptions sample_options(const MetricDefinition& metric);
// Of 2000 ranks.
[[nodiscard]] Examination sample_examination();

// Obeys the invariants of ScoredList; grades suit exp2 gains too. Many have no hits, some no items, some only missed items.
[[nodiscard]] SampleList random_sample(support::Dice& dice);
[[nodiscard]] std::vector<SampleList> random_samples(support::Dice& dice, std::size_t count);

}  // namespace recmeter::laws
