// Explanation: what was seen of a list, with the reason for each outcome; what the text and the JSON of `recmeter explain`
// say. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/explain/watched.h"
#include "recmeter/join/join_rule.h"

namespace recmeter::explain {

struct ExplainedItem {
  std::uint32_t rank = 0;
  std::string item;  // "": no row reported one
  std::optional<double> score;
  std::optional<Duration> shown_after;  // rows: after the list's time
  std::uint32_t first_rank = 0;         // of an item that stands at a better rank too: there it counts. 0: it does not
};

struct ExplainedFeedback {
  std::string input;
  EventTime ts;
  Duration delay;  // from the list's time
  std::string action;
  std::string item;
  std::string list_id;
  std::optional<double> value;
  std::string fate;
  std::string outcome;               // at the longest horizon; "" unless accepted
  std::vector<std::string> reasons;  // per horizon, in configured order; one where the fate says all
};

struct ExplainedScore {
  Duration horizon;
  std::vector<Hit> hits;
  std::vector<std::pair<std::string, double>> missed;  // item, grade
  bool has_missed = false;                             // the user's feedback elsewhere is known
  std::vector<WatchedMetric> metrics;
};

struct Explanation {
  std::string list_id;
  std::string user_id;
  EventTime ts;
  std::vector<std::string> inputs;  // that the list came from
  std::vector<std::pair<std::string, std::string>> segments;
  std::vector<ExplainedItem> items;
  std::vector<std::string> other_impressions;  // of the id and user that took no part, and why
  std::vector<ExplainedFeedback> feedback;
  std::size_t farther = 0;  // feedback on its items that is more than the longest horizon away
  std::vector<ExplainedScore> scores;
};

// `inputs`: names of the partitions.
[[nodiscard]] Explanation explain(const WatchedList& list, const std::vector<WatchedImpression>& impressions,
                                  const std::vector<WatchedFeedback>& feedback, const JoinRule& rule,
                                  const std::vector<std::string>& inputs);

// Lines of at most `width` columns where they can be broken; 0: any.
[[nodiscard]] std::string text_of(const Explanation& explanation, std::size_t width);
// One object on one line, with a newline: docs/outputs.md.
[[nodiscard]] std::string json_of(const Explanation& explanation);

// For a person: "250ms", "8.8s", "1m36s", "2h5m". Rounded down to what it shows.
[[nodiscard]] std::string short_duration(Duration duration);
// The same with its sign: "+15s", "-250ms".
[[nodiscard]] std::string delay_text(Duration delay);

}  // namespace recmeter::explain
