#include "support/batch_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

#include "support/batch_actions.h"
#include "support/batch_confusion.h"
#include "support/batch_gain.h"
#include "support/batch_history.h"
#include "support/batch_interval.h"
#include "support/batch_lane_metrics.h"
#include "support/batch_latency.h"
#include "support/batch_policy_rows.h"
#include "support/batch_popularity_metrics.h"
#include "support/batch_ratings.h"

namespace recmeter::support {
namespace {

using List = ListRelevance;

double quotient(double numerator, double denominator) {
  return denominator == 0 ? 0 : numerator / denominator;
}

// hits_k = the relevant items of the first min(k, n) ranks
std::size_t hits(const List& list, std::size_t k) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(k, list.grades.size()); ++i) count += list.grades[i] > 0 ? 1U : 0U;
  return count;
}

std::size_t r_list(const List& list) {
  return hits(list, list.grades.size());
}
std::size_t r_user(const List& list) {
  return r_list(list) + list.missed.size();
}

// "precision_denominator: k | shown"
std::size_t precision_ranks(const List& list, std::size_t k, const MetricOptions& options) {
  return options.precision_denominator == PrecisionDenominator::shown ? std::min(k, list.grades.size()) : k;
}

double precision(const List& list, std::size_t k, const MetricOptions& options) {
  return quotient(static_cast<double>(hits(list, k)), static_cast<double>(precision_ranks(list, k, options)));
}

double hit_rate(const List& list, std::size_t k, const MetricOptions&) {
  return hits(list, k) > 0 ? 1 : 0;
}

double mrr(const List& list, std::size_t k, const MetricOptions&) {
  for (std::size_t i = 0; i < std::min(k, list.grades.size()); ++i) {
    if (list.grades[i] > 0) return 1 / static_cast<double>(i + 1);
  }
  return 0;
}

// Σ_{i≤k} b_i·hits_i/i
double precision_sum(const List& list, std::size_t k) {
  double sum = 0;
  for (std::size_t i = 1; i <= std::min(k, list.grades.size()); ++i) {
    if (list.grades[i - 1] > 0) sum += static_cast<double>(hits(list, i)) / static_cast<double>(i);
  }
  return sum;
}

std::size_t ap_denominator(const List& list, std::size_t k, std::size_t relevant, ApDenominator choice) {
  switch (choice) {
    case ApDenominator::min: return std::min(relevant, k);
    case ApDenominator::relevant: return relevant;
    case ApDenominator::k: return k;
    case ApDenominator::hits: return hits(list, k);
  }
  return 0;
}

double average_precision(const List& list, std::size_t k, std::size_t relevant, ApDenominator choice) {
  return quotient(precision_sum(list, k), static_cast<double>(ap_denominator(list, k, relevant, choice)));
}

double map_list(const List& list, std::size_t k, const MetricOptions& options) {
  return average_precision(list, k, r_list(list), options.ap_denominator);
}

// [S5.8]: the choice of denominator holds for both.
double map_user(const List& list, std::size_t k, const MetricOptions& options) {
  return average_precision(list, k, r_user(list), options.ap_denominator);
}

double ndcg_list(const List& list, std::size_t k, const MetricOptions& options) {
  return quotient(reached_gain(list, k, options), ideal_gain_of_list(list, k, options));
}
double ndcg_user(const List& list, std::size_t k, const MetricOptions& options) {
  return quotient(reached_gain(list, k, options), ideal_gain_of_user(list, k, options));
}

// "recall_denominator: relevant | min"
std::size_t recall_items(const List& list, std::size_t k, const MetricOptions& options) {
  return options.recall_denominator == RecallDenominator::min ? std::min(r_user(list), k) : r_user(list);
}

double recall(const List& list, std::size_t k, const MetricOptions& options) {
  return quotient(static_cast<double>(hits(list, k)), static_cast<double>(recall_items(list, k, options)));
}

// F_β = (1+β²)PR/(β²P+R)
double f_measure(const List& list, std::size_t k, double beta) {
  const double p = precision(list, k, {});
  const double r = recall(list, k, {});
  return quotient((1 + beta * beta) * p * r, beta * beta * p + r);
}

double f1(const List& list, std::size_t k, const MetricOptions&) {
  return f_measure(list, k, 1);
}
double fbeta(const List& list, std::size_t k, const MetricOptions& options) {
  return f_measure(list, k, options.beta);
}

