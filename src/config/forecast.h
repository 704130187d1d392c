// Forecast: what a configuration will need at a rate of lists, for `validate --rate`: rows a day exactly, but for how many
// values a segment has, and memory and disk about: by what the parts were measured to take, for traffic as `assumed` says.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/config.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct Forecast {
  // Of traffic that a configuration does not tell.
  struct Assumed {
    double feedback_per_list = 0.3;
    double items_per_list = 10;
    double id_bytes = 12;
    double values_per_key = 10;  // of a segment key that names none to keep
    double items = 10'000;       // where there is no catalogue
    double users = 1'000'000;
  };
  struct Window {
    std::string name;
    double rows_per_day = 0;  // of all horizons and segments
  };

  double lists_per_second = 0;
  Assumed assumed;
  std::uint64_t segments = 0;  // with the whole: rows of each window, start and horizon
  std::vector<Window> windows;
  double rows_per_day = 0;

  Duration journal_span;  // how much of the log the state keeps
  double journal_bytes = 0;
  double results_bytes = 0;    // of keep_results
  double explained_bytes = 0;  // of attribution
  double cold_bytes = 0;       // of lists beyond state.memory
  double disk_bytes = 0;       // all of it

  double joined_bytes = 0;   // lists and feedback within the longest horizon, in memory
  double waiting_bytes = 0;  // events within the lateness
  double sums_bytes = 0;     // windows that are not final: config/window_memory.h
  double shown_bytes = 0;    // rows that clients may ask for
  double store_bytes = 0;    // the store's buffers and cache
  double memory_bytes = 0;   // all of it, and the program's own, while it keeps up
  // What may come on top while it catches up, at most: what is read ahead, and rows and events between two checkpoints.
  double reading_bytes = 0;
  double unkept_bytes = 0;
};

// Requires: lists_per_second > 0. Errors: those of EvaluatorPlan::make.
[[nodiscard]] Result<Forecast> forecast(const Config& config, double lists_per_second);
// A paragraph for a person; one JSON object without a newline.
[[nodiscard]] std::string forecast_text(const Forecast& of);
[[nodiscard]] std::string forecast_json(const Forecast& of);

}  // namespace recmeter
