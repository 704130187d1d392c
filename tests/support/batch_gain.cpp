#include "support/batch_gain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace recmeter::support {
namespace {

double gain(double grade, GainKind kind) {
  return kind == GainKind::linear ? grade : std::exp2(grade) - 1;
}

// "log2(i+1), max(1, log2 i), i or 1"
double discount_of(std::size_t i, Discount discount) {
  const auto rank = static_cast<double>(i);
  switch (discount) {
    case Discount::log2: return std::log2(rank + 1);
    case Discount::log2_max2: return std::max(1.0, std::log2(rank));
    case Discount::rank: return rank;
    case Discount::none: return 1;
  }
  return 1;
}

// Σ_{i≤k} g(r_i)/d(i)
double discounted_gain(const std::vector<double>& grades, std::size_t k, GainKind kind, Discount discount) {
  double sum = 0;
  for (std::size_t i = 1; i <= std::min(k, grades.size()); ++i) {
    sum += gain(grades[i - 1], kind) / discount_of(i, discount);
  }
  return sum;
}

// The grades in the order of the ideal, and how many of its ranks count: "cut": k; "shown": k or n; "whole": all; "ones": k
// grades of 1, and then what was shown counts 1 where it is relevant.
double ideal_gain(const ListRelevance& list, std::vector<double> grades, std::size_t k, const MetricOptions& options) {
  std::sort(grades.begin(), grades.end(), std::greater<>());
  const Discount discount = options.discount;
  switch (options.ideal) {
    case IdealDcg::cut: return discounted_gain(grades, k, options.gain, discount);
    case IdealDcg::shown: return discounted_gain(grades, std::min(k, list.grades.size()), options.gain, discount);
    case IdealDcg::whole: return discounted_gain(grades, grades.size(), options.gain, discount);
    case IdealDcg::ones: return discounted_gain(std::vector<double>(k, 1.0), k, GainKind::linear, discount);
  }
  return 0;
}

std::vector<double> all_grades(const ListRelevance& list) {
  std::vector<double> grades = list.grades;
  grades.insert(grades.end(), list.missed.begin(), list.missed.end());
  return grades;
}

}  // namespace

double dcg(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  return discounted_gain(list.grades, k, options.gain, options.discount);
}
double reached_gain(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  std::vector<double> grades = list.grades;
  if (options.ideal != IdealDcg::ones) return discounted_gain(grades, k, options.gain, options.discount);
  for (double& grade : grades) grade = grade > 0 ? 1 : 0;
  return discounted_gain(grades, k, GainKind::linear, options.discount);
}
double ideal_gain_of_list(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  return ideal_gain(list, list.grades, k, options);
}
double ideal_gain_of_user(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  return ideal_gain(list, all_grades(list), k, options);
}

}  // namespace recmeter::support
