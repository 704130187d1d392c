#include "support/batch_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>

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

double precision(const List& list, std::size_t k, const MetricOptions&) {
  return static_cast<double>(hits(list, k)) / static_cast<double>(k);
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

double average_precision(const List& list, std::size_t k, std::size_t relevant, ApDenominator choice) {
  std::size_t denominator = 0;
  switch (choice) {
    case ApDenominator::min: denominator = std::min(relevant, k); break;
    case ApDenominator::relevant: denominator = relevant; break;
    case ApDenominator::k: denominator = k; break;
    case ApDenominator::hits: denominator = hits(list, k); break;
  }
  return quotient(precision_sum(list, k), static_cast<double>(denominator));
}

double map_list(const List& list, std::size_t k, const MetricOptions& options) {
  return average_precision(list, k, r_list(list), options.ap_denominator);
}

// docs/semantics.md M1: the choice of denominator holds for both.
double map_user(const List& list, std::size_t k, const MetricOptions& options) {
  return average_precision(list, k, r_user(list), options.ap_denominator);
}

double gain(double grade, GainKind kind) {
  return kind == GainKind::linear ? grade : std::exp2(grade) - 1;
}

// Σ_{i≤k} g(r_i)/log2(i+1)
double discounted_gain(const std::vector<double>& grades, std::size_t k, GainKind kind) {
  double sum = 0;
  for (std::size_t i = 1; i <= std::min(k, grades.size()); ++i) {
    sum += gain(grades[i - 1], kind) / std::log2(static_cast<double>(i + 1));
  }
  return sum;
}

double ndcg(const List& list, std::vector<double> ideal, std::size_t k, GainKind kind) {
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  return quotient(discounted_gain(list.grades, k, kind), discounted_gain(ideal, k, kind));
}

double ndcg_list(const List& list, std::size_t k, const MetricOptions& options) {
  return ndcg(list, list.grades, k, options.gain);
}

double ndcg_user(const List& list, std::size_t k, const MetricOptions& options) {
  std::vector<double> ideal = list.grades;
  ideal.insert(ideal.end(), list.missed.begin(), list.missed.end());
  return ndcg(list, std::move(ideal), k, options.gain);
}

double recall(const List& list, std::size_t k, const MetricOptions&) {
  return quotient(static_cast<double>(hits(list, k)), static_cast<double>(r_user(list)));
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

// The ranks of the distinct items among the first k.
std::vector<std::size_t> distinct_ranks(const List& list, std::size_t k) {
  std::set<ItemNumber> items;
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < std::min(k, list.popularity.items.size()); ++i) {
    if (list.popularity.items[i] && items.insert(*list.popularity.items[i]).second) ranks.push_back(i);
  }
  return ranks;
}

// mean of −log2 (max(U_i, 1) / U)
double novelty(const List& list, std::size_t k, const MetricOptions&) {
  double sum = 0;
  const std::vector<std::size_t> ranks = distinct_ranks(list, k);
  for (const std::size_t i : ranks) {
    const auto of_item = static_cast<double>(std::max<std::uint64_t>(list.popularity.users_of[i], 1));
    sum -= std::log2(of_item / static_cast<double>(list.popularity.users));
  }
  return sum / static_cast<double>(ranks.size());
}

// mean of U_i / U
double popularity(const List& list, std::size_t k, const MetricOptions&) {
  double sum = 0;
  const std::vector<std::size_t> ranks = distinct_ranks(list, k);
  for (const std::size_t i : ranks) {
    sum += static_cast<double>(list.popularity.users_of[i]) / static_cast<double>(list.popularity.users);
  }
  return sum / static_cast<double>(ranks.size());
}

double serendipity(const List& list, std::size_t k, const MetricOptions&) {
  double surprises = 0;
  for (std::size_t i = 0; i < std::min(k, list.grades.size()); ++i) {
    if (list.grades[i] > 0 && !list.popularity.popular[i]) ++surprises;
  }
  return surprises / static_cast<double>(k);
}

double is_empty(const List& list, std::size_t, const MetricOptions&) {
  return list.grades.empty() ? 1 : 0;
}
double is_short(const List& list, std::size_t k, const MetricOptions&) {
  return list.grades.size() < k ? 1 : 0;
}

bool in_list(const List& list, std::size_t) {
  return r_list(list) > 0;
}
bool of_user(const List& list, std::size_t) {
  return r_user(list) > 0;
}
bool of_known_items(const List& list, std::size_t k) {
  return list.popularity.users > 0 && !distinct_ranks(list, k).empty();
}
bool in_known_list(const List& list, std::size_t) {
  return list.popularity.users > 0 && r_list(list) > 0;
}
bool always(const List&, std::size_t) {
  return true;
}

std::optional<double> distinct_items(const Exposure& shown) {
  return static_cast<double>(shown.counts.size());
}

std::optional<double> catalog_coverage(const Exposure& shown) {
  const auto size = static_cast<double>(shown.catalog_size);
  if (shown.catalog_has_items) return static_cast<double>(shown.in_catalog) / size;
  return std::min(1.0, static_cast<double>(shown.counts.size()) / size);
}

constexpr auto mean = MetricForm::mean_over_lists;
constexpr auto share = MetricForm::share_of_lists;
constexpr auto fact = MetricForm::fact_of_window;

constexpr std::array<MetricDefinition, 17> definitions{{
    {"precision", mean, true, precision, in_list, nullptr},
    {"hit_rate", mean, true, hit_rate, in_list, nullptr},
    {"mrr", mean, true, mrr, in_list, nullptr},
    {"map_list", mean, true, map_list, in_list, nullptr},
    {"map_user", mean, true, map_user, of_user, nullptr},
    {"ndcg_list", mean, true, ndcg_list, in_list, nullptr},
    {"ndcg_user", mean, true, ndcg_user, of_user, nullptr},
    {"recall", mean, true, recall, of_user, nullptr},
    {"f1", mean, true, f1, of_user, nullptr},
    {"fbeta", mean, true, fbeta, of_user, nullptr},
    {"distinct_items", fact, true, nullptr, nullptr, distinct_items},
    {"catalog_coverage", fact, true, nullptr, nullptr, catalog_coverage},
    {"novelty", mean, true, novelty, of_known_items, nullptr, 0, INFINITY, true},
    {"popularity", mean, true, popularity, of_known_items, nullptr, 0, 1, true},
    {"serendipity", mean, true, serendipity, in_known_list, nullptr},
    {"empty_list_share", share, false, is_empty, always, nullptr},
    {"short_list_share", share, true, is_short, always, nullptr},
}};

const MetricDefinition& definition(std::string_view name) {
  for (const MetricDefinition& entry : definitions) {
    if (entry.name == name) return entry;
  }
  std::fprintf(stderr, "the batch evaluator knows no metric '%.*s'\n", static_cast<int>(name.size()), name.data());
  std::abort();
}

}  // namespace

std::vector<MetricColumn> metric_columns(const MetricSpec& spec) {
  std::vector<MetricColumn> columns;
  for (const MetricRequest& request : spec.requests) {
    const MetricDefinition& metric = definition(request.name);
    const std::string name = request.as.value_or(request.name);
    if (!metric.has_cutoff) {
      columns.push_back({name, &metric, 0, request.options});
      continue;
    }
    for (const std::uint32_t k : spec.cutoffs) {
      columns.push_back({name + "@" + std::to_string(k), &metric, k, request.options});
    }
  }
  return columns;
}

}  // namespace recmeter::support
