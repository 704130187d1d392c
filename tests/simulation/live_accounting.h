// compare_accounting: what a live run counts against a replay of the same records.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "recmeter/result/report.h"

namespace recmeter {

// Everything but what only time decides: a live run has settled no more than a replay.
inline void compare_accounting(const Report& live, const Report& replay) {
  ASSERT_EQ(live.partitions.size(), replay.partitions.size());
  for (const PartitionReport& partition : live.partitions) {
    const auto same = std::find_if(replay.partitions.begin(), replay.partitions.end(),
                                   [&](const PartitionReport& other) { return other.name == partition.name; });
    ASSERT_NE(same, replay.partitions.end());
    ASSERT_EQ(partition.records, same->records);
    ASSERT_EQ(partition.disorder.max.ms, same->disorder.max.ms);
    EventCounts settled = same->events;
    settled.duplicates = partition.events.duplicates;
    settled.impressions = partition.events.impressions;
    settled.feedback = partition.events.feedback;
    settled.candidates = partition.events.candidates;
    settled.policies = partition.events.policies;
    settled.undecided = partition.events.undecided;
    ASSERT_EQ(partition.events, settled);
    for (std::size_t i = 0; i < duplicate_reason_count; ++i) {
      ASSERT_LE(partition.events.duplicates[i], same->events.duplicates[i]);
    }
    ASSERT_LE(partition.events.impressions, same->events.impressions);
    ASSERT_LE(partition.events.feedback, same->events.feedback);
    ASSERT_LE(partition.events.candidates, same->events.candidates);
    ASSERT_LE(partition.events.policies, same->events.policies);
  }
  ASSERT_EQ(live.lanes.size(), replay.lanes.size());
  for (std::size_t lane = 0; lane < live.lanes.size(); ++lane) {
    ASSERT_EQ(live.lanes[lane].name, replay.lanes[lane].name);
    ASSERT_LE(live.lanes[lane].counts.candidates.joined, replay.lanes[lane].counts.candidates.joined);
    ASSERT_LE(live.lanes[lane].counts.candidates.orphaned, replay.lanes[lane].counts.candidates.orphaned);
    ASSERT_LE(live.lanes[lane].counts.policies.joined, replay.lanes[lane].counts.policies.joined);
    ASSERT_LE(live.lanes[lane].counts.policies.orphaned, replay.lanes[lane].counts.policies.orphaned);
    ASSERT_LE(live.lanes[lane].counts.judged, replay.lanes[lane].counts.judged);
    ASSERT_LE(live.lanes[lane].counts.feedback.credited, replay.lanes[lane].counts.feedback.credited);
  }
  const FeedbackCounts& outcomes = live.feedback;
  ASSERT_EQ(live.events.feedback, outcomes.credited + outcomes.repeated + outcomes.organic + outcomes.not_in_list +
                                      outcomes.unmatched + outcomes.pending);
  ASSERT_LE(outcomes.credited, replay.feedback.credited);
  ASSERT_LE(outcomes.organic, replay.feedback.organic);
  ASSERT_LE(live.lists, replay.lists);
}

}  // namespace recmeter
