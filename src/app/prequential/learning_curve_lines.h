// The file of `recmeter prequential --learning-curves`: recmeter.learning_curve/1, a line for each bucket. Pure; any thread.
#pragma once

#include <span>
#include <string>

#include "recmeter/recommend/learning_curves.h"
#include "recmeter/recommend/prequential_spec.h"

namespace recmeter {

[[nodiscard]] std::string learning_curve_lines(const LearningCurves& curves, std::span<const RecommenderSpec> recommenders);

}  // namespace recmeter
