// MetricDefinition: all there is to say about one metric. A new one is a file in src/metric/ that defines one of these and a
// line in src/metric/registry.cpp; the laws of tests/laws run over the registry without being asked, and docs/metrics.md is
// written from it.
//
// Values, immutable, with static storage; any thread. The functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/bucket_count.h"
#include "recmeter/metric/exposure_facts.h"
#include "recmeter/metric/law.h"
#include "recmeter/metric/metric_spec.h"
#include "recmeter/metric/pooled_form.h"
#include "recmeter/metric/user_form.h"
#include "recmeter/metric/weight_facts.h"
#include "recmeter/metric/worked_example.h"

namespace recmeter {

// What a value is averaged over or counted from.
enum class Family : std::uint8_t {
  list_mean,   // a value per list, averaged; [S5], [S6]
  list_share,  // 0 or 1 per list, whatever was done with it; [S8]
  pooled,      // of sums over all lists; [S5] "Ratings", [S6] gmap
  audience,    // of the users who were shown lists; [S8]
  exposure,    // a fact of the items shown; [S8]
  quantile,    // a value per list, of which the one at some rank is published; [S5.31]
};
enum class Scope : std::uint8_t { list, user };
// The condition under which a list says something; [S5], "Evidence".
enum class Evidence : std::uint8_t { none, relevant_in_list, relevant_of_user, own };

// Which way is the good one.
enum class Better : std::uint8_t { higher, lower };

struct MetricDefinition {
  std::string_view name;
  Family family = Family::list_mean;
  Scope scope = Scope::list;
  Evidence evidence = Evidence::none;
  Over over = Over::all;  // relevant: a list without evidence is left out of the mean
  MovedBy moved_by = MovedBy::hits;
  bool has_cutoff = true;
  bool needs_catalog = false;
  bool is_of_ratings = false;      // explicit feedback: no given_relevant
  bool needs_action = false;       // it is of one action, which the option `action` names
  bool is_of_list = false;         // that action may be done to the list itself: [S4.29]
  bool is_of_value = false;        // of what that action was worth, whatever the option `grade` says
  bool needs_examination = false;  // it compares with what ranks get, which the configuration must say
  bool takes_powers = false;       // 2 to the power of grades, which gains of more than 30 are too large for
  ListParts needs = {};
  double low = 0;  // range of the value, for the interval's scale; high may be infinite
  double high = 1;
  Better better = Better::higher;
  MetricOptionSet takes = {};  // what changes its definition
  // Of those that judge another policy: whose weights it has, by which it may be refused; whether the option `of` names the
  // estimator that it is about; what of weights it looks at beside their sums.
  std::optional<Estimator> estimator = {};
  bool needs_estimator = false;
  WeightParts weighs = {};
  LawSet laws;  // what must hold for it beyond what holds for its family; no default: say it

  std::string_view formula;
  std::string_view own_evidence = {};  // Evidence::own: the condition in words
  std::string_view unit = {};          // of the value: "", "%", "bits", "items", "rating", "ms"
  std::string_view says = {};          // what it tells and what misleads, in a sentence or two
  std::string_view edges = {};         // cases beyond those that hold for all; may be empty
  std::string_view elsewhere = {};     // what other tools mean by the name; may be empty
  std::string_view source;
  std::span<const WorkedExample> examples = {};

