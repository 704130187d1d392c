// TimeGuess: which column is the time of the event, and how it is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/infer/log_sample.h"
#include "recmeter/base/event_time.h"

namespace recmeter {

struct TimeGuess {
  const Column* column = nullptr;
  std::string unit;               // as a configuration writes it
  bool needs_zone = false;        // times have no offset
  bool are_texts = false;         // numbers written as texts
  bool are_dates = false;         // with one time of day for all
  bool day_may_be_month = false;  // no value tells which comes first
  double score = 0;
  const Column* runner_up = nullptr;
  double runner_up_score = 0;
  std::vector<std::optional<EventTime>> times;  // by record, as read in UTC
};

// Nothing: no column is a time in nearly all records. `now`: what lies a day beyond it is none.
[[nodiscard]] std::optional<TimeGuess> guess_time(const LogSample& sample, EventTime now);

// The nearest to a time in a log that has none in nearly all records.
struct NearTime {
  const Column* column = nullptr;
  std::size_t times = 0;  // how many of its values are times; 0: it is only called like one
};
[[nodiscard]] std::optional<NearTime> nearest_time(const LogSample& sample, EventTime now);

// Tells whether it has whole numbers that are written with a fraction or an exponent, which only texts may be: [S2.13].
[[nodiscard]] bool are_doubles(const Column& column, const TimeGuess& log);
// Where a time of the log stands, as a configuration writes it; doubles are made texts.
[[nodiscard]] std::string time_source(const Column& column, const TimeGuess& log);
// The column read as the log's time is, by record.
[[nodiscard]] std::vector<std::optional<EventTime>> times_of(const Column& column, const TimeGuess& log);
// Whether nearly all of `cells` are times of this log, in any unit: they lie where its own do.
[[nodiscard]] bool are_times(const std::vector<Cell>& cells, const TimeGuess& log);

}  // namespace recmeter
