// BatchEvent: one event as the batch evaluator sees it. Plain strings, nothing packed. [S2].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/join_key.h"
#include "recmeter/join/join_rule.h"

namespace recmeter::support {

struct BatchEvent {
  enum class Kind { list, row, feedback, candidate, policy };
  Kind kind = Kind::list;
  std::int64_t ts = 0;  // milliseconds
  std::string user_id;  // as it stands; empty: absent
  std::string list_id;
  std::string event_id;
  std::vector<std::string> items;  // row and feedback: one
  std::uint32_t position = 0;      // row: native rank, from 1
  std::size_t action = 0;          // feedback
  std::size_t recommender = 0;     // candidate and policy: its place among the configured ones
  std::optional<double> value;     // feedback
  std::vector<double> scores;      // row: at most one
  std::vector<double> propensities;
  std::vector<double> predicted;  // policy
  std::vector<double> expected;
  std::vector<std::string> teams;  // "": none; row: at most one; only where an experiment asks for them
  std::optional<double> latency;   // list and row, in milliseconds; only where some metric asks for it
  std::vector<std::pair<std::string, std::string>> segments;  // sorted by key, no empty value
  std::size_t partition = 0;                                  // [S2.29]: place in the list of inputs
  std::size_t place = 0;                                      // [S2.29]: place in the partition
  std::size_t record = 0;                                     // place of the first event of its record
};

// Whether it is of a recommender that was not shown.
[[nodiscard]] inline bool is_of_lane(const BatchEvent& event) {
  return event.kind == BatchEvent::Kind::candidate || event.kind == BatchEvent::Kind::policy;
}

// What the record's `type` says.
[[nodiscard]] std::string_view type_of(const BatchEvent& event, std::span<const Action> actions);

// Whose timeline: the user, or "" for nobody (ids are never empty). [S4.19], [S4.20].
[[nodiscard]] std::string owner_of(const BatchEvent& event, const JoinKey& key);

// "Where a rule needs a first among events" ([S2.26]): by ts, canonical bytes, then [S2.29].
class EventOrder {
 public:
  explicit EventOrder(std::span<const Action> actions) : actions_(actions) {}
  [[nodiscard]] bool operator()(const BatchEvent& a, const BatchEvent& b) const;

 private:
  std::span<const Action> actions_;
};

// The known fields as JSON without spaces, in the order of the table of [S2].
[[nodiscard]] std::string canonical_text(const BatchEvent& event, std::span<const Action> actions);

// Appends `text` with its quotes, escaping only what JSON demands.
void append_quoted(std::string& out, std::string_view text);
// Appends the shortest form that reads back the same.
void append_shortest(std::string& out, double number);

}  // namespace recmeter::support
