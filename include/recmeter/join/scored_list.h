// ScoredList: one list at one horizon, as metrics see it; what the join says and all that metrics know. SEMANTICS §4.
//
// A view, valid during the call it is passed to. Invariants:
//   (1) `hits` is sorted by rank, ranks are distinct and in 1..length, grades are > 0;
//   (2) `missed` is sorted by grade, descending, grades are distinct and > 0, counts > 0.
#pragma once

#include <cstdint>
#include <span>

namespace recmeter {

struct Hit {
  std::uint32_t rank;  // 1-based
  double grade;        // r_i: the largest gain among the actions credited to the item
};

struct GradeCount {
  double grade;
  std::uint64_t items;
};

struct ScoredList {
  std::uint32_t length = 0;            // n
  std::span<const Hit> hits;           // the relevant ranks
  std::span<const GradeCount> missed;  // items never in the list on which the user acted; empty where not asked for
  std::uint64_t missed_items = 0;      // their number

  [[nodiscard]] std::uint64_t relevant_in_list() const { return hits.size(); }                 // R_list
  [[nodiscard]] std::uint64_t relevant_of_user() const { return hits.size() + missed_items; }  // R_user
  // hits_k: relevant ranks up to k.
  [[nodiscard]] std::uint32_t hits_at(std::uint32_t k) const {
    std::uint32_t count = 0;
    for (const Hit& hit : hits) count += hit.rank <= k ? 1 : 0;
    return count;
  }
};

// Feedback assigned to a list at a horizon, per action in configured order.
struct AssignedFeedback {
  std::uint64_t credited = 0;
  std::uint64_t repeated = 0;
};

}  // namespace recmeter
