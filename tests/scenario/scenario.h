// Scenario: a claim of docs/semantics.md as a text file: a configuration, a log, and what must come of it.
// README.md has the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/result/report.h"
#include "support/random_log.h"

namespace recmeter::scenario {

// Times in a scenario count from here: 2023-11-14T22:00:00Z.
inline constexpr std::int64_t base_ms = 1'699'999'200'000;

struct ExpectedRow {
  std::size_t line = 0;  // where it stands in the file
  std::string stage;
  std::string window;
  std::int64_t start_ms = 0;
  std::optional<Duration> horizon;
  std::string segment;  // "{variant=A}"; "{}": the whole
  std::vector<std::pair<std::string, std::string>> values;
};

struct Scenario {
  EvaluatorSpec spec;
  support::RandomLog log;
  bool fixed_layout = false;   // what comes of it depends on the partitions: late and future events
  EventCounts fates;           // of the run; only what is decided before the join, and duplicates
  bool names_reasons = false;  // of duplicates; else all of them count as `again`
  std::optional<FeedbackCounts> outcomes;
  std::optional<std::uint64_t> lists;
  std::vector<ExpectedRow> rows;
};

// The scenario, or what is wrong with the text and in which line.
[[nodiscard]] std::pair<Scenario, std::string> parse_scenario(std::string_view text);

}  // namespace recmeter::scenario
