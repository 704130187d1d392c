// OffPolicySpec: the configuration's `off_policy`: how another policy is judged by lists that it did not make. [S5.44].
//
// A list was shown with known probabilities, and the judged policy says how likely it would have shown the same. The quotient
// of both is the list's weight. Estimators differ in which of these they multiply, and so in what they assume.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recmeter {

// Estimates of the mean reward of a list, had the judged policy made it. As the metrics are called.
enum class Estimator : std::uint8_t { ips, ips_clipped, snips, dr, rips, slate_ips, pseudo_inverse, replay_match };
inline constexpr std::array<std::string_view, 8> estimator_words{"ips",  "ips_clipped", "snips",          "dr",
                                                                 "rips", "slate_ips",   "pseudo_inverse", "replay_match"};
[[nodiscard]] constexpr std::string_view to_string(Estimator estimator) {
  return estimator_words[static_cast<std::size_t>(estimator)];
}

struct OffPolicySpec {
  enum class Propensities : std::uint8_t { marginal, conditional };  // P(item at rank); given the ranks above
  enum class Reward : std::uint8_t { grade, hits, value };           // of an item; `value`: of the metric's action
  enum class Logging : std::uint8_t { unknown, factored, uniform };  // ranks drawn each for itself; lists all equally likely

  Propensities propensities = Propensities::marginal;
  Reward reward = Reward::grade;
  Logging logging = Logging::unknown;
  double min_ess = 100;           // an estimate of fewer effective lists, or users, is refused; 0: none is
  double max_weight_share = 0.1;  // so is one where a single weight makes more of their sum; 1: none is
};
inline constexpr std::array<std::string_view, 2> propensities_words{"marginal", "conditional"};
inline constexpr std::array<std::string_view, 3> reward_words{"grade", "hits", "value"};
inline constexpr std::array<std::string_view, 3> logging_words{"unknown", "factored", "uniform"};

// A larger weight is no number to reckon with: the value is refused.
inline constexpr double weight_max = 1e8;

// Why the estimator has no meaning for such lists.
struct EstimatorRefusal {
  std::string why;  // after the metric's name
  std::string remedy;
};
[[nodiscard]] std::optional<EstimatorRefusal> refusal_of(Estimator estimator, const OffPolicySpec& spec);

}  // namespace recmeter
