// A TREC run and its judgments as recmeter events, and what trec_eval says of them.
//
// A topic becomes a user with one list: the run's documents in trec_eval's order (score descending, then document id
// descending; its own rank column is not looked at). A relevant document that was retrieved becomes a click on the list; one
// that was not becomes a click of the same user without a list, so that it is a *missed* item. Topic number i stands in
// minute i of an hour, so that a window of a minute is one topic and the hour is their mean.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace recmeter::conformance {

struct TrecTopic {
  std::string name;
  std::vector<std::string> documents;  // as trec_eval orders them
  std::vector<std::string> relevant;   // judged relevant, retrieved or not
};

// Topics of the run that have judgments, by name.
[[nodiscard]] std::vector<TrecTopic> parse_trec(const std::string& run, const std::string& judgments);

// JSON lines in time order; the first list stands at `start_ms`.
[[nodiscard]] std::string trec_events(const std::vector<TrecTopic>& topics, std::int64_t start_ms);

// measure -> topic ("all" for means) -> the value as printed.
using TrecAnswers = std::map<std::string, std::map<std::string, std::string>>;
[[nodiscard]] TrecAnswers parse_trec_answers(const std::string& output);

}  // namespace recmeter::conformance
