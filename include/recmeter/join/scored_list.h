// ScoredList: one list at one horizon, as metrics see it; what the join says and all that metrics know. [S4].
//
// A view, valid during the call it is passed to. What costs something to find out stands in a part of its own (ListPart) and
// is empty unless some metric asks for it. Invariants:
//   (1) `hits` is sorted by rank, ranks are distinct and in 1..length, grades are > 0;
//   (2) `missed` is sorted by grade, descending, grades are distinct and > 0, counts > 0;
//   (3) `ratings` and `judged` are sorted by rank, ranks are distinct and in 1..length; every hit is judged;
//   (4) `retests` are sorted by rank, those of a rank as they were decided; each rank has a rating.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace recmeter {

// What of a list is found out only for the metrics that ask for it.
enum class ListPart : std::uint8_t {
  missed,      // items the user acted on that were never in the list
  distinct,    // how many distinct items the first ranks show
  feedback,    // judged ranks, ratings, scores of what was credited
  popularity,  // how many users acted on each item before
  attributes,  // what the catalogue says of each item
  delay,       // when the action was done; of metrics of one action
  value,       // what the action was worth; of metrics of one action
  latency,     // how long the recommender took
  seen,        // which items the user was shown, and where; of lanes
  retests,     // ratings of what was rated before; with `feedback`
  scores,      // which ranks were shown with a score; of what was shown, ListView::scored
  policy,      // how likely the logging policy and another one were to show each rank
  history,     // which items the user had acted on before
  groups,      // to which group of the catalogue each item belongs
};

class ListParts {
 public:
  constexpr ListParts() = default;
  constexpr ListParts(std::initializer_list<ListPart> parts) {
    for (const ListPart part : parts) bits_ |= bit(part);
  }
  [[nodiscard]] constexpr bool has(ListPart part) const { return (bits_ & bit(part)) != 0; }
  constexpr void add(ListParts other) { bits_ |= other.bits_; }
  [[nodiscard]] constexpr ListParts without(ListPart part) const {
    ListParts rest = *this;
    rest.bits_ &= static_cast<std::uint16_t>(~bit(part));
    return rest;
  }

 private:
  static constexpr std::uint16_t bit(ListPart part) { return static_cast<std::uint16_t>(1U << static_cast<unsigned>(part)); }
  std::uint16_t bits_ = 0;
};

struct Hit {
  std::uint32_t rank;  // 1-based
  double grade;        // r_i: the largest gain among the actions credited to the item
};

struct GradeCount {
  double grade;
  std::uint64_t items;
};

// A credited `rating` with a value.
struct Rating {
  std::uint32_t rank;
  double rating;
  bool has_prediction = false;
  double prediction = 0;  // the score the list showed the item with
};

// A repeated `rating` with a value, of an item whose credited one has a value, too: [S5.43].
struct Retest {
  std::uint32_t rank;
  double first;  // Rating::rating
  double again;
};

// An action that metrics look at alone.
struct AskedAction {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  // in place of an index: all actions together
  std::uint8_t action = 0;                                           // index into JoinRule::actions
  bool needs_missed = false;
  bool needs_delay = false;
  bool needs_value = false;
};

// What one action alone says of a list. Every hit has the grade 1. An action on the list itself is one hit of the rank 0.
struct ActionPart {
  std::span<const Hit> hits = {};
  std::span<const GradeCount> missed = {};  // of one grade, where it is found out
  std::uint64_t missed_items = 0;
  std::int64_t reach_ms = 0;  // min(h, the action's own horizon)
  std::int64_t first_ms = 0;  // where it is found out: from the list to its first credit, at least 0; reach_ms without any
  std::span<const Hit> worth = {};  // where it is found out: the hits of a net value above 0, which is their grade
  std::span<const std::int64_t> delays_ms = {};  // where it is found out: by hit, from the list to its credit, at least 0
};

// A list beside those that were shown: of the whole list, also where metrics see one without what the user did not see.
struct BesideShown {
  // [i]: distinct items in the first i ranks.
  std::span<const std::uint32_t> distinct = {};
  // By rank: whether the user was shown the item within the horizon of the list's time; and, where a list was shown in the
  // place of this one, the first rank of the item there, 0 where it is not there.
  std::span<const std::uint8_t> seen = {};
  std::optional<std::span<const std::uint32_t>> logged_ranks = {};

  // Distinct items in the first k ranks; 0 where it is not found out.
  [[nodiscard]] std::uint32_t distinct_at(std::uint32_t k) const {
    return distinct.empty() ? 0 : distinct[k < seen.size() ? k : seen.size()];
  }
};

