// The configuration of a guess as commented YAML.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/infer/experiment_guess.h"
#include "app/infer/fitting_shape.h"
#include "app/infer/input_guess.h"
#include "doctor/delay_curve.h"

namespace recmeter {

struct InputFiles {
  std::size_t sample = 0;  // of which the guess was made
  std::vector<std::string> files;
};

// Known of the log by the text without it.
struct LearnedOfLog {
  const doctor::DelayCurve* curve = nullptr;       // chooses the horizon
  const ExperimentGuesses* experiments = nullptr;  // by the text with that horizon; they change comments alone
};

// Requires: there is a shape.
[[nodiscard]] std::string shape_text(const FittingShape& shape, const std::vector<LogSample>& samples,
                                     const LearnedOfLog& learned);
[[nodiscard]] std::string guess_text(const LogGuess& guess, const std::vector<InputFiles>& inputs,
                                     const LearnedOfLog& learned);

// The questions to the user, as sentences. That of a shape requires that a field is dropped.
[[nodiscard]] std::string dropped_doubt(const FittingShape& shape);
[[nodiscard]] std::string doubt_text(const Choice& choice);
[[nodiscard]] std::vector<std::string> time_doubts(const TimeGuess& time);

}  // namespace recmeter
