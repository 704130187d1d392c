// Small nasty logs for property tests: what a careless producer, a network and a few wrong clocks can do in ten minutes.
//
// Deterministic in the seed, on every platform. Few users, items, list ids and distinct times, so that collisions, ties,
// duplicates and reused ids are the rule. Every fate and every InvalidReason occurs over a few hundred seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/batch_evaluator.h"

namespace recmeter::support {

// A record and when it happened; one without a readable time has a made-up one, which only places it.
struct LogLine {
  std::int64_t ts = 0;
  std::string text;
};

struct RandomLog {
  std::vector<BatchInput> inputs;
  std::vector<std::vector<LogLine>> lines;  // of each input, in its order
};

// Disorder within and beyond the lateness, future timestamps, field tables that differ between partitions.
[[nodiscard]] RandomLog random_log(std::uint64_t seed, const EvaluatorSpec& spec);

// As nasty, but nothing is late or future and nothing is ever held, in this layout and in those made from it below; one
// field table and one lateness for all partitions. By [S1] all these layouts give the same rows.
[[nodiscard]] RandomLog orderly_log(std::uint64_t seed, const EvaluatorSpec& spec);

// The same partitions, each in another order within its lateness. Requires: made from an orderly log.
[[nodiscard]] RandomLog shuffled_within_lateness(const RandomLog& log, std::uint64_t seed);

// The same records in `partitions` other partitions, each in an order within its lateness. Requires: as above.
[[nodiscard]] RandomLog split_otherwise(const RandomLog& log, std::uint64_t seed, std::size_t partitions);

}  // namespace recmeter::support