// How likely two policies are to show what the list shows, rank by rank: the one that made it, and one that is judged by it.
// All of the list's length, or empty where it is said. [S5.44].
struct ListPolicy {
  std::span<const double> target = {};     // by rank, of the judged policy: the item's probability there, in [0, 1]
  std::span<const double> logged = {};     // of the one that made the list, in (0, 1]
  std::span<const double> predicted = {};  // the reward foreseen for the item; empty: none is
  std::span<const double> expected = {};   // the same for what the judged policy shows there; empty as `predicted` is
};

struct ScoredList {
  std::uint32_t length = 0;                 // n
  std::span<const Hit> hits = {};           // the relevant ranks
  std::span<const GradeCount> missed = {};  // ListPart::missed
  std::uint64_t missed_items = 0;           // their number

  // ListPart::distinct. [i]: distinct items in the first i ranks, i = 0..n.
  std::span<const std::uint32_t> distinct = {};

  // Where lists of teams are asked for, by rank: 1 + the team's number among those, 0 where there is none; or empty.
  std::span<const std::uint8_t> teams = {};

  // ListPart::feedback.
  std::span<const Rating> ratings = {};
  std::span<const std::uint32_t> judged = {};  // ranks with credited feedback of any action, of gain 0 too
  std::uint64_t credited = 0;                  // (list, item, action) credited
  std::uint64_t credited_with_score = 0;       // those whose item the list showed with a score

  std::span<const Retest> retests = {};  // ListPart::retests

  // ListPart::popularity. Users who acted in a trailing period that ends before the list; by rank: on its item.
  std::span<const std::uint32_t> acting_users_of = {};
  std::uint64_t acting_users = 0;
  std::uint64_t popular_from = 0;  // an item on which at least so many acted is among the most popular; 0: none is

  // By the actions that metrics ask for one by one, in the order of MetricPlan::asked_actions().
  std::span<const ActionPart> by_action = {};
  std::int64_t first_ms = 0;  // where one action is all that is seen (of_action): ActionPart::first_ms

  // ListPart::attributes. By rank, the item's attributes, ascending; empty when the catalogue knows none.
  std::span<const std::span<const std::uint32_t>> attributes = {};

  // ListPart::groups. By rank, the item's group: Catalog::ItemGroups.
  std::span<const std::uint32_t> groups = {};

  // ListPart::latency. Of its bucket: what counts lists by it; nothing: it came without.
  std::optional<std::uint32_t> latency_bucket = {};

  BesideShown beside_shown = {};  // ListPart::seen

  // ListPart::history. By rank: 1 where the user had acted on the item before the list; empty of a user who is nobody.
  std::span<const std::uint8_t> known = {};
  // ListPart::policy. Nothing: no policy is judged by it, or a shown rank has no propensity.
  std::optional<ListPolicy> policy = {};

  [[nodiscard]] std::uint64_t relevant_in_list() const { return hits.size(); }                 // R_list
  [[nodiscard]] std::uint64_t relevant_of_user() const { return hits.size() + missed_items; }  // R_user
  // hits_k: relevant ranks up to k.
  [[nodiscard]] std::uint32_t hits_at(std::uint32_t k) const {
    std::uint32_t count = 0;
    for (const Hit& hit : hits) count += hit.rank <= k ? 1 : 0;
    return count;
  }
  // Distinct items in the first k ranks. Requires: ListPart::distinct.
  [[nodiscard]] std::uint32_t distinct_at(std::uint32_t k) const { return distinct[k < length ? k : length]; }
  // The list as it is where there is nothing but its own items.
  [[nodiscard]] ScoredList alone() const {
    ScoredList list = *this;
    list.missed = {};
    list.missed_items = 0;
    return list;
  }
  // The list as it is when nobody does anything but the action of this part; `by_value`: graded by what that was worth.
  [[nodiscard]] ScoredList of_action(std::size_t part, bool by_value = false) const {
    const ActionPart& action = by_action[part];
    ScoredList list = *this;
    list.hits = by_value ? action.worth : action.hits;
    list.missed = action.missed;
    list.missed_items = action.missed_items;
    list.first_ms = action.first_ms;
    return list;
  }
};

// Feedback assigned to a list at a horizon, per action in configured order.
struct AssignedFeedback {
  std::uint64_t credited = 0;
  std::uint64_t repeated = 0;
};

}  // namespace recmeter
