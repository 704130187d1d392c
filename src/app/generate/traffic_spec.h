// TrafficSpec: every knob of the synthetic traffic, with its default, range and unit. `recmeter generate` is this struct on a
// command line; docs and help texts follow it.
//
// Shares are in [0, 1] unless a narrower range is given. Two kinds of knobs: what the traffic is (the model, whose metric
// values are known, app/generate/click_model.h), and how its log was spoilt on the way (the disturbances). A disturbance
// never changes the traffic underneath, so two logs of one seed can be compared.
#pragma once

#include <cstdint>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter::generate {

// How the log is laid out in files. By hour: the hour in which a record was written, as a log is rotated.
inline constexpr std::uint32_t longest_list = 100;  // items

enum class Split : std::uint8_t { none, kind, hour };

// A delay whose logarithm is normal; redrawn while at or beyond TrafficSpec::longest_delay.
struct LogNormalDelay {
  Duration median;   // 1ms to below longest_delay
  double sigma = 1;  // of the natural logarithm; 0 to 4
};

struct TrafficSpec {
  // --- How much, and when
  std::uint64_t lists = 100'000;       // 1 to 1e10
  std::uint64_t seed = 1;              // any
  EventTime start{1'699'920'000'000};  // 2023-11-14T00:00:00Z; a constant, so that output is reproducible
  Duration span = one_day;             // the lists' event times lie in [start, start + span); 1s to 3650d
  double rhythm = 0.6;                 // 0 to 0.95: rate between 1 - r (08:00 UTC) and 1 + r (20:00 UTC) times its mean

  // --- Who and what
  std::uint64_t users = 20'000;   // 1 to 1e8, drawn uniformly
  std::uint64_t items = 10'000;   // in 8 groups of items / 8; at least 8 * length_max, at most 1e8
  double item_exponent = 1.0;     // Zipf exponent of popularity within a group; 0 to 3
  std::uint32_t length_min = 10;  // list length, uniform in [length_min, length_max]; 1 to 100
  std::uint32_t length_max = 10;
  double empty_lists = 0;        // share of lists without items; below 1
  double heavy_user = 0;         // share of the lists that belong to the one user u0
  double placeholder_users = 0;  // share of the lists under the user ids "anonymous" and "0"

  // --- Variants and surfaces
  double quality_a = 0.3;  // share of ranks filled from the user's favourite group
  double quality_b = 0.5;
  double share_b = 0.5;  // share of users that see B
  std::uint32_t segment_values =
      2;                        // values of the key `variant`: 2 = A and B; more: v0, v1, ..., even as A, odd as B; 1 to 1e6
  double surface_search = 0.4;  // share of lists with surface "search", the others "home"
  bool surfaces = true;         // whether lists carry the key `surface` at all

  // --- What users do
  double feedback_per_list = 0.5;                 // mean of all actions; sets the click rate; 0 to what the lists can bear
  double position_bias = 0.7;                     // the chance that rank i is looked at is i^-bias; 0 to 3
  LogNormalDelay click_delay{{20'000}, 1.2};      // after the list
  LogNormalDelay purchase_delay{{120'000}, 1.0};  // after the click; ratings too
  Duration longest_delay = one_hour;              // of each of the two; 1s to 30d
  double purchases = 0.08;                        // chance of a purchase after a click
  double ratings = 0;                             // chance of a rating after a click; above 0, lists carry scores
  double organic = 0.1;                           // share of all actions that follow no list; below 1
  double with_list_id = 0.8;                      // share of the actions on lists that name their list (of placeholders: all)

  // --- Disturbances (shares of honest records, each record with one at most, together at most 0.5)
  Duration disorder{0};            // a record's place in the log is delayed by up to this; at most lateness
  double duplicates = 0;           // written twice
  double late = 0;                 // written when the log is more than `lateness` ahead
  Duration lateness = one_minute;  // what `late` means, as the evaluator's allowed_lateness; 1s to 7d
  double wrong_clocks = 0;         // 2 hours ahead; at most 0.2
  bool far_clock = false;          // one action in 2199: the last record, or in the middle with honest_end
  double malformed = 0;            // added unreadable and invalid records of every kind, per honest record
  double rows = 0;                 // share of lists written as rows, one record an item
  bool honest_end = false;         // each file ends with an honest record, so that held records are decided

  // --- Where the truth is counted
  Duration horizon{1'800'000};  // feedback earlier than this after its list counts; 1s to 60d
};

// The benchmark's traffic: 10 string ids a list, 0.3 feedback per list, 1e6 users, 1e5 items, one segment key, steady rate.
[[nodiscard]] TrafficSpec plain_traffic();

// All faults at once, in one sentence each, one a line.
[[nodiscard]] Result<void> check_spec(const TrafficSpec& spec);

}  // namespace recmeter::generate
