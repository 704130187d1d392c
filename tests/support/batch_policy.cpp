#include "support/batch_policy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace recmeter::support {
namespace {

constexpr double weight_limit = 1e8;

std::size_t ranks(const PolicyList& list, std::size_t k) {
  return std::min(k, list.target.size());
}

// w_1 .. w_k
std::vector<double> quotients(const PolicyList& list, std::size_t k) {
  std::vector<double> w;
  for (std::size_t i = 0; i < ranks(list, k); ++i) w.push_back(list.target[i] / list.logged[i]);
  return w;
}

bool is_per_rank(Estimator estimator) {
  return estimator == Estimator::ips || estimator == Estimator::ips_clipped || estimator == Estimator::snips ||
         estimator == Estimator::dr;
}

// The estimator's own weights of the list, before they are clipped.
std::vector<double> own_weights(Estimator estimator, const PolicyList& list, std::size_t k) {
  const std::vector<double> w = quotients(list, k);
  if (is_per_rank(estimator)) return w;
  if (estimator == Estimator::replay_match) return {1};
  if (estimator == Estimator::pseudo_inverse) {
    // "1 + Σ (w_i − 1)": in this order, since what is above 1e8 has no estimate.
    return {std::accumulate(w.begin(), w.end(), 1.0, [](double sum, double weight) { return sum + (weight - 1); })};
  }
  return {std::accumulate(w.begin(), w.end(), 1.0, std::multiplies<>())};
}

// "Each product with a weight is rounded once to 2^-32."
long double rounded(double x) {
  return std::nearbyint(static_cast<long double>(x) * 4294967296.0L) / 4294967296.0L;
}

// What the list is worth, a term for each rank, or one of it all; nothing where a term cannot be reckoned with.
std::optional<long double> worth(Estimator estimator, const PolicyList& list, std::size_t k, double clip) {
  const std::vector<double> w = quotients(list, k);
  const double all = std::accumulate(list.rewards.begin(), list.rewards.begin() + static_cast<std::ptrdiff_t>(w.size()), 0.0);
  std::vector<std::pair<double, double>> terms;  // weight, term
  double prefix = 1;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double r = list.rewards[i];
    prefix *= w[i];
    const double clipped = std::min(w[i], clip);
    switch (estimator) {
      case Estimator::ips:
      case Estimator::snips: terms.emplace_back(w[i], w[i] * r); break;
      case Estimator::ips_clipped: terms.emplace_back(clipped, clipped * r); break;
      case Estimator::dr: terms.emplace_back(w[i], list.expected[i] + w[i] * (r - list.predicted[i])); break;
      case Estimator::rips: terms.emplace_back(prefix, prefix * r); break;
      default: break;
    }
  }
  if (!is_per_rank(estimator) && estimator != Estimator::rips) {
    const double weight = own_weights(estimator, list, k).front();
    terms.emplace_back(weight, weight * all);
  }
  long double sum = 0;
  for (const auto& [weight, term] : terms) {
    if (std::abs(weight) > weight_limit || std::abs(term) > 0x1p59) return std::nullopt;
    sum += rounded(term);
  }
  return sum;
}

std::optional<double> snips(const std::vector<PolicyList>& lists, std::size_t k) {
  long double value = 0;
  std::size_t longest = 0;
  for (const PolicyList& list : lists) longest = std::max(longest, ranks(list, k));
  for (std::size_t i = 0; i < longest; ++i) {
    long double n_i = 0;
    long double above = 0;
    long double below = 0;
    for (const PolicyList& list : lists) {
      if (i >= list.target.size()) continue;
      const double w = list.target[i] / list.logged[i];
      n_i += 1;
      above += rounded(w * list.rewards[i]);
      below += rounded(w);
    }
    if (below == 0) return std::nullopt;
    value += n_i / static_cast<long double>(lists.size()) * above / below;
  }
  return static_cast<double>(value);
}

double effective(const std::vector<long double>& weights) {
  long double sum = 0;
  long double squares = 0;
  for (const long double w : weights) {
    sum += w;
    squares += w * w;
  }
  return static_cast<double>(squares == 0 ? 0 : sum * sum / squares);
}

}  // namespace

bool is_match(const PolicyList& list, std::size_t k) {
  return std::all_of(list.target.begin(), list.target.begin() + static_cast<std::ptrdiff_t>(ranks(list, k)),
                     [](double p) { return p == 1; });
}

bool has_huge_weight(Estimator estimator, const PolicyList& list, std::size_t k) {
  std::vector<double> all = quotients(list, k);
  for (const double weight : own_weights(estimator, list, k)) all.push_back(weight);
  return std::ranges::any_of(all, [](double weight) { return std::abs(weight) > weight_limit; });
}

PolicyEstimate policy_estimate(Estimator estimator, const std::vector<PolicyList>& all, std::size_t k, double clip) {
  PolicyEstimate out;
  std::vector<PolicyList> lists;
  std::vector<long double> weights;
  std::map<std::string, long double> of_users;
  long double unclipped = 0;
  long double total = 0;
  for (const PolicyList& list : all) {
    if (estimator == Estimator::replay_match && !is_match(list, k)) continue;
    if (has_huge_weight(estimator, list, k)) {
      out.has_number_too_large = true;
      continue;
    }
    lists.push_back(list);
    if (estimator == Estimator::dr && list.predicted.size() < list.target.size()) {
      out.lacks_predictions = true;
    } else if (const std::optional<long double> value = worth(estimator, list, k, clip)) {
      total += *value;
    } else {
      out.has_number_too_large = true;
    }
    for (const double w : own_weights(estimator, list, k)) {
      const double counts = estimator == Estimator::ips_clipped ? std::min(w, clip) : w;
      unclipped += rounded(w);
      weights.push_back(rounded(counts));
      of_users[list.user] += rounded(counts);
      out.largest = std::max(out.largest, std::abs(counts));
    }
  }
  out.matches = static_cast<double>(lists.size());
  if (lists.empty()) return out;
  const auto n = static_cast<long double>(lists.size());
  if (!out.lacks_predictions && !out.has_number_too_large) {
    out.value = estimator == Estimator::snips ? snips(lists, k) : std::optional(static_cast<double>(total / n));
  }
  if (weights.empty()) return out;
  const auto count = static_cast<long double>(weights.size());
  out.weight_mean = static_cast<double>(unclipped / count);
  out.ess = static_cast<double>(n * effective(weights) / count);
  std::vector<long double> users;
  for (const auto& [user, weight] : of_users) users.push_back(weight);
  out.ess_users = effective(users);
  out.weight_sum = static_cast<double>(std::accumulate(weights.begin(), weights.end(), 0.0L));
  if (out.largest > 0) out.max_weight_share = out.weight_sum <= 0 ? 1 : std::min(1.0, out.largest / out.weight_sum);
  return out;
}

}  // namespace recmeter::support
