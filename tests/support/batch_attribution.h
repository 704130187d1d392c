// The parts and the cause of a change, written from [S16] alone: a second opinion, slow and obvious.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/batch_interval.h"

namespace recmeter::support {

struct BatchSegment {
  std::string value;
  GroupSums a;
  GroupSums b;
};

using BatchInterval = std::optional<std::pair<double, double>>;

struct BatchCause {
  std::string kind;
  std::string value;
  std::string factor;
};

struct BatchAttribution {
  double difference = 0;
  BatchInterval ci;
  std::vector<double> parts;  // all within, then all mix
  std::vector<BatchInterval> part_cis;
  std::vector<double> factors;
  std::optional<double> q;
  std::optional<BatchCause> cause;
};

// `groups_min`: with evidence on both sides.
[[nodiscard]] BatchAttribution batch_attribution(const std::vector<BatchSegment>& segments, double confidence,
                                                 std::size_t groups_min);

// Units of `unit` that the parts get: whole numbers that add up to those of `whole`.
[[nodiscard]] std::vector<std::int64_t> batch_units(const std::vector<double>& parts, double whole, double unit);

}  // namespace recmeter::support