double is_empty(const List& list, std::size_t, const MetricOptions&) {
  return list.grades.empty() ? 1 : 0;
}
double is_short(const List& list, std::size_t k, const MetricOptions&) {
  return list.grades.size() < k ? 1 : 0;
}

bool in_list(const List& list, std::size_t, const MetricOptions&) {
  return r_list(list) > 0;
}
bool of_user(const List& list, std::size_t, const MetricOptions&) {
  return r_user(list) > 0;
}
bool always(const List&, std::size_t, const MetricOptions&) {
  return true;
}

// Pairs of ranks up to k whose items both have attributes.
std::vector<std::pair<std::size_t, std::size_t>> known_pairs(const List& list, std::size_t k) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < std::min(k, list.attributes.size()); ++i) {
    for (std::size_t j = i + 1; j < std::min(k, list.attributes.size()); ++j) {
      if (!list.attributes[i].empty() && !list.attributes[j].empty()) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

double intra_list_diversity(const List& list, std::size_t k, const MetricOptions&) {
  double sum = 0;
  const auto pairs = known_pairs(list, k);
  for (const auto& [i, j] : pairs) {
    std::set<std::uint32_t> either(list.attributes[i].begin(), list.attributes[i].end());
    either.insert(list.attributes[j].begin(), list.attributes[j].end());
    const auto common = list.attributes[i].size() + list.attributes[j].size() - either.size();
    sum += 1 - static_cast<double>(common) / static_cast<double>(either.size());
  }
  return sum / static_cast<double>(pairs.size());
}
bool has_known_pair(const List& list, std::size_t k, const MetricOptions&) {
  return !known_pairs(list, k).empty();
}

// --- unit: pooled: "ratio of summed numerators and denominators", each rounded once; nothing when the denominator is 0.

struct Parts {
  double above = 0;
  double below = 0;
};

std::optional<double> ratio(WideSum above, WideSum below) {
  if (below == 0) return std::nullopt;
  return static_cast<double>(static_cast<long double>(above) / static_cast<long double>(below));
}

template <Parts (*parts)(const List&, std::size_t, const MetricOptions&)>
std::optional<double> summed(ListsTogether lists, std::size_t k, const MetricOptions& options) {
  WideSum above = 0;
  WideSum below = 0;
  for (const List* list : lists) {
    const Parts of_list = parts(*list, options.cut == Cut::relevant ? r_user(*list) : k, options);
    above += to_fixed_wide(of_list.above);
    below += to_fixed_wide(of_list.below);
  }
  return ratio(above, below);
}

Parts precision_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return {static_cast<double>(hits(list, k)), static_cast<double>(precision_ranks(list, k, options))};
}
Parts recall_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return {static_cast<double>(hits(list, k)), static_cast<double>(recall_items(list, k, options))};
}
Parts map_list_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return {precision_sum(list, k), static_cast<double>(ap_denominator(list, k, r_list(list), options.ap_denominator))};
}
Parts map_user_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return {precision_sum(list, k), static_cast<double>(ap_denominator(list, k, r_user(list), options.ap_denominator))};
}
Parts ndcg_list_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return {reached_gain(list, k, options), ideal_gain_of_list(list, k, options)};
}
Parts ndcg_user_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return {reached_gain(list, k, options), ideal_gain_of_user(list, k, options)};
}
// ΣDCG ÷ lists
Parts dcg_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return {dcg(list, k, options), 1};
}
// (1+β²)Σhits/(β²ΣR_user + Σk)
Parts f_parts(const List& list, std::size_t k, double beta) {
  const double square = beta * beta;
  return {(1 + square) * static_cast<double>(hits(list, k)),
          square * static_cast<double>(r_user(list)) + static_cast<double>(k)};
}
Parts f1_parts(const List& list, std::size_t k, const MetricOptions&) {
  return f_parts(list, k, 1);
}
Parts fbeta_parts(const List& list, std::size_t k, const MetricOptions& options) {
  return f_parts(list, k, options.beta);
}
// lauc: Σ area·P·I / Σ P·I
template <double (*of_list)(const List&, std::size_t, const MetricOptions&)>
Parts parts_of_pairs(const List& list, std::size_t k, const MetricOptions& options) {
  const Counts counts = counts_at(list, k, options);
  const double pairs = (counts.tp + counts.fn) * (counts.fp + counts.tn);
  return {pairs == 0 ? 0 : of_list(list, k, options) * pairs, pairs};
}

