// Report: the accounting of a run. [S9], [I5].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/event/duplicate_reason.h"
#include "recmeter/event/fate.h"
#include "recmeter/join/outcome_counts.h"
#include "recmeter/result/invalid_record.h"

namespace recmeter {

// Invariant at every moment: read = invalid + ignored + future + late + duplicate() + impressions + feedback + candidates +
// policies + undecided.
struct EventCounts {
  std::uint64_t read = 0;
  std::uint64_t invalid = 0;
  std::uint64_t ignored = 0;
  std::uint64_t future = 0;
  std::uint64_t late = 0;
  std::array<std::uint64_t, duplicate_reason_count> duplicates{};  // by DuplicateReason
  std::uint64_t impressions = 0;                                   // accepted whole lists and accepted rows
  std::uint64_t feedback = 0;                                      // accepted
  std::uint64_t undecided = 0;
  std::uint64_t late_after_idle = 0;
  std::uint64_t future_by_clock = 0;
  std::uint64_t candidates = 0;  // accepted
  std::uint64_t policies = 0;    // accepted

  // Of all reasons.
  [[nodiscard]] std::uint64_t duplicate() const {
    return std::accumulate(duplicates.begin(), duplicates.end(), std::uint64_t{0});
  }
  [[nodiscard]] std::uint64_t duplicate(DuplicateReason reason) const { return duplicates[index_of(reason)]; }
  void add_duplicate(DuplicateReason reason) { ++duplicates[index_of(reason)]; }

  // visit(this count of the first, of the second, ...) for every count, in the order above.
  template <class Visit, class... Counts>
  static void for_each(Visit&& visit, Counts&... counts) {
    constexpr std::array before{&EventCounts::read, &EventCounts::invalid, &EventCounts::ignored, &EventCounts::future,
                                &EventCounts::late};
    constexpr std::array behind{&EventCounts::impressions,     &EventCounts::feedback,        &EventCounts::undecided,
                                &EventCounts::late_after_idle, &EventCounts::future_by_clock, &EventCounts::candidates,
                                &EventCounts::policies};
    constexpr std::size_t every = before.size() + duplicate_reason_count + behind.size();
    static_assert(sizeof(EventCounts) == every * sizeof(std::uint64_t), "every count is visited");
    for (const auto count : before) visit(counts.*count...);
    for (std::size_t reason = 0; reason < duplicate_reason_count; ++reason) visit(counts.duplicates[reason]...);
    for (const auto count : behind) visit(counts.*count...);
  }

  EventCounts& operator+=(const EventCounts& other);
  EventCounts& operator-=(const EventCounts& other);
  // Makes the invariant true by `undecided`: what was read and has no fate yet.
  void settle_undecided();
  friend bool operator==(const EventCounts&, const EventCounts&) = default;
};

// Invariant: events() is EventCounts::feedback of the whole run.
using FeedbackCounts = OutcomeCounts;

// What became of the accepted candidates of a lane, or of its policies.
struct CandidateCounts {
  std::uint64_t joined = 0;
  std::uint64_t orphaned = 0;  // no list of that user and id was shown up to then; a policy's has other than its ranks

  CandidateCounts& operator+=(const CandidateCounts& other) {
    joined += other.joined;
    orphaned += other.orphaned;
    return *this;
  }
  CandidateCounts& operator-=(const CandidateCounts& other) {
    joined -= other.joined;
    orphaned -= other.orphaned;
    return *this;
  }
  friend bool operator==(const CandidateCounts&, const CandidateCounts&) = default;
};

// One lane but that of what was shown.
struct LaneCounts {
  CandidateCounts candidates;
  CandidateCounts policies;
  FeedbackCounts feedback;     // all of the log's, in this lane
  std::uint64_t unpaired = 0;  // lists left out where another lane has none
  std::uint64_t judged = 0;    // lists that were shown and judge the policy

  LaneCounts& operator+=(const LaneCounts& other) {
    candidates += other.candidates;
    policies += other.policies;
    feedback += other.feedback;
    unpaired += other.unpaired;
    judged += other.judged;
    return *this;
  }
  LaneCounts& operator-=(const LaneCounts& other) {
    candidates -= other.candidates;
    policies -= other.policies;
    feedback -= other.feedback;
    unpaired -= other.unpaired;
    judged -= other.judged;
    return *this;
  }
  friend bool operator==(const LaneCounts&, const LaneCounts&) = default;
};
// Fates of the feedback of one action.
struct ActionReport {
  std::string name;
  FeedbackCounts feedback;
};

struct LaneReport {
  std::string name;
  bool is_policy = false;  // judged by what was shown
  LaneCounts counts;
};

// How far events lie behind the newest one before them, over timed events of a partition; quantiles from a histogram with
// buckets at most 1/16 wide, upper bounds.
struct Disorder {
  Duration max;
  Duration p50;
  Duration p999;
};

struct PartitionReport {
  std::string name;
  std::uint64_t records = 0;
  EventCounts events;
  std::optional<EventTime> watermark;  // M_p - L_p; absent when it had no timed event
  Disorder disorder;                   // of a sorted partition: as it was found
  bool is_sorted = false;              // its records were sorted before they were read
};

// At the end of a plain file records lay too far ahead of those before them (max_step), and too few to show that time moved
// on: the log counts as ended before them.
struct GapAtEnd {
  std::string partition;
  std::uint64_t records = 0;
  Duration step;           // a max_step as long would have taken them
  EventTime to;            // then the log would have ended here
  std::uint64_t rows = 0;  // and these would have been final, not truncated
};

struct Report {
  bool complete = true;
  std::uint64_t records = 0;
  EventCounts events;
  FeedbackCounts feedback;
  std::vector<ActionReport> actions = {};  // by action, adding up to `feedback`; a live run has none
  std::uint64_t lists = 0;
  std::vector<LaneReport> lanes = {};  // those of `lanes.names`
  std::array<std::uint64_t, invalid_reason_count> invalid_reasons{};
  std::vector<InvalidRecord> invalid_records = {};  // one for each reason; for messages, not part of the JSON
  std::vector<PartitionReport> partitions;
  EventTime final_to = minus_infinity;  // of a replay: windows whose end + horizon + skew lies behind it are not final
  std::optional<GapAtEnd> gap_at_end;
  std::string tzdata = {};            // version of the tz database, where local times were read by it
  std::vector<std::string> warnings;  // what a user is told of a finished run
  std::uint64_t rows_final = 0;
  std::uint64_t rows_truncated = 0;
  std::uint64_t rows_provisional = 0;
  std::uint64_t sums_bytes_max = 0;        // the most memory that sums of panes and windows took
  std::uint64_t exposure_bytes_max = 0;    // and that sets of items shown took
  std::uint64_t popularity_bytes_max = 0;  // and that the popularity of items took
  double wall_seconds = 0;
  double events_per_second = 0;

  // Adds what became of the feedback of each of these actions. Requires: as many names.
  void add_actions(std::span<const std::string> names, std::span<const FeedbackCounts> counts);
  // Fills the totals from those of partitions, whose fates are known but for `undecided`; the identities of [S9] hold then.
  void add_up();
};

}  // namespace recmeter