  // list_mean, list_share and quantile: the value of one list, in [low, high]. k: the cutoff, 0 when has_cutoff is false.
  // Not asked for lists without evidence.
  double (*evaluate)(const ScoredList& list, std::uint32_t k, const MetricOptions& options) = nullptr;
  // How the value of one list comes about, in numbers ("(1 / 1 + 2 / 3) / min(2, 5)"), where putting numbers into `formula`
  // does not say it; what follows a colon explains. Not asked for lists without evidence. Families audience and exposure
  // have none.
  std::string (*arithmetic)(const ScoredList& list, std::uint32_t k, const MetricOptions& options) = nullptr;
  // Evidence::own: whether the list has it.
  bool (*has_evidence)(const ScoredList& list, std::uint32_t k, const MetricOptions& options) = nullptr;
  // pooled; and list_mean where `takes` has unit_pooled.
  const PooledForm* pooled = nullptr;
  // audience: a mean over users, where it is not the share of those who were shown something.
  const UserForm* per_user = nullptr;
  // pooled, where `takes` has unit_list: the mean of what `pooled` makes of each list alone (metric/list_values_mean.h).
  const PooledForm* mean_of_lists = nullptr;
  // pooled, where `takes` has unit_user: makes a user's value of the user's own sums, if `pooled` does not.
  const PooledForm* of_user = nullptr;
  // exposure.
  ExposureParts exposure_needs = {};
  ExposureValue (*measure)(const ExposureFacts& facts, const MetricOptions& options, double confidence) = nullptr;
  // pooled: a fact of the weights of an estimator, without interval.
  std::optional<double> (*of_weights)(const WeightFacts& facts) = nullptr;
  // quantile: of all lists with evidence. Nothing: there are none.
  std::optional<double> (*at_rank)(std::span<const BucketCount> counts, const MetricOptions& options) = nullptr;
  // quantile: the share of the lists that are slower, which the option `slower_than` makes of it.
  const MetricDefinition* slower_share = nullptr;
  // A metric of scope list as Cut::relevant makes it: its evidence is then that of the user.
  const MetricDefinition* cut_at_relevant = nullptr;
};

// The definition that the options choose: of a quantile with a bound a mean over lists, of precision R-precision.
[[nodiscard]] constexpr const MetricDefinition& chosen_by(const MetricOptions& options, const MetricDefinition& metric) {
  if (options.slower_than && metric.slower_share != nullptr) return *metric.slower_share;
  if (options.cut == Cut::relevant && metric.cut_at_relevant != nullptr) return *metric.cut_at_relevant;
  return metric;
}

// Whether it may be of one action alone: where it asks which items are relevant.
[[nodiscard]] constexpr bool takes_action(const MetricDefinition& metric) {
  const bool is_of_lists = metric.family == Family::list_mean || metric.family == Family::pooled;
  const bool is_of_relevance =
      metric.moved_by == MovedBy::hits || metric.moved_by == MovedBy::relevant || metric.needs.has(ListPart::missed);
  return metric.needs_action || metric.estimator || (is_of_lists && is_of_relevance && !metric.is_of_ratings);
}

// What the value is over where nothing says otherwise.
[[nodiscard]] constexpr Unit own_unit(const MetricDefinition& metric) {
  return metric.family == Family::pooled ? Unit::pooled : Unit::list;
}
[[nodiscard]] constexpr bool takes_unit(const MetricDefinition& metric, Unit unit) {
  if (unit == own_unit(metric)) return true;
  switch (unit) {
    case Unit::list: return metric.takes.has(MetricOption::unit_list);
    case Unit::user: return metric.takes.has(MetricOption::unit_user);
    case Unit::pooled: return metric.takes.has(MetricOption::unit_pooled);
  }
  return false;
}

[[nodiscard]] constexpr bool takes_cut(const MetricDefinition& metric, Cut cut) {
  if (cut == Cut::relevant && !metric.takes.has(MetricOption::cut_at_relevant)) return false;
  return cut == Cut::k || metric.takes.has(MetricOption::cut);
}

[[nodiscard]] constexpr bool takes_option(const MetricDefinition& metric, MetricOption option) {
  if (option == MetricOption::action) return takes_action(metric);
  // One word of the configuration.
  if (option == MetricOption::unit_user) {
    return takes_unit(metric, Unit::user) || (takes_unit(metric, Unit::list) && takes_unit(metric, Unit::pooled));
  }
  return metric.takes.has(option);
}

// True where its value is divided by what k says, so that it must have one.
[[nodiscard]] constexpr bool divides_by_k(const MetricDefinition& metric, const MetricOptions& options) {
  const auto takes = [&](MetricOption option) { return metric.takes.has(option); };
  return (takes(MetricOption::ap_denominator) && options.ap_denominator == ApDenominator::k) ||
         (takes(MetricOption::ideal) && options.ideal == IdealDcg::ones) ||
         (takes(MetricOption::precision_denominator) && options.precision_denominator == PrecisionDenominator::k);
}

// Whose weights it is made of, where it judges another policy.
[[nodiscard]] constexpr Estimator weighed_by(const MetricDefinition& metric, const MetricOptions& options) {
  return metric.estimator.value_or(options.of.value_or(Estimator::replay_match));
}

// Whether it needs the configuration's `off_policy`.
[[nodiscard]] constexpr bool judges_policy(const MetricDefinition& metric) {
  return metric.estimator || metric.of_weights != nullptr || metric.needs_estimator;
}

// Whether it looks at what the action was worth.
[[nodiscard]] constexpr bool looks_at_value(const MetricDefinition& metric, const MetricOptions& options) {
  const bool by_policy = metric.estimator && options.off_policy.reward == OffPolicySpec::Reward::value;
  return metric.is_of_value || by_policy || options.grade == Grade::value;
}

// True where it counts the items of the catalogue.
[[nodiscard]] constexpr bool asks_for_catalog(const MetricDefinition& metric, const MetricOptions& options) {
  return metric.needs_catalog && options.universe == Universe::all;
}

// Whether it looks at what a user did outside the list.
[[nodiscard]] constexpr bool looks_beyond_list(const MetricDefinition& metric, const MetricOptions& options) {
  if (options.universe == Universe::list) return false;
  return metric.scope == Scope::user || options.over == Over::user_relevant || options.cut == Cut::relevant;
}

}  // namespace recmeter