// --- what is made of counts

template <double (*formula)(const Counts&)>
double of_counts(const List& list, std::size_t k, const MetricOptions& options) {
  return formula(counts_at(list, k, options));
}

// "the formula on summed tp, fp, fn, tn"; `factors` is its denominator.
template <double (*formula)(const Counts&), double (*factors)(const Counts&)>
std::optional<double> of_summed_counts(ListsTogether lists, std::size_t k, const MetricOptions& options) {
  Counts sums;
  for (const List* list : lists) {
    const Counts counts = counts_at(*list, k, options);
    sums.tp += counts.tp;
    sums.fp += counts.fp;
    sums.fn += counts.fn;
    sums.tn += counts.tn;
  }
  if (factors(sums) == 0) return std::nullopt;
  return formula(sums);
}

double relevant(const Counts& c) {
  return c.tp + c.fn;
}
double irrelevant(const Counts& c) {
  return c.fp + c.tn;
}
double not_shown(const Counts& c) {
  return c.fn + c.tn;
}
double both_kinds(const Counts& c) {
  return relevant(c) * irrelevant(c);
}
double shown_and_not(const Counts& c) {
  return (c.tp + c.fp) * not_shown(c);
}
double all_factors(const Counts& c) {
  return both_kinds(c) * shown_and_not(c);
}

template <double (*factors)(const Counts&)>
bool above_zero(const List& list, std::size_t k, const MetricOptions& options) {
  return factors(counts_at(list, k, options)) > 0;
}

double auc(const List& list, std::size_t, const MetricOptions& options) {
  return roc_area(list, list.items.size(), options);
}

double ranking_loss(const List& list, std::size_t k, const MetricOptions& options) {
  return 1 - auc(list, k, options);
}

// --- other means of map_list, "values floored at 1e-5 for the first two"

constexpr double lowest_map = 1e-5;

WideSum sum_of_maps(ListsTogether lists, std::size_t k, const MetricOptions& options, double (*scaled)(double)) {
  WideSum sum = 0;
  for (const List* list : lists) sum += to_fixed(scaled(map_list(*list, k, options)));
  return sum;
}

double mean_of_fixed(WideSum sum, std::size_t count) {
  return static_cast<double>(static_cast<long double>(sum) / (static_cast<long double>(count) * 4294967296.0L));
}

std::optional<double> gmap(ListsTogether lists, std::size_t k, const MetricOptions& options) {
  if (lists.empty()) return std::nullopt;
  const bool all_lowest =
      std::all_of(lists.begin(), lists.end(), [&](const List* list) { return map_list(*list, k, options) <= lowest_map; });
  if (all_lowest) return lowest_map;
  const WideSum sum = sum_of_maps(lists, k, options, [](double v) { return std::log(std::max(v, lowest_map)); });
  return std::exp(mean_of_fixed(sum, lists.size()));
}

std::optional<double> hmap(ListsTogether lists, std::size_t k, const MetricOptions& options) {
  if (lists.empty()) return std::nullopt;
  const WideSum sum = sum_of_maps(lists, k, options, [](double v) { return 1 / std::max(v, lowest_map); });
  return 1 / mean_of_fixed(sum, lists.size());
}

std::optional<double> qmap(ListsTogether lists, std::size_t k, const MetricOptions& options) {
  if (lists.empty()) return std::nullopt;
  return std::sqrt(mean_of_fixed(sum_of_maps(lists, k, options, [](double v) { return v * v; }), lists.size()));
}

using Option = MetricOption;
using Score = decltype(MetricDefinition::score);
using HasEvidence = decltype(MetricDefinition::has_evidence);
using Together = decltype(MetricDefinition::together);

constexpr MetricDefinition mean(std::string_view name, Score score, HasEvidence has_evidence, MetricOptionSet takes,
                                Together together = nullptr) {
  return {.name = name,
          .form = MetricForm::mean_over_lists,
          .has_cutoff = true,
          .score = score,
          .has_evidence = has_evidence,
          .fact = nullptr,
          .together = together,
          .takes = takes,
          .needs_user = has_evidence != in_list,
          .takes_action = has_evidence == in_list || has_evidence == of_user};
}

