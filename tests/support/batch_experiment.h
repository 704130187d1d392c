// The looks of experiments, by trying every list at every look: section 10 of docs/semantics.md the slow and obvious way. The
// oracle of their tests; like the batch evaluator it shares plain values with the product and no code.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "support/batch_evaluator.h"

namespace recmeter::support {

struct BatchLook {
  std::string experiment;
  std::int64_t number = 0;
  bool is_closed = false;
  std::vector<std::string> incomplete;
  std::uint8_t sample = 0;
  std::vector<std::uint64_t> lists;  // by arm
  std::vector<std::uint64_t> users;
  std::uint64_t mixed_users = 0;
  std::uint64_t mixed_lists = 0;
  std::uint64_t other_lists = 0;
  std::uint64_t nobody_lists = 0;
  // s, n, x, p, m of each tested metric, by arm and slot; in 2^-32.
  using Column = std::array<Int128, 256>;
  struct Sums {
    Column s{}, n{}, x{}, p{}, m{};
  };
  std::vector<std::vector<Sums>> metrics;
  std::vector<std::vector<Int128>> uncut;  // of each tested metric with a cap, by arm: s without it
  std::uint64_t wins = 0;                  // of a team draft
  std::uint64_t losses = 0;
  std::uint64_t ties = 0;
};

// Per experiment, in configured order: its looks. Metrics of unit `list`, pooled recall by R_user, income, reward and those
// of users.
[[nodiscard]] std::vector<std::vector<BatchLook>> looks_in_batch(const EvaluatorSpec& spec,
                                                                 std::span<const BatchInput> inputs);

}  // namespace recmeter::support
