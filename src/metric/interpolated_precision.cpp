#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter {

namespace {

constexpr std::uint64_t levels = 11;  // recall 0, 0.1, ... 1

// The largest precision at a rank up to k whose recall reaches each level.
std::array<double, levels> best_precisions(const ScoredList& list, std::uint32_t k) {
  std::array<double, levels> best{};
  std::uint64_t hits = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++hits;
    const double precision = static_cast<double>(hits) / hit.rank;
    for (std::uint64_t level = 0; level < levels && level * list.relevant_of_user() <= hits * (levels - 1); ++level) {
      if (precision > best[level]) best[level] = precision;
    }
  }
  return best;
}

// The same at one level.
double precision_at(std::uint32_t level, const ScoredList& list, std::uint32_t k) {
  double best = 0;
  std::uint64_t hits = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++hits;
    const bool is_reached = level * list.relevant_of_user() <= hits * levels_of_recall;
    if (is_reached) best = std::max(best, static_cast<double>(hits) / hit.rank);
  }
  return best;
}

double evaluate(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  if (options.level) return precision_at(*options.level, list, k);
  double sum = 0;
  for (const double precision : best_precisions(list, k)) sum += precision;
  return sum / levels;
}

std::string arithmetic(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  if (options.level) return four_decimals(precision_at(*options.level, list, k));
  std::vector<std::string> terms;
  for (const double precision : best_precisions(list, k)) terms.push_back(four_decimals(precision));
  return sum_text(terms) + " / " + std::to_string(levels);
}

const std::array examples{
    WorkedExample{"A", 5, "R_user is 8: recall 1/8 at rank 1, 2/8 at rank 3: (1 + 1 + 2/3 + 8 * 0) / 11", 0.2424},
    WorkedExample{"A", 5, "recall 0.25 is reached at rank 3: 2 / 3", 0.6667, {.level = 250}},
    WorkedExample{"A", 5, "recall 0.251 never is", 0, {.level = 251}},
};

}  // namespace

const MetricDefinition ap_11_metric{
    .name = "ap_11",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = {MetricOption::unit_user, MetricOption::over, MetricOption::cut, MetricOption::level, MetricOption::universe},
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula =
        "mean over the recall levels 0, 0.1, ... 1 of the largest precision at a rank <= k whose recall, of R_user, reaches "
        "the level, 0 where none does",
    .says =
        "The precision-recall curve in one number: how clean the list is on the way to each share of what the user wanted. "
        "Levels that the list never reaches count 0.",
    .edges =
        "`level`, at most three decimals, is the precision at that level of recall alone; with 0 it is the largest of all. A "
        "level is reached when hits / R_user is at least it, in whole numbers.",
    .elsewhere =
        "trec_eval's 11pt_avg rounds the hits that a level takes to the nearest, here a level must be reached. So it "
        "must in ranx, whose interpolated_precision_at_recall has the eleven values that `level` gives with `cut: none`.",
    .source =
        "Herlocker et al. 2004, section 4.1.2; Manning, Raghavan, Schütze: Introduction to Information Retrieval, 2008, "
        "section 8.4",
    .examples = examples,
    .evaluate = evaluate,
    .arithmetic = arithmetic,
};

}  // namespace recmeter
