#include "support/batch_policy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace recmeter::support {
namespace {

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
    return {1 + std::accumulate(w.begin(), w.end(), 0.0) - static_cast<double>(w.size())};
  }
  return {std::accumulate(w.begin(), w.end(), 1.0, std::multiplies<>())};
}

double worth(Estimator estimator, const PolicyList& list, std::size_t k, double clip) {
  const std::vector<double> w = quotients(list, k);
  double all = 0;  // of the rewards
  double sum = 0;
  double prefix = 1;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double r = list.rewards[i];
    all += r;
    prefix *= w[i];
    switch (estimator) {
      case Estimator::ips: sum += w[i] * r; break;
      case Estimator::ips_clipped: sum += std::min(w[i], clip) * r; break;
      case Estimator::dr: sum += list.expected[i] + w[i] * (r - list.predicted[i]); break;
      case Estimator::rips: sum += prefix * r; break;
      default: break;
    }
  }
  switch (estimator) {
    case Estimator::slate_ips:
    case Estimator::pseudo_inverse: return own_weights(estimator, list, k).front() * all;
    case Estimator::replay_match: return all;
    default: return sum;
  }
}

std::optional<double> snips(const std::vector<PolicyList>& lists, std::size_t k) {
  double value = 0;
  for (std::size_t i = 0; i < k; ++i) {
    double n_i = 0;
    double above = 0;
    double below = 0;
    for (const PolicyList& list : lists) {
      if (i >= list.target.size()) continue;
      const double w = list.target[i] / list.logged[i];
      n_i += 1;
      above += w * list.rewards[i];
      below += w;
    }
    if (n_i == 0) continue;
    if (below == 0) return std::nullopt;
    value += n_i / static_cast<double>(lists.size()) * above / below;
  }
  return value;
}

double effective(const std::vector<double>& weights) {
  double sum = 0;
  double squares = 0;
  for (const double w : weights) {
    sum += w;
    squares += w * w;
  }
  return squares == 0 ? 0 : sum * sum / squares;
}

}  // namespace

PolicyEstimate policy_estimate(Estimator estimator, const std::vector<PolicyList>& all, std::size_t k, double clip) {
  std::vector<PolicyList> lists = all;
  if (estimator == Estimator::replay_match) {
    std::erase_if(lists, [&](const PolicyList& list) {
      return std::any_of(list.target.begin(), list.target.begin() + static_cast<std::ptrdiff_t>(ranks(list, k)),
                         [](double p) { return p != 1; });
    });
  }
  PolicyEstimate out;
  out.matches = static_cast<double>(lists.size());
  if (lists.empty()) return out;
  const auto n = static_cast<double>(lists.size());
  std::vector<double> weights;
  std::map<std::string, double> of_users;
  double unclipped = 0;
  double total = 0;
  for (const PolicyList& list : lists) {
    for (const double w : own_weights(estimator, list, k)) {
      unclipped += w;
      weights.push_back(estimator == Estimator::ips_clipped ? std::min(w, clip) : w);
      of_users[list.user] += weights.back();
    }
    total += worth(estimator, list, k, clip);
  }
  out.value = estimator == Estimator::snips ? snips(lists, k) : std::optional(total / n);
  if (weights.empty()) return out;
  const auto count = static_cast<double>(weights.size());
  out.weight_mean = unclipped / count;
  out.ess = n * effective(weights) / count;
  std::vector<double> users;
  for (const auto& [user, weight] : of_users) users.push_back(weight);
  out.ess_users = effective(users);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double largest = std::abs(*std::ranges::max_element(weights, {}, [](double w) { return std::abs(w); }));
  if (largest > 0) out.max_weight_share = sum <= 0 ? 1 : std::min(1.0, largest / sum);
  return out;
}

}  // namespace recmeter::support
