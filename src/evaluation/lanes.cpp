#include "recmeter/evaluation/lanes.h"

#include <algorithm>
#include <utility>

namespace recmeter {

Lanes::Lanes(const EvaluatorPlan& plan, EvaluationOptions&& options, Executor& executor, RowSink& sink)
    : plan_(plan), rows_(plan, sink), sealed_(options.sealed) {
  if (options.scored_lists && !plan.lanes.empty()) {
    scored_lists_ = std::exchange(options.scored_lists, [this](const ScoredLine& line) {
      lines_.push_back(line);
      return Result<void>();
    });
  }
  for (std::size_t lane = 0; lane < evaluations_of(plan); ++lane) {
    EvaluationOptions own = options;
    own.lane = lane;
    if (lane > 0) {
      own.looks = {};
      own.pasts = {};
      own.witness = nullptr;
    }
    evaluations_.push_back(std::make_unique<Evaluation>(plan_of(plan, lane), std::move(own), executor, rows_));
  }
}

// What was shown and done is of all lanes; a candidate or policy of its own, and where pairs are looked for candidates are of
// all, too.
std::vector<std::vector<RoutedBatch>> Lanes::of_lane(const std::vector<std::vector<RoutedBatch>>& routed,
                                                     std::size_t lane) const {
  std::vector<std::vector<RoutedBatch>> out(routed.size());
  for (std::size_t shard = 0; shard < routed.size(); ++shard) {
    for (const RoutedBatch& batch : routed[shard]) {
      RoutedBatch own{.batch = batch.batch, .partition = batch.partition, .first_place = batch.first_place, .events = {}};
      for (const std::uint32_t index : batch.events) {
        if (plan_.lanes[lane]->plan.has(batch.batch->events()[index])) own.events.push_back(index);
      }
      if (!own.events.empty()) out[shard].push_back(std::move(own));
    }
  }
  return out;
}

void Lanes::receive(std::vector<std::vector<RoutedBatch>>&& routed) {
  if (!has_lanes()) return evaluations_.front()->receive(std::move(routed));
  for (std::size_t lane = 0; lane < evaluations_.size(); ++lane) evaluations_[lane]->receive(of_lane(routed, lane));
}

void Lanes::begin(EventTime w, std::vector<std::function<void()>>& tasks) {
  for (auto& evaluation : evaluations_) evaluation->begin(delayed(w), tasks);
}

template <class Step>
Result<void> Lanes::each(Step&& step) {
  for (std::size_t lane = 0; lane < evaluations_.size(); ++lane) {
    rows_.begin(lane);
    if (auto done = step(*evaluations_[lane]); !done) return done;
  }
  return hand_over();
}

Result<void> Lanes::complete(const LogStart& start) {
  return each([&](Evaluation& evaluation) { return evaluation.complete(start); });
}

Result<void> Lanes::advance(EventTime w, const LogStart& start) {
  return each([&](Evaluation& evaluation) { return evaluation.advance(delayed(w), start); });
}

Result<void> Lanes::end(EventTime log_end, EventTime later_end, const LogStart& start) {
  return each([&](Evaluation& evaluation) { return evaluation.end(delayed(log_end), delayed(later_end), start); });
}

Result<void> Lanes::end_whole(EventTime log_end, const LogStart& start) {
  return each([&](Evaluation& evaluation) { return evaluation.end_whole(delayed(log_end), start); });
}

// Each lane's lists come in the order of ScoredLine already.
Result<void> Lanes::hand_over() {
  std::stable_sort(lines_.begin(), lines_.end());
  for (const ScoredLine& line : std::exchange(lines_, {})) {
    if (auto written = scored_lists_(line); !written) return written;
  }
  if (auto written = rows_.hand_over(); !written) return written;
  return sealed_ != nullptr ? sealed_->step_done() : Result<void>{};
}

bool Lanes::is_abandoned() const {
  return std::ranges::any_of(evaluations_, [](const auto& evaluation) { return evaluation->is_abandoned(); });
}

EvaluationCounts Lanes::counts() const {
  EvaluationCounts counts = evaluations_.front()->counts();
  for (std::size_t lane = 1; lane < evaluations_.size(); ++lane) {
    const EvaluationCounts own = evaluations_[lane]->counts();
    for (std::size_t p = 0; p < counts.decided.size(); ++p) counts.decided[p] += own.decided[p];
    counts.lanes.push_back(own.lane);
  }
  return counts;
}

void Lanes::report(Report& report) const {
  evaluations_.front()->report(report);
  for (std::size_t lane = 1; lane < evaluations_.size(); ++lane) {
    Report own = report;
    evaluations_[lane]->report(own);
    const EvaluationCounts counts = evaluations_[lane]->counts();
    for (std::size_t p = 0; p < report.partitions.size(); ++p) report.partitions[p].events += counts.decided[p];
    report.lanes.push_back(plan_.lanes[lane]->report_of(counts.lane));
    report.rows_final = own.rows_final;
    report.rows_truncated = own.rows_truncated;
    report.sums_bytes_max = own.sums_bytes_max;
    report.exposure_bytes_max = own.exposure_bytes_max;
    report.popularity_bytes_max = own.popularity_bytes_max;
    if (report.gap_at_end) report.gap_at_end->rows = report.gap_at_end->rows + own.gap_at_end->rows;
  }
}

}  // namespace recmeter
