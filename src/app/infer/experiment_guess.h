// ExperimentGuess: an experiment that a log can decide: since when its arms run, whether users are known from before, and the
// change that its duration shows.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/infer/segment_guess.h"
#include "config/config.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct ExperimentGuess {
  EventTime start;  // a whole hour
  std::string start_evidence;
  Duration before;  // of CUPED; 0: the log begins with the arms
  std::string metric;
  double mde = 0;
  std::string mde_evidence;
};

inline constexpr Duration guessed_duration{14 * one_day.ms};

using ExperimentGuesses = std::map<std::string, ExperimentGuess, std::less<>>;  // by segment key

// One for each segment that is an arm, by the first records as the configuration reads them. Arms that show no list there
// have no guess. Errors: those of first_records() and of its sources.
[[nodiscard]] Result<ExperimentGuesses> guess_experiments(const Config& config, const std::vector<SegmentGuess>& segments,
                                                          const std::vector<std::string>& files,
                                                          const std::atomic<bool>& stop);

}  // namespace recmeter
