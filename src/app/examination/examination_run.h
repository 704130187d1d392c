// A replay whose lists are looked at once, when they are final, in place of rows: how likely is each rank looked at.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "app/examination/estimate.h"
#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/replay.h"

namespace recmeter::examining {

// Which lists say it, and how.
struct Request {
  std::string key;                    // of segments
  std::optional<std::string> random;  // its value whose lists stand in random order; nothing: its values are variants
  std::optional<Duration> horizon;    // one of the configured ones; the longest by default
  std::uint64_t min = 100;
};

struct ExaminationRun {
  Request request;
  Duration horizon;
  double confidence = 0.95;
  Examined examined;
  std::map<std::string, std::uint64_t> lists;  // that count, by the value of the key
  std::uint64_t other_lists = 0;               // with another value, or without the key
  std::uint64_t unfinished_lists = 0;          // whose horizon the log does not cover
  Report report;
};

// As a replay joins; what is sorted is read twice. One thread. Errors: of a replay; config_invalid where the horizon is not
// configured, where all lists are of one variant or variants are too many; input_missing where no list counts; input_corrupt
// where items are too many.
[[nodiscard]] Result<ExaminationRun> run_examination(const Config& config, const Request& request, ReplayInputs inputs,
                                                     const Sorting& sorting,
                                                     const std::function<void(const ReplayProgress&)>& progress,
                                                     const std::atomic<bool>& stop);

// For a person: a table, what it means, what was left out, and lines of a configuration. Lines of at most `width` columns
// where they can be broken; 0: any.
[[nodiscard]] std::string text_of(const ExaminationRun& run, std::size_t width);
// One object with a newline: `recmeter.examination/1`.
[[nodiscard]] std::string json_of(const ExaminationRun& run);

// As metrics.examination takes it; nothing where no rank has a value.
[[nodiscard]] std::string configuration_of(const Examined& examined);

}  // namespace recmeter::examining
