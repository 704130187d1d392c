#include "support/batch_confusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace recmeter::support {
namespace {

double quotient(double numerator, double denominator) {
  return denominator == 0 ? 0 : numerator / denominator;
}

// The distinct items of the first k ranks, in order, and whether each is relevant.
std::vector<bool> distinct_items(const ListRelevance& list, std::size_t k) {
  std::set<ItemNumber> seen;
  std::vector<bool> relevant;
  for (std::size_t i = 0; i < std::min(k, list.items.size()); ++i) {
    if (list.items[i] && seen.insert(*list.items[i]).second) relevant.push_back(list.grades[i] > 0);
  }
  return relevant;
}

double count(const std::vector<bool>& items, bool wanted) {
  return static_cast<double>(std::count(items.begin(), items.end(), wanted));
}

// tp·tn − fp·fn
double balance(const Counts& c) {
  return c.tp * c.tn - c.fp * c.fn;
}

}  // namespace

Counts counts_at(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  const std::vector<bool> top = distinct_items(list, k);
  const std::vector<bool> all = distinct_items(list, list.items.size());
  const auto missed = static_cast<double>(list.missed.size());
  // "N = catalogue size, or the number of distinct items of L plus its missed items where that is larger"
  const double universe = std::max(static_cast<double>(options.catalog_size), static_cast<double>(all.size()) + missed);
  Counts counts;
  counts.tp = count(top, true);
  counts.fp = count(top, false);
  counts.fn = count(all, true) + missed - counts.tp;
  counts.tn = universe - counts.tp - counts.fp - counts.fn;
  return counts;
}

double fallout(const Counts& c) {
  return quotient(c.fp, c.fp + c.tn);
}
double miss_rate(const Counts& c) {
  return quotient(c.fn, c.tp + c.fn);
}
double inverse_precision(const Counts& c) {
  return quotient(c.tn, c.fn + c.tn);
}
double inverse_recall(const Counts& c) {
  return quotient(c.tn, c.fp + c.tn);
}

// recall + inverse_recall − 1 = (tp·tn − fp·fn)/(P·I) on one fraction, so that 0 is 0 exactly
double informedness(const Counts& c) {
  return quotient(balance(c), (c.tp + c.fn) * (c.fp + c.tn));
}
// tp/(tp+fp) + inverse_precision − 1, likewise
double markedness(const Counts& c) {
  return quotient(balance(c), (c.tp + c.fp) * (c.fn + c.tn));
}
double mcc(const Counts& c) {
  return quotient(balance(c), std::sqrt((c.tp + c.fn) * (c.fp + c.tn) * (c.tp + c.fp) * (c.fn + c.tn)));
}

double roc_area(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  const Counts counts = counts_at(list, k, options);
  const double p = counts.tp + counts.fn;
  const double i = counts.fp + counts.tn;
  double area = 0;
  double hits = 0;
  double others = 0;
  for (const bool relevant : distinct_items(list, k)) {
    if (relevant) {
      ++hits;
    } else {
      area += 1 / i * (hits / p);
      ++others;
    }
  }
  return area + (1 - others / i) * (hits / p + 1) / 2;
}

// "points (Σfp@i/ΣI, Σtp@i/ΣP), i = 1..k, trapezoids, then a line to (1,1)"
std::optional<double> croc_area(std::span<const ListRelevance* const> lists, std::size_t k, const MetricOptions& options) {
  long double area = 0;
  long double x = 0;
  long double y = 0;
  const auto line_to = [&](long double to_x, long double to_y) {
    area += (to_x - x) * (y + to_y) / 2;
    x = to_x;
    y = to_y;
  };
  for (std::size_t i = 1; i <= k; ++i) {
    Counts sums;
    for (const ListRelevance* list : lists) {
      const Counts counts = counts_at(*list, i, options);
      sums.tp += counts.tp;
      sums.fp += counts.fp;
      sums.fn += counts.fn;
      sums.tn += counts.tn;
    }
    if (sums.tp + sums.fn == 0 || sums.fp + sums.tn == 0) return std::nullopt;
    line_to(static_cast<long double>(sums.fp) / static_cast<long double>(sums.fp + sums.tn),
            static_cast<long double>(sums.tp) / static_cast<long double>(sums.tp + sums.fn));
  }
  line_to(1, 1);
  return static_cast<double>(area);
}

double pair_balance(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  const Counts counts = counts_at(list, k, options);
  constexpr double last = std::numeric_limits<double>::infinity();
  std::vector<double> relevant;
  std::vector<double> irrelevant;
  double place = 0;
  for (const bool is_relevant : distinct_items(list, k)) (is_relevant ? relevant : irrelevant).push_back(++place);
  relevant.resize(relevant.size() + static_cast<std::size_t>(counts.fn), last);
  irrelevant.resize(irrelevant.size() + static_cast<std::size_t>(counts.tn), last);
  double surplus = 0;
  for (const double a : relevant) {
    for (const double b : irrelevant) surplus += a < b ? 1 : a > b ? -1 : 0;
  }
  return quotient(surplus, static_cast<double>(relevant.size()) * static_cast<double>(irrelevant.size()));
}

}  // namespace recmeter::support