// Of the counts of the top k; in [-1, 1] or [0, 1].
constexpr MetricDefinition of_catalogue(std::string_view name, Score score, HasEvidence has_evidence, Together together,
                                        double low = 0) {
  MetricDefinition metric =
      mean(name, score, has_evidence, {Option::unit_user, Option::unit_pooled, Option::over, Option::universe}, together);
  metric.low = low;
  metric.needs_catalog = true;
  metric.takes_action = true;
  return metric;
}

// "lauc, auc, kendall_boolean leave it out"
constexpr MetricDefinition of_pairs(std::string_view name, bool has_cutoff, Score score, Together together, double low = 0) {
  MetricDefinition metric = of_catalogue(name, score, above_zero<both_kinds>, together, low);
  metric.has_cutoff = has_cutoff;
  metric.only_evidence = true;
  return metric;
}

// "R-precision": a list says something where the user wanted anything
constexpr MetricDefinition r_precision() {
  MetricDefinition metric = mean("precision", precision, of_user, {}, summed<precision_parts>);
  metric.needs_user = true;
  return metric;
}

constexpr MetricDefinition mean_of_maps(std::string_view name, Together together, double low) {
  MetricDefinition metric = mean(name, nullptr, in_list, {Option::ap_denominator}, together);
  metric.form = MetricForm::of_all_together;
  metric.low = low;
  return metric;
}

// A metric of one list that may be undefined: then the list is left out.
template <std::optional<double> (*of_list)(const List&)>
double value_of(const List& list, std::size_t, const MetricOptions&) {
  return of_list(list).value();
}
template <std::optional<double> (*of_list)(const List&)>
bool is_defined(const List& list, std::size_t, const MetricOptions&) {
  return of_list(list).has_value();
}

constexpr MetricDefinition of_ratings(std::string_view name, Together together, HasEvidence has_evidence, double low,
                                      double high) {
  MetricDefinition metric = mean(name, nullptr, has_evidence, {Option::unit_list, Option::unit_user}, together);
  metric.form = MetricForm::of_all_together;
  metric.has_cutoff = false;
  metric.low = low;
  metric.high = high;
  metric.only_evidence = true;
  metric.needs_ratings = true;
  metric.of_relevance = false;
  return metric;
}

constexpr MetricDefinition of_rated_list(std::string_view name, Score score, HasEvidence has_evidence, double low) {
  MetricDefinition metric = of_ratings(name, nullptr, has_evidence, low, 1);
  metric.form = MetricForm::mean_over_lists;
  metric.score = score;
  metric.takes = {};
  return metric;
}

constexpr MetricDefinition of_judged(std::string_view name, bool has_cutoff, Together together, HasEvidence has_evidence) {
  MetricDefinition metric = of_ratings(name, together, has_evidence, 0, 1);
  metric.has_cutoff = has_cutoff;
  metric.needs_ratings = false;
  return metric;
}

constexpr MetricDefinition of_rated_auc() {
  MetricDefinition metric = of_ratings("rated_auc", rated_auc, has_pair, 0, 1);
  metric.takes = {Option::liked_from, Option::unit_list, Option::unit_user};
  return metric;
}

constexpr double unbounded = std::numeric_limits<double>::infinity();

constexpr auto share = MetricForm::share_of_lists;
constexpr auto fact = MetricForm::fact_of_window;

constexpr MetricDefinition of_catalogue_alone(std::string_view name, decltype(MetricDefinition::fact) value) {
  MetricDefinition metric{name, fact, true, nullptr, nullptr, value};
  metric.needs_catalog = true;
  return metric;
}

constexpr MetricDefinition of_scores(std::string_view name, decltype(MetricDefinition::fact) value) {
  MetricDefinition metric = of_catalogue_alone(name, value);
  metric.has_cutoff = false;
  return metric;
}

constexpr MetricDefinition rarefied() {
  MetricDefinition metric{"rarefied_items", fact, true, nullptr, nullptr, rarefied_items};
  metric.takes = {Option::exposures};
  return metric;
}

constexpr MetricDefinition diversity() {
  MetricDefinition metric = mean("intra_list_diversity", intra_list_diversity, has_known_pair, {Option::unit_user});
  metric.only_evidence = true;
  metric.needs_user = false;
  metric.needs_attributes = true;
  return metric;
}

