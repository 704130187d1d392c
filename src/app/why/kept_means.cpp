#include "app/why/kept_means.h"

#include <algorithm>
#include <cmath>

namespace recmeter::why {

namespace {

constexpr double equal_within = 1e-9;  // of what is rounded to doubles

bool are_equal(double a, double b) {
  return std::abs(a - b) <= equal_within * std::max(1.0, std::abs(a));
}

}  // namespace

bool is_product(const MeanFacts& facts) {
  if (!facts.value || !facts.relevant_share) return false;
  return are_equal(*facts.value, *facts.relevant_share * facts.given_relevant.value_or(0));
}

MeanRow mean_row_of(const Row& row, const MetricValue& metric) {
  MeanRow out{.facts = {.lists = row.lists,
                        .value = metric.value,
                        .relevant_share = metric.relevant_share,
                        .given_relevant = metric.given_relevant},
              .sums = metric.group_sums};
  if (out.sums != nullptr) {
    out.facts.lists = 0;
    for (const std::uint64_t lists : out.sums->lists) out.facts.lists += lists;
  } else if (!metric.value) {
    out.facts.lists = 0;
  } else if (!is_product(out.facts) && metric.relevant_share && metric.given_relevant &&
             are_equal(*metric.value, *metric.given_relevant)) {
    // The mean is over the lists with evidence alone.
    out.facts.lists = static_cast<std::uint64_t>(std::llround(*metric.relevant_share * static_cast<double>(row.lists)));
  }
  return out;
}

KeptMeans::KeptMeans(std::string metric, KeepRule rule) : metric_(std::move(metric)), rule_(rule) {}

void KeptMeans::add(const Row& row) {
  if (row.stage == Stage::provisional) return;
  evaluators_.insert(row.evaluator);
  const auto metric = std::ranges::find(row.metrics, metric_, &MetricValue::key);
  if (metric == row.metrics.end()) {
    for (const MetricValue& other : row.metrics) {
      if (metrics_.size() < metrics_max) metrics_.insert(other.key);
    }
    return;
  }
  is_known_ = true;
  if (row.end > rule_.at) return;
  KeptMean kept{.evaluator = row.evaluator,
                .config = row.config,
                .start = row.start,
                .end = row.end,
                .segment = row.segment,
                .stage = row.stage,
                .incomplete = row.incomplete,
                .mean = mean_row_of(row, *metric),
                .ci = metric->ci,
                .shown = metric->shown};
  std::ranges::sort(kept.segment);
  Windows& windows = windows_[{row.horizon, row.window, row.stage}];
  Rows& rows = windows[row.start];
  rows.insert_or_assign(kept.segment, std::move(kept));
  if (rows.size() == 1) forget(windows);
}

// Windows with which none that is or may become the newest is compared.
void KeptMeans::forget(Windows& windows) const {
  const EventTime newest = windows.rbegin()->first;
  auto first_kept = windows.lower_bound(EventTime{newest.ms - rule_.reach.ms});
  const auto ends_by = [](const Windows::value_type& window, EventTime time) {
    return window.second.begin()->second.end <= time;
  };
  auto pinned = windows.end();
  for (auto at = windows.begin(); at != windows.end(); ++at) {
    if (rule_.against && ends_by(*at, *rule_.against)) pinned = at;
    if (at->first < first_kept->first && ends_by(*at, newest) && !ends_by(*std::next(at), newest)) first_kept = at;
  }
  for (auto at = windows.begin(); at != first_kept;) at = at == pinned ? std::next(at) : windows.erase(at);
}

std::optional<Duration> KeptMeans::longest_horizon() const {
  return windows_.empty() ? std::nullopt : std::optional(windows_.rbegin()->first.horizon);
}

std::vector<std::string> KeptMeans::names(Duration horizon) const {
  std::vector<std::string> out;
  for (const auto& [of, windows] : windows_) {
    if (of.horizon == horizon && (out.empty() || out.back() != of.name)) out.push_back(of.name);
  }
  return out;
}

const KeptMeans::Windows& KeptMeans::windows(const std::string& name, Duration horizon, Stage stage) const {
  static const Windows none;
  const auto at = windows_.find({horizon, name, stage});
  return at == windows_.end() ? none : at->second;
}

}  // namespace recmeter::why
