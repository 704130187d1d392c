// LookSums as bytes, for partials and states. Numbers are those of base/byte_code.h. Pure functions; any thread.
//
//   for each arm: lists, users by zeros; then mixed users by zeros, mixed lists, other lists, lists of nobody; then the
//   number of rows, and of each its place (arm * 256 + slot) less that of the one before, and its columns
//
// By zeros: how many numbers of users are not 0, and of each the zeros and the number.
#pragma once

#include <cstdint>
#include <optional>

#include "recmeter/base/byte_code.h"
#include "recmeter/evaluation/look_sums.h"
#include "recmeter/evaluation/planned_experiment.h"

namespace recmeter {

void write_look(ByteWriter& to, const LookSums& look);
// Nothing where the bytes are not what write_look() writes of such an experiment.
[[nodiscard]] std::optional<LookSums> read_look(ByteReader& from, std::int64_t number, const PlannedExperiment& experiment);

}  // namespace recmeter