// "(1−p) Σ_{i≤k} b_i p^{i−1}"
double rbp(const List& list, std::size_t k, const MetricOptions& options) {
  double sum = 0;
  for (std::size_t i = 1; i <= std::min(k, list.grades.size()); ++i) {
    if (list.grades[i - 1] > 0) sum += std::pow(options.persistence, static_cast<double>(i - 1));
  }
  return (1 - options.persistence) * sum;
}

// "Σ_{i≤k} R_i/i · Π_{j<i}(1−R_j), R = (2^r − 1)/2^{largest configured gain}"
double err(const List& list, std::size_t k, const MetricOptions& options) {
  double sum = 0;
  double left = 1;
  for (std::size_t i = 1; i <= std::min(k, list.grades.size()); ++i) {
    const double r = (std::exp2(list.grades[i - 1]) - 1) / std::exp2(options.gain_max);
    sum += r / static_cast<double>(i) * left;
    left *= 1 - r;
  }
  return sum;
}

// "Σ_{i≤k} b_i 2^{−(i−1)/(α−1)} ÷ the same for the first min(R_list, k) ranks"
Parts half_life_parts(const List& list, std::size_t k, const MetricOptions& options) {
  const auto weight = [&](std::size_t i) { return std::exp2(-static_cast<double>(i - 1) / (options.half_life - 1)); };
  Parts sums{0, 0};
  for (std::size_t i = 1; i <= std::min(k, list.grades.size()); ++i) sums.above += list.grades[i - 1] > 0 ? weight(i) : 0;
  for (std::size_t i = 1; i <= std::min(k, r_list(list)); ++i) sums.below += weight(i);
  return sums;
}
double half_life(const List& list, std::size_t k, const MetricOptions& options) {
  const Parts sums = half_life_parts(list, k, options);
  return quotient(sums.above, sums.below);
}

// "mean over recall 0, 0.1, ... 1 of the largest precision at a rank ≤ k with recall_user ≥ that level, else 0"
double interpolated(const List& list, std::size_t k, std::size_t level, std::size_t levels) {
  double best = 0;
  for (std::size_t i = 1; i <= std::min(k, list.grades.size()); ++i) {
    if (levels * hits(list, i) < level * r_user(list)) continue;
    best = std::max(best, static_cast<double>(hits(list, i)) / static_cast<double>(i));
  }
  return best;
}
double ap_11(const List& list, std::size_t k, const MetricOptions& options) {
  if (options.level) return interpolated(list, k, *options.level, 1000);
  double sum = 0;
  for (std::size_t level = 0; level <= 10; ++level) sum += interpolated(list, k, level, 10);
  return sum / 11;
}

// "Σ_{i≤k} b_i · markedness@i ÷ min(R_user, k)"
template <double (*formula)(const Counts&)>
double average_of(const List& list, std::size_t k, const MetricOptions& options) {
  double sum = 0;
  for (std::size_t i = 1; i <= std::min(k, list.grades.size()); ++i) {
    if (list.grades[i - 1] > 0) sum += formula(counts_at(list, i, options));
  }
  return quotient(sum, static_cast<double>(std::min(k, r_user(list))));
}
constexpr MetricDefinition of_croc() {
  MetricDefinition metric = of_catalogue("croc_auc", nullptr, of_user, croc_area);
  metric.form = MetricForm::of_all_together;
  metric.takes = {};
  return metric;
}
constexpr MetricDefinition average_of_catalogue(std::string_view name, Score score) {
  MetricDefinition metric = of_catalogue(name, score, of_user, nullptr, -1);
  metric.takes = {Option::unit_user, Option::over, Option::universe};
  return metric;
}

constexpr MetricDefinition of_one_action(std::string_view name, MetricForm form, Score score, Together together,
                                         double high) {
  const bool is_mean = form == MetricForm::mean_over_lists;
  MetricDefinition metric = mean(name, score, always, {}, together);
  metric.form = form;
  metric.has_cutoff = false;
  metric.high = high;
  if (is_mean) metric.takes = {Option::unit_user, Option::over};
  metric.needs_user = false;
  metric.takes_action = true;
  metric.needs_action = true;
  metric.is_always_evidence = true;
  return metric;
}

