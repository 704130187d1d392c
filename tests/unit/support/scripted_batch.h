// ScriptedBatch: a small log written line by line in a test, at seconds after a round hour, and what the oracle says of it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "support/batch_evaluator.h"

namespace recmeter::support {

inline constexpr std::int64_t hour_zero_ms = 1'699'999'200'000;  // 2023-11-14T22:00:00Z

// One horizon of 30 minutes, click (gain 1), windows of an hour, precision@2, recall@2 and map_list@2, no future rule.
[[nodiscard]] EvaluatorSpec small_spec();

class ScriptedBatch {
 public:
  explicit ScriptedBatch(EvaluatorSpec spec) : spec_(std::move(spec)) {}

  // Times in seconds after hour_zero_ms. `more`: further members, e.g. R"("segments":{"v":"A"})".
  ScriptedBatch& list(double at, std::string_view user, std::string_view list, std::initializer_list<const char*> items,
                      std::string_view more = "");
  ScriptedBatch& row(double at, std::string_view user, std::string_view list, std::string_view item, int position);
  ScriptedBatch& feedback(double at, std::string_view action, std::string_view user, std::string_view item,
                          std::string_view list = "", std::string_view more = "");
  ScriptedBatch& line(std::string_view text);
  // A line of an ignored type that only moves time.
  ScriptedBatch& tick(double at);

  [[nodiscard]] BatchResult run(std::int64_t lateness_ms = 24 * 3600 * 1000) const;

 private:
  ScriptedBatch& event(double at, const std::string& members, std::string_view more);
  EvaluatorSpec spec_;
  std::string bytes_;
};

// Of the row of the whole with the smallest start at horizon `minutes`; fails the test when there is none.
[[nodiscard]] Row whole_row(const BatchResult& result, std::int64_t minutes = 30);
[[nodiscard]] double value_of(const Row& row, std::string_view key);

}  // namespace recmeter::support
