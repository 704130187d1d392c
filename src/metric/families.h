// What the definitions of one kind of metric have in common: a metric's file says the rest.
#pragma once

#include "metric/confusion.h"
#include "metric/list_values_mean.h"
#include "metric/rating_pairs.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

// Of a list's rated items, whatever their ranks.
[[nodiscard]] constexpr MetricDefinition of_ratings(MetricDefinition own) {
  own.evidence = Evidence::own;
  own.moved_by = MovedBy::feedback;
  own.has_cutoff = false;
  own.is_of_ratings = true;
  own.needs = {ListPart::feedback};
  return own;
}

// A value of sums over feedback, and so also of the sums of each list or user: [S5.41]. `Sums`: metric/list_values_mean.h.
template <class Sums>
[[nodiscard]] constexpr MetricDefinition of_feedback_sums(MetricDefinition own) {
  own.family = Family::pooled;
  own.evidence = Evidence::own;
  own.moved_by = MovedBy::feedback;
  own.needs = {ListPart::feedback};
  own.takes = {MetricOption::unit_list, MetricOption::unit_user};
  own.pooled = &Sums::pooled;
  own.mean_of_lists = &mean_of_values_alone<Sums>;
  return own;
}

// Of all pairs of a rating and a score; a single one is evidence, unless the metric says what is.
template <class Sums>
[[nodiscard]] constexpr MetricDefinition of_rating_pairs(MetricDefinition own) {
  own = of_feedback_sums<Sums>(of_ratings(own));
  // Asked by its words: to UBSan no comparison of a function's address is a constant.
  if (!own.own_evidence.empty()) return own;
  own.own_evidence = "a pair";
  own.has_evidence = has_pair;
  return own;
}

// How two orders of a list's rated items agree: lists that have no such orders are left out of the mean.
[[nodiscard]] constexpr MetricDefinition of_rated_order(MetricDefinition own) {
  own = of_ratings(own);
  own.over = Over::relevant;
  return own;
}

// Of tp, fp, fn and tn over the catalogue. Evidence is a relevant item, unless the metric says what is.
[[nodiscard]] constexpr MetricDefinition of_confusion(MetricDefinition own) {
  own.scope = Scope::user;
  own.evidence = !own.own_evidence.empty() ? Evidence::own : Evidence::relevant_of_user;
  own.needs_catalog = true;
  own.needs = {ListPart::missed, ListPart::distinct};
  own.takes = {MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::over, MetricOption::universe};
  return own;
}

}  // namespace recmeter
