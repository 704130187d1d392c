// Logs as co-partitioned topics: each input a topic, its records dealt to partitions by their join keys, as producers do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/dice.h"
#include "support/random_log.h"

namespace recmeter::support {

// Each input becomes `partitions` of them, one behind the other; their records have the order of the input.
[[nodiscard]] RandomLog in_partitions(const EvaluatorSpec& spec, const RandomLog& log, std::uint64_t partitions, Dice& dice);

// The partials of so many parts: partition number p of every topic is in part p mod `count`, for the count is no larger.
[[nodiscard]] std::vector<std::string> parts_by_partitions(const EvaluatorSpec& spec, const RandomLog& topics,
                                                           std::uint64_t partitions, std::uint32_t count, Dice& dice);

}  // namespace recmeter::support
