// What was seen of the lists to be explained and of the feedback of their users: facts of the run, without judgement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/duplicate_reason.h"
#include "recmeter/event/fate.h"
#include "recmeter/join/joiner.h"

namespace recmeter::explain {

// An impression of the list's id and user, whole or one row.
struct WatchedImpression {
  std::size_t input = 0;
  EventTime ts;
  std::string user_id;
  bool by_row = false;
  Fate fate = Fate::accepted;
  std::optional<DuplicateReason> why = {};  // of a duplicate
  std::vector<std::string> items;
  std::vector<double> scores;  // empty: none
  std::uint32_t position = 0;  // by_row
  std::vector<std::pair<std::string, std::string>> segments;
};

struct WatchedCredit {
  EventTime ts;  // of the list
  std::string list_id;
  HorizonMask counted = 0;
  HorizonMask repeated = 0;
};

struct WatchedFeedback {
  std::size_t input = 0;
  EventTime ts;
  std::size_t action = 0;
  std::string item;
  std::string list_id;  // "": none
  std::string user_id;
  std::string event_id;
  std::optional<double> value;
  bool nobody = false;
  Fate fate = Fate::accepted;
  std::optional<DuplicateReason> why = {};  // of a duplicate
  std::optional<FeedbackOutcome> outcome;   // of accepted feedback, at the longest horizon
  std::vector<WatchedCredit> credits;
  bool is_relevant = true;  // false: its value makes it irrelevant
};

// What presets say of a metric, alike.
struct PresetAnswer {
  std::optional<double> value;  // absent: they leave the list out of the mean
  std::vector<std::string_view> presets;
};

struct WatchedMetric {
  std::string key;
  std::string definition;  // "": all as by default
  std::string arithmetic;  // of this list; "": there is none
  std::optional<double> value;
  bool of_list = true;  // false: it is not about one list
  bool in_mean = true;
  bool has_evidence = true;
  std::string note = {};
  // What other tools make of it: value, and the presets that have it; then those that have no such metric.
  std::vector<PresetAnswer> by_presets = {};
  std::vector<std::string_view> not_in_presets = {};
};

// A list at one horizon.
struct WatchedScore {
  std::size_t horizon = 0;
  std::vector<Hit> hits;
  bool knows_missed = false;
  std::vector<GradeCount> missed;
  std::vector<WatchedMetric> metrics;
};

struct WatchedList {
  EventTime ts;
  std::string list_id;
  std::string user_id;
  bool nobody = false;
  std::vector<std::string> items;  // by rank; "": no row reported one
  std::vector<WatchedScore> scores;
};

}  // namespace recmeter::explain
