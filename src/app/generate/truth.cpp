#include "app/generate/truth.h"

#include <algorithm>
#include <cmath>

namespace recmeter::generate {

namespace {

// P(X <= ms) of a log-normal delay cut at `longest`.
class DelayDistribution {
 public:
  DelayDistribution(const LogNormalDelay& delay, Duration longest)
      : log_median_(std::log(static_cast<double>(delay.median.ms))),
        sigma_(delay.sigma),
        longest_ms_(static_cast<double>(longest.ms)),
        whole_(below_uncut(longest_ms_)) {}

  [[nodiscard]] double below(double ms) const {
    if (ms >= longest_ms_) return 1;
    return below_uncut(ms) / whole_;
  }
  // The delay with this share below it is found by bisection; only the truth needs it.
  [[nodiscard]] double quantile(double share) const {
    double low = 0;
    double high = longest_ms_;
    for (int step = 0; step < 50; ++step) {
      const double middle = (low + high) / 2;
      (below(middle) < share ? low : high) = middle;
    }
    return high;
  }

 private:
  [[nodiscard]] double below_uncut(double ms) const {
    if (ms <= 0) return 0;
    const double distance = std::log(ms) - log_median_;
    if (sigma_ == 0) return distance >= 0 ? 1 : 0;
    return 0.5 * std::erfc(-distance / (sigma_ * std::sqrt(2.0)));
  }
  double log_median_;
  double sigma_;
  double longest_ms_;
  double whole_;
};

// P(click delay + purchase delay < horizon): the midpoint rule over the click delay's quantiles.
double both_below(const DelayDistribution& click, const DelayDistribution& purchase, double horizon_ms) {
  constexpr int steps = 4000;
  double sum = 0;
  for (int step = 0; step < steps; ++step) sum += purchase.below(horizon_ms - click.quantile((step + 0.5) / steps));
  return sum / steps;
}

struct Chances {
  double click_in_time;     // of a click that happens: that it counts
  double purchase_in_time;  // of a click that happens: that it and a purchase count
  double lost;              // of any record: that it is not accepted
};

Chances chances_of(const TrafficSpec& spec) {
  const DelayDistribution click(spec.click_delay, spec.longest_delay);
  const DelayDistribution purchase(spec.purchase_delay, spec.longest_delay);
  const auto horizon = static_cast<double>(spec.horizon.ms);
  const double kept = 1 - spec.late - spec.wrong_clocks;
  return {click.below(horizon) * kept, both_below(click, purchase, horizon) * spec.purchases * kept * kept, 1 - kept};
}

// Adds the lists of one kind, of all lengths: `present` of them are accepted, with the values `sum`.
struct Mixture {
  MetricValues sum{};
  double present = 0;

  void add(double weight, double share_present, double factor, const MetricValues& values) {
    present += weight * share_present;
    for (std::size_t m = 0; m < values.size(); ++m) {
      for (std::size_t c = 0; c < values[m].size(); ++c) sum[m][c] += weight * factor * values[m][c];
    }
  }
};

std::vector<RankChances> ranks_of(const ClickModel& model, std::size_t quality_class, std::size_t engagement,
                                  std::size_t length, const Chances& chances, double rank_kept) {
  std::vector<RankChances> ranks(length);
  for (std::size_t rank = 1; rank <= length; ++rank) {
    const double p = model.click_probability(rank, quality_class, engagement) * rank_kept;
    ranks[rank - 1] = {p * chances.click_in_time, p * chances.purchase_in_time};
  }
  return ranks;
}

MetricValues expected_of_class(const TrafficSpec& spec, const ClickModel& model, const Chances& chances, std::size_t c) {
  Mixture mixture;
  const double kept = 1 - chances.lost;
  const double lengths = spec.length_max - spec.length_min + 1;
  for (std::size_t e = 0; e < engagements.size(); ++e) {
    const double weight = model.weight(c, e);
    mixture.add(weight * spec.empty_lists, kept, 0, {});
    for (std::size_t length = spec.length_min; length <= spec.length_max; ++length) {
      const double of_length = weight * (1 - spec.empty_lists) / lengths;
      const auto whole = ranks_of(model, c, e, length, chances, 1);
      mixture.add(of_length * (1 - spec.rows), kept, kept, expected_metrics(whole));
      if (spec.rows <= 0) continue;
      const auto rows = ranks_of(model, c, e, length, chances, kept);
      const double any_row = 1 - std::pow(chances.lost, static_cast<double>(length));
      mixture.add(of_length * spec.rows, any_row, 1, expected_metrics(rows));
    }
  }
  if (mixture.present > 0) {
    for (auto& metric : mixture.sum) {
      for (double& value : metric) value /= mixture.present;
    }
  }
  return mixture.sum;
}

}  // namespace

void VariantTruth::add_list(const MetricValues& values) {
  ++lists;
  for (std::size_t m = 0; m < values.size(); ++m) {
    for (std::size_t c = 0; c < values[m].size(); ++c) {
      sum[m][c] += values[m][c];
      sum_of_squares[m][c] += values[m][c] * values[m][c];
    }
  }
}

double VariantTruth::realised(std::size_t metric, std::size_t cutoff) const {
  return lists == 0 ? 0 : sum[metric][cutoff] / static_cast<double>(lists);
}

double VariantTruth::standard_error(std::size_t metric, std::size_t cutoff) const {
  if (lists < 2) return 0;
  const double n = static_cast<double>(lists);
  const double mean = realised(metric, cutoff);
  return std::sqrt(std::max(0.0, sum_of_squares[metric][cutoff] / n - mean * mean) / (n - 1));
}

void expect_metrics(Truth& truth, const ClickModel& model) {
  const Chances chances = chances_of(truth.spec);
  truth.click_rate = model.click_rate();
  for (std::size_t c = 0; c < quality_classes; ++c) {
    truth.variants[c].expected = expected_of_class(truth.spec, model, chances, c);
  }
}

}  // namespace recmeter::generate
