#include "attribution/cause.h"

#include <algorithm>
#include <cmath>

#include "attribution/left_out_parts.h"

namespace recmeter {

namespace {

// ln(after / before). Empty: a value is not above 0, or there is none.
std::optional<double> log_ratio(const FactsPair& of) {
  if (!of.a.value || !of.b.value || !(*of.a.value > 0) || !(*of.b.value > 0)) return std::nullopt;
  return std::log(*of.b.value / *of.a.value);
}

// The larger one in the direction of the difference.
std::optional<Factor> larger_factor(const FactsPair& of, double sign, const AttributionRule& rule) {
  if (!rule.has_factors) return std::nullopt;
  const auto parts = factor_parts(of);
  if (!parts) return std::nullopt;
  return sign * parts->relevant_share >= sign * parts->given_relevant ? Factor::relevant_share : Factor::given_relevant;
}

// The first with the largest of its parts in the direction of the difference.
template <class PartOf>
const SegmentPart& largest(const std::vector<SegmentPart>& parts, double sign, const PartOf& part_of) {
  return *std::ranges::max_element(
      parts, [&](const SegmentPart& a, const SegmentPart& b) { return sign * part_of(a) < sign * part_of(b); });
}

}  // namespace

std::optional<Unevenness> unevenness_of(std::span<const SegmentRows> segments, const AttributionRule& rule) {
  struct Change {
    double x = 0;
    double weight = 0;
  };
  std::vector<Change> changes;
  for (const SegmentRows& segment : segments) {
    const SharedGroups groups = shared_groups(segment.a, segment.b);
    if (groups.evidence < std::max<std::size_t>(rule.groups_min, 1)) continue;
    const auto x = log_ratio({segment.a.facts, segment.b.facts});
    if (!x) continue;
    const Estimate estimate =
        estimate_without(*x, groups, rule, [&](std::size_t g) { return log_ratio(facts_without(segment.a, segment.b, g)); });
    if (estimate.se && *estimate.se > 0) changes.push_back({*x, 1 / (*estimate.se * *estimate.se)});
  }
  if (changes.size() < 2) return std::nullopt;
  double weights = 0;
  double weighted = 0;
  for (const auto& [x, weight] : changes) {
    weights += weight;
    weighted += weight * x;
  }
  const double mean = weighted / weights;
  Unevenness out;
  for (const auto& [x, weight] : changes) out.q += (x - mean) * (x - mean) * weight;
  const double d = static_cast<double>(changes.size()) - 1;
  out.z = (std::cbrt(out.q / d) - 1 + 2 / (9 * d)) / std::sqrt(2 / (9 * d));
  return out;
}

std::optional<Cause> cause_of(const KeyParts& key, const FactsPair& whole, double difference, const AttributionRule& rule) {
  if (key.parts.empty()) return std::nullopt;
  const double sign = difference < 0 ? -1 : 1;
  Cause cause{.kind = CauseKind::mix, .key = key.key};
  if (sign * key.mix > sign * key.within) {
    const SegmentPart& moved = largest(key.parts, sign, [](const SegmentPart& part) { return part.mix.amount; });
    cause.value = moved.value;
    cause.part = moved.mix.amount;
    return cause;
  }
  if (!key.unevenness) return std::nullopt;
  if (key.unevenness->z > even_up_to) {
    const SegmentPart& changed = largest(key.parts, sign, [](const SegmentPart& part) { return part.within.amount; });
    cause.kind = CauseKind::segment;
    cause.value = changed.value;
    cause.part = changed.within.amount;
    cause.factor = larger_factor({changed.a, changed.b}, sign, rule);
    return cause;
  }
  cause.kind = CauseKind::everywhere;
  cause.part = key.within;
  cause.factor = larger_factor(whole, sign, rule);
  return cause;
}

std::optional<Cause> first_cause(std::span<const KeyParts> keys) {
  std::optional<Cause> first;
  for (const KeyParts& key : keys) {
    if (!key.cause) continue;
    const bool is_before = !first || key.cause->kind < first->kind ||
                           (key.cause->kind == first->kind && std::abs(key.cause->part) > std::abs(first->part));
    if (is_before) first = key.cause;
  }
  return first;
}

}  // namespace recmeter
