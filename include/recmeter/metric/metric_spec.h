// MetricSpec: what the configuration asks of metrics, before names are resolved (metric/plan.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recmeter {

enum class GainKind : std::uint8_t { linear, exp2 };                 // g(r) = r, or 2^r - 1
enum class ApDenominator : std::uint8_t { min, relevant, k, hits };  // SEMANTICS §5, map_list

// The choices that change a metric's definition. Every value carries them through its key or the documentation.
struct MetricOptions {
  GainKind gain = GainKind::linear;
  ApDenominator ap_denominator = ApDenominator::min;
  double beta = 2;  // of fbeta; > 0
};

struct MetricRequest {
  std::string name;
  std::optional<std::string> as;  // the key in rows, before "@k"; the name by default
  MetricOptions options;
};

struct MetricSpec {
  std::vector<std::uint32_t> cutoffs{1, 5, 10};  // distinct, >= 1, in configured order
  std::vector<MetricRequest> requests;           // in configured order
  double confidence = 0.95;                      // in (0, 1)
};

}  // namespace recmeter