constexpr MetricDefinition of_value(std::string_view name, bool has_cutoff, Together together, MetricOptionSet takes) {
  MetricDefinition metric = of_one_action(name, MetricForm::of_all_together, nullptr, together, unbounded);
  metric.has_cutoff = has_cutoff;
  metric.takes = takes;
  metric.is_of_value = true;
  return metric;
}

constexpr MetricDefinition of_expected_clicks() {
  MetricDefinition metric = mean("coec", nullptr, in_list, {}, coec);
  metric.form = MetricForm::of_all_together;
  metric.high = unbounded;
  return metric;
}

constexpr MetricDefinition of_dcg() {
  MetricDefinition metric =
      mean("dcg", nullptr, in_list, {Option::gain, Option::discount, Option::grade, Option::over}, summed<dcg_parts>);
  metric.form = MetricForm::of_all_together;
  metric.high = unbounded;
  return metric;
}

constexpr MetricDefinition of_users(std::string_view name, Score score, bool of_action, double high) {
  MetricDefinition metric{name, MetricForm::mean_over_users, false, score, always, nullptr};
  metric.high = high;
  metric.needs_user = true;
  metric.takes_action = metric.needs_action = of_action;
  metric.counts_once = high == 1;
  return metric;
}
constexpr MetricDefinition income_of_users() {
  MetricDefinition metric = of_users("income_per_user", earns, true, unbounded);
  metric.takes = {Option::cap};
  metric.is_of_value = true;
  return metric;
}

constexpr MetricOptionSet of_map{Option::ap_denominator, Option::unit_user, Option::unit_pooled, Option::over};
constexpr MetricOptionSet of_map_user{Option::ap_denominator, Option::unit_user, Option::unit_pooled, Option::over,
                                      Option::cut_at_relevant};
constexpr MetricOptionSet of_ndcg{Option::gain,        Option::ideal, Option::discount,       Option::unit_user,
                                  Option::unit_pooled, Option::over,  Option::cut_at_relevant};
constexpr MetricOptionSet of_ndcg_list{Option::gain,        Option::ideal, Option::discount, Option::unit_user,
                                       Option::unit_pooled, Option::over,  Option::grade};

