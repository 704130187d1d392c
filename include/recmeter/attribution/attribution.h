// Attribution: the difference of two rows of a mean in exact parts, and its cause where one can be told. [S16].
//
// Parts are by the values of each segment key and by factor; each has an interval by the jackknife of [S6.12] where the sums
// of user groups are known, leaving a group out of both rows at once. What moved in the same way everywhere is told from what
// one segment did by Cochran's Q over the logarithms of the ratios, made normal by the cube root (Wilson, Hilferty 1931: The
// distribution of chi-square). Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/attribution/change_parts.h"
#include "recmeter/attribution/exact_parts.h"
#include "recmeter/attribution/mean_row.h"
#include "recmeter/metric/estimate.h"

namespace recmeter {

// In the order in which one of several is chosen.
enum class CauseKind : std::uint8_t {
  mix,        // lists moved between segments
  segment,    // one segment changed more than others
  everywhere  // all segments changed alike
};
enum class Factor : std::uint8_t { relevant_share, given_relevant };
[[nodiscard]] std::string_view to_string(CauseKind kind);
[[nodiscard]] std::string_view to_string(Factor factor);

struct Cause {
  CauseKind kind = CauseKind::everywhere;
  std::string key = {};
  std::optional<std::string> value = {};  // of the key; empty: everywhere
  std::optional<Factor> factor = {};      // empty: of a mix, and where the metric has none
  double part = 0;                        // of the difference
  friend bool operator==(const Cause&, const Cause&) = default;
};

struct ChangePart {
  double amount = 0;
  std::optional<std::pair<double, double>> ci = {};
  friend bool operator==(const ChangePart&, const ChangePart&) = default;
};

// How unequally segments changed.
struct Unevenness {
  double q = 0;  // Cochran's Q of ln(after / before)
  double z = 0;  // above even_up_to they did not change alike
};

struct SegmentPart {
  std::string value;
  MeanFacts a;
  MeanFacts b;
  ChangePart within;
  ChangePart mix;
};

struct KeyParts {
  std::string key;
  std::vector<SegmentPart> parts;  // in the order of the rows
  double within = 0;               // of all of them
  double mix = 0;
  std::optional<Unevenness> unevenness = {};  // empty: no sums, or less than two segments have their groups
  std::optional<Cause> cause = {};
};

struct Attribution {
  MeanFacts a;
  MeanFacts b;
  ChangePart difference;
  std::vector<KeyParts> by;
  std::optional<std::pair<ChangePart, ChangePart>> factors;  // relevant_share, given_relevant
  std::optional<Cause> cause;
};

struct AttributionRule {
  double unit = part_unit_bounded;
  double confidence = 0.95;
  bool has_factors = true;                       // the value is the product of both
  std::size_t groups_min = evidence_groups_min;  // with evidence, on both sides
};

inline constexpr double even_up_to = 2.3263478740408408;  // the 99 % point of a normal distribution

// Requires: a and b have a value. Intervals and causes are where all rows have their sums.
[[nodiscard]] Attribution attribute(const MeanRow& a, const MeanRow& b, std::span<const KeyRows> keys,
                                    const AttributionRule& rule);

// The first by kind, then the one with the larger part, then the first.
[[nodiscard]] std::optional<Cause> first_cause(std::span<const KeyParts> keys);

}  // namespace recmeter