// Made when it is first asked for: under sanitizers comparing functions is no constant expression.
// style: long because it is a table
std::span<const MetricDefinition> definitions() {
  static const std::array table{
      mean("precision", precision, in_list,
           {Option::precision_denominator, Option::unit_user, Option::unit_pooled, Option::over, Option::cut_at_relevant,
            Option::universe},
           summed<precision_parts>),
      mean("hit_rate", hit_rate, in_list, {Option::unit_user, Option::over}),
      mean("mrr", mrr, in_list, {Option::unit_user, Option::over}),
      mean("map_list", map_list, in_list, of_map, summed<map_list_parts>),
      mean("map_user", map_user, of_user, of_map_user, summed<map_user_parts>),
      mean("ndcg_list", ndcg_list, in_list, of_ndcg_list, summed<ndcg_list_parts>),
      mean("ndcg_user", ndcg_user, of_user, of_ndcg, summed<ndcg_user_parts>),
      of_dcg(),
      mean("recall", recall, of_user,
           {Option::recall_denominator, Option::unit_user, Option::unit_pooled, Option::over, Option::cut_at_relevant,
            Option::universe},
           summed<recall_parts>),
      mean("f1", f1, of_user,
           {Option::unit_user, Option::unit_pooled, Option::over, Option::cut_at_relevant, Option::universe},
           summed<f1_parts>),
      mean("fbeta", fbeta, of_user,
           {Option::beta, Option::unit_user, Option::unit_pooled, Option::over, Option::cut_at_relevant, Option::universe},
           summed<fbeta_parts>),
      of_catalogue("fallout", of_counts<fallout>, above_zero<irrelevant>, of_summed_counts<fallout, irrelevant>),
      mean("miss_rate", of_counts<miss_rate>, of_user,
           {Option::unit_user, Option::unit_pooled, Option::over, Option::universe}, of_summed_counts<miss_rate, relevant>),
      of_catalogue("inverse_precision", of_counts<inverse_precision>, above_zero<not_shown>,
                   of_summed_counts<inverse_precision, not_shown>),
      of_catalogue("inverse_recall", of_counts<inverse_recall>, above_zero<irrelevant>,
                   of_summed_counts<inverse_recall, irrelevant>),
      of_catalogue("informedness", of_counts<informedness>, above_zero<both_kinds>,
                   of_summed_counts<informedness, both_kinds>, -1),
      of_catalogue("markedness", of_counts<markedness>, above_zero<shown_and_not>,
                   of_summed_counts<markedness, shown_and_not>, -1),
      of_catalogue("mcc", of_counts<mcc>, of_user, of_summed_counts<mcc, all_factors>, -1),
      of_pairs("lauc", true, roc_area, summed<parts_of_pairs<roc_area>>),
      of_pairs("auc", false, auc, summed<parts_of_pairs<auc>>),
      of_pairs("ranking_loss", false, ranking_loss, summed<parts_of_pairs<ranking_loss>>),
      of_pairs("kendall_boolean", true, pair_balance, summed<parts_of_pairs<pair_balance>>, -1),
      of_croc(),
      average_of_catalogue("average_informedness", average_of<informedness>),
      average_of_catalogue("average_markedness", average_of<markedness>),
      mean("ap_11", ap_11, of_user, {Option::level, Option::unit_user, Option::over, Option::universe}),
      mean("rbp", rbp, in_list, {Option::persistence, Option::unit_user, Option::over}),
      mean("err", err, in_list, {Option::unit_user, Option::over}),
      mean("half_life", half_life, in_list, {Option::half_life, Option::unit_user, Option::unit_pooled, Option::over},
           summed<half_life_parts>),
      mean_of_maps("gmap", gmap, lowest_map),
      mean_of_maps("hmap", hmap, lowest_map),
      mean_of_maps("qmap", qmap, 0),
      of_ratings("mae", mae, has_pair, 0, unbounded),
      of_ratings("nmae", nmae, has_pair, 0, unbounded),
      of_ratings("mae_extremes", mae_extremes, has_extreme_pair, 0, unbounded),
      of_ratings("mse", mse, has_pair, 0, unbounded),
      of_ratings("rmse", rmse, has_pair, 0, unbounded),
      of_ratings("reversals", reversals, has_pair, 0, 1),
      of_ratings("pearson", pearson, has_pair, -1, 1),
      of_rated_list("spearman", value_of<spearman>, is_defined<spearman>, -1),
      of_rated_list("kendall_tau_b", value_of<kendall_tau_b>, is_defined<kendall_tau_b>, -1),
      of_rated_list("ndpm", value_of<ndpm>, is_defined<ndpm>, 0),
      of_ratings("half_life_utility", half_life_utility, has_utility, 0, 100),
      of_rated_auc(),
      of_ratings("retest_mae", retest_mae, is_rated_again, 0, unbounded),
      of_ratings("retest_rmse", retest_rmse, is_rated_again, 0, unbounded),
      of_judged("error_rate", true, error_rate, is_judged),
      of_judged("prediction_coverage", false, prediction_coverage, is_credited),
      MetricDefinition{"distinct_items", fact, true, nullptr, nullptr, distinct_items},
      of_catalogue_alone("catalog_coverage", catalog_coverage),
      of_scores("catalog_prediction_coverage", catalog_coverage),
      of_catalogue_alone("gini", gini),
      MetricDefinition{"entropy", fact, true, nullptr, nullptr, entropy},
      rarefied(),
      MetricDefinition{"user_coverage", MetricForm::share_of_users, false, nullptr, nullptr, nullptr},
      MetricDefinition{"personalisation", MetricForm::mean_over_pairs, true, nullptr, nullptr, nullptr},
      diversity(),
      novelty_definition(),
      popularity_definition(),
      serendipity_definition(),
      MetricDefinition{"empty_list_share", share, false, is_empty, always, nullptr},
      MetricDefinition{"short_list_share", share, true, is_short, always, nullptr},
      of_one_action("action_rate", MetricForm::mean_over_lists, action_rate, nullptr, 1),
      of_one_action("action_per_item", MetricForm::of_all_together, nullptr, action_per_item, 1),
      of_one_action("time_to", MetricForm::mean_over_lists, time_to, nullptr, unbounded),
      of_value("income", false, income, {Option::cap}),
      of_value("reward", true, reward, {}),
      of_expected_clicks(),
      of_users("users_acting", acts, true, 1),
      income_of_users(),
      of_users("lists_per_user", is_there, false, unbounded),
      latency_definition(),
      judged_share_definition(),
      overlap_definition(),
      known_share_definition(),
  };
  return table;
}

const MetricDefinition& definition(std::string_view name) {
  for (const auto metrics : {definitions(), policy_metrics()}) {
    const auto found = std::ranges::find(metrics, name, &MetricDefinition::name);
    if (found != metrics.end()) return *found;
  }
  std::fprintf(stderr, "the batch evaluator knows no metric '%.*s'\n", static_cast<int>(name.size()), name.data());
  std::abort();
}

// Shortest: 0.5, 7.
std::string text_of(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

}  // namespace

std::size_t MetricColumn::k_of(const ListRelevance& of) const {
  return is_at_relevant() ? r_user(of) : k;
}

std::span<const MetricDefinition> batch_metrics() {
  return definitions();
}

std::vector<MetricColumn> metric_columns(const EvaluatorSpec& spec) {
  std::vector<MetricColumn> columns;
  for (const MetricRequest& request : spec.metrics.requests) {
    static const MetricDefinition at_relevant = r_precision();
    const bool is_r_precision = request.name == "precision" && request.options.cut == Cut::relevant;
    const MetricDefinition& metric = request.options.slower_than ? slower_share_definition()
                                     : is_r_precision            ? at_relevant
                                                                 : definition(request.name);
    MetricColumn column{.key = {}, .definition = &metric, .k = 0, .options = request.options, .over = Over::all};
    // "universe: list": the items of the list and no others
    if (spec.catalog && request.options.universe == Universe::all) column.options.catalog_size = spec.catalog->size;
    column.options.ratings = spec.ratings;
    column.options.off_policy = spec.off_policy.value_or(OffPolicySpec{});
    column.options.examination = spec.metrics.examination;
    column.options.gain_max = 0;
    for (const Action& action : spec.join.actions) {
      column.options.gain_max = std::max(column.options.gain_max, request.options.action.empty() ? action.gain : 1);
    }
    column.over = request.options.over.value_or(metric.only_evidence ? Over::relevant : Over::all);
    // "a unit that is not the metric's own is part of the key: recall@10/pooled"
    const bool is_pooled = metric.form == MetricForm::of_all_together || metric.form == MetricForm::of_policy;
    const Unit own = is_pooled ? Unit::pooled : Unit::list;
    column.options.unit = request.options.unit.value_or(own);
    const std::array<std::string, 3> units{"/list", "/user", "/pooled"};
    const std::string unit = column.options.unit == own ? "" : units[static_cast<std::size_t>(*column.options.unit)];
    const std::string& action = request.options.action;
    for (std::size_t a = 0; a < spec.join.actions.size(); ++a) {
      if (spec.join.actions[a].name == action) column.action = a;
    }
    // "Key: `name{options}@k/unit`"
    std::string written = action.empty() ? "" : ",action=" + action;
    if (request.options.cap) written += ",cap=" + text_of(*request.options.cap);
    if (request.options.clip != 10) written += ",clip=" + text_of(request.options.clip);
    if (request.options.from) written += ",from=" + text_of(*request.options.from);
    if (request.options.grade == Grade::value) written += ",grade=value";
    if (request.options.half_life != 5) written += ",half_life=" + text_of(request.options.half_life);
    if (request.options.level) written += ",level=" + text_of(*request.options.level / 1000.0);
    if (request.options.of) written += ",of=" + std::string(to_string(*request.options.of));
    if (request.options.persistence != 0.8) written += ",p=" + text_of(request.options.persistence);
    if (request.options.rank_share != 0.99) written += ",p=" + text_of(request.options.rank_share);
    if (request.options.slower_than) written += ",slower_than=" + text_of(*request.options.slower_than);
    const std::string name = request.as.value_or(request.name + (written.empty() ? "" : "{" + written.substr(1) + "}"));
    if (!metric.has_cutoff) {
      column.key = name + unit;
      columns.push_back(column);
      continue;
    }
    if (column.is_at_relevant()) {
      column.key = name + "@R" + unit;
      columns.push_back(column);
      continue;
    }
    for (const std::uint32_t k : spec.metrics.cutoffs) {
      column.key = name + "@" + std::to_string(k) + unit;
      column.k = k;
      columns.push_back(column);
    }
  }
  return columns;
}

}  // namespace recmeter::support
