#include "recmeter/evaluation/merge_partials.h"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

#include "evaluation/log_union.h"
#include "evaluation/partial_bytes.h"
#include "recmeter/evaluation/experiment_course.h"
#include "recmeter/evaluation/lane_rows.h"
#include "recmeter/window/segment_panes.h"

namespace recmeter {

namespace {

std::optional<EventTime> next_of(std::span<const PartialReader> partials) {
  std::optional<EventTime> next;
  for (const PartialReader& partial : partials) {
    const auto of = partial.next();
    if (of && (!next || *of < *next)) next = of;
  }
  return next;
}

// By lane what each has sealed then; nothing of those that have not.
Result<std::vector<std::vector<ShardOutput>>> take(const EvaluatorPlan& plan, std::vector<PartialReader>& partials,
                                                   EventTime sealed) {
  std::vector<std::vector<ShardOutput>> lanes(evaluations_of(plan));
  for (std::vector<ShardOutput>& outputs : lanes) outputs.resize(partials.size());
  for (std::size_t unit = 0; unit < partials.size(); ++unit) {
    if (partials[unit].next() != sealed) continue;
    auto taken = partials[unit].take(plan);
    if (!taken) return tl::unexpected(std::move(taken).error());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane][unit] = std::move((*taken)[lane]);
  }
  return lanes;
}

Result<void> check_lanes(const EvaluatorPlan& plan, std::span<const PartialReader> partials) {
  for (const PartialReader& partial : partials) {
    if (auto checked = partial.check_lanes(plan); !checked) return checked;
  }
  return {};
}

// Of the log, and of all these parts.
PartSummary union_of(std::span<const PartialReader> partials) {
  if (partials.front().header().ends) {
    std::vector<PartSummary> summaries;
    for (const PartialReader& partial : partials) summaries.push_back(partial.summary());
    return joined(summaries);
  }
  PartSummary summary = partials.front().summary();
  for (const PartialReader& partial : partials.subspan(1)) summary.counts += partial.summary().counts;
  return summary;
}

PartSummary summary_of(const EvaluatorPlan& plan, std::span<const PartialReader> partials) {
  PartSummary summary = union_of(partials);
  // A part that reads all of its partitions goes on behind --to; one run does not.
  const EventTime until = plan.final_by(partials.front().header().range.to);
  if (until <= summary.log.final_to) summary.evaluated_to = std::min(summary.evaluated_to, until);
  return summary;
}

// visit(cell, when its lists must have been shown at the latest to have matured where the log ends at `log_end`). `plan`: of
// a lane, whose sums these are.
template <class Visit>
void for_each_sums(const EvaluatorPlan& plan, ShardOutput& output, EventTime log_end, Visit&& visit) {
  const JoinRule& join = plan.spec->join;
  for (auto& horizons : output.sums) {
    for (std::size_t h = 0; h < horizons.size(); ++h) {
      const EventTime last = lane_time(plan, log_end) - join.horizons[h] - join.skew;
      for (auto& [start, pane] : horizons[h]) {
        for (SegmentCells<PaneSums>& cells : pane.combinations) {
          cells.for_each([&](PaneSums& cell) { visit(cell, last); });
        }
      }
    }
  }
}

auto meaning_of(const PartialHeader& header) {
  return std::tie(header.config_hash, header.configuration);
}

auto range_of(const PartialHeader& header) {
  return std::tie(header.range.from, header.range.to, header.range.starts_before);
}

tl::unexpected<Error> do_not_belong(const std::string& what, const PartialReader& a, const PartialReader& b) {
  return failure(Errc::config_invalid, "partials do not belong together, " + what + ": " + a.name() + " and " + b.name());
}

std::string shown_id(const std::string& id) {
  constexpr std::size_t shown_max = 80;
  if (id.size() <= shown_max) return id;
  std::size_t end = shown_max;
  while (end > 0 && (static_cast<std::uint8_t>(id[end]) & 0xC0U) == 0x80) --end;  // a character is shown whole
  return "an id that begins with " + id.substr(0, end);
}

tl::unexpected<Error> is_split(const SplitKey& split, const PartialHeader& header) {
  const auto part = [&](std::uint32_t number) { return std::to_string(number) + "/" + std::to_string(header.count); };
  return failure(Errc::config_invalid,
                 "events " + (split.key.id.empty() ? "without an id to join them by" : "of " + shown_id(split.key.id)) +
                     " are in parts " + part(split.key.part) + " and " + part(split.other_part) +
                     ": topics are not partitioned by what events are joined by, the user or, with key: list, the list; make "
                     "parts with --part or stamp");
}

// Parts by partitions share no partition, and no user.
Result<void> check_apart(std::span<const PartialReader> partials) {
  std::set<std::string> partitions;
  std::vector<const KeySample*> keys;
  std::optional<bool> are_sorted;
  for (const PartialReader& partial : partials) {
    for (const PartitionReport& partition : partial.summary().log.partitions) {
      if (partition.is_sorted != are_sorted.value_or(partition.is_sorted))
        return do_not_belong("because their --sort differs", partials.front(), partial);
      are_sorted = partition.is_sorted;
      if (partitions.insert(partition.name).second) continue;
      return do_not_belong("because two have partition " + partition.name, partials.front(), partial);
    }
    keys.push_back(&partial.summary().keys);
  }
  const auto split = find_split(keys);
  return split ? is_split(*split, partials.front().header()) : Result<void>();
}

tl::unexpected<Error> is_interrupted() {
  return failure(Errc::interrupted, "interrupted before all partials were merged");
}

// What an Evaluation has behind its shards: a Merger, what follows its experiments, and what they make.
class LaneMerge {
 public:
  // All outlive it; `looks` may be empty where the plan has no experiments.
  LaneMerge(const EvaluatorPlan& plan, const std::vector<PartialReader>& partials, const PartSummary& log, Executor& executor,
            RowSink& sink, const std::function<Result<void>(const ExperimentLook&)>& looks)
      : plan_(plan),
        log_(log),
        merger_(plan, partials.size(), partials.front().header().range),
        executor_(executor),
        sink_(sink),
        looks_(looks) {
    for (const PlannedExperiment& experiment : plan.experiments) courses_.emplace_back(plan, experiment);
  }

  // What each unit has sealed.
  void collect(std::vector<ShardOutput>&& outputs);
  // The rows and looks due by `w`, with how many and how much was held.
  Result<void> finish(EventTime w, Report& report);

 private:
  Result<void> follow_experiments(EventTime w);
  [[nodiscard]] EventTime log_end() const { return lane_time(plan_, log_.log.final_to); }

  const EvaluatorPlan& plan_;
  const PartSummary& log_;
  Merger merger_;
  Executor& executor_;
  RowSink& sink_;
  const std::function<Result<void>(const ExperimentLook&)>& looks_;
  std::vector<ExperimentCourse> courses_;
};

void LaneMerge::collect(std::vector<ShardOutput>&& outputs) {
  for (std::size_t unit = 0; unit < outputs.size(); ++unit) {
    ShardOutput& output = outputs[unit];
    for_each_sums(plan_, output, log_.log.final_to, [](PaneSums& cell, EventTime last) { cell.end_open(last); });
    for (std::size_t e = 0; e < output.looks.size(); ++e) courses_[e].collect(std::move(output.looks[e]));
    merger_.collect(unit, std::move(output));
  }
}

// A pane that is sealed may be of the time behind the log's end: then its rows are truncated.
Result<void> LaneMerge::finish(EventTime w, Report& report) {
  report.sums_bytes_max = std::max<std::uint64_t>(report.sums_bytes_max, merger_.sums_bytes());
  report.exposure_bytes_max = std::max<std::uint64_t>(report.exposure_bytes_max, merger_.exposure_bytes());
  for (const Row& row : merger_.finish(w, log_end(), log_.start, executor_)) {
    ++(row.stage == Stage::final ? report.rows_final : report.rows_truncated);
    if (auto written = sink_.write(row); !written) return written;
  }
  return follow_experiments(w);
}

Result<void> LaneMerge::follow_experiments(EventTime w) {
  for (const ExperimentLook& look : advance_all(courses_, w, log_end(), log_.start)) {
    if (auto taken = looks_(look); !taken) return taken;
  }
  for (std::size_t e = 0; e < courses_.size(); ++e) {
    if (courses_[e].sample() == 0) continue;
    return failure(Errc::config_invalid,
                   "more members than limits.experiment_users, of which no part can take a sample; raise the "
                   "limit for all parts, or run without --part: " +
                       plan_.experiments[e].spec->name);
  }
  return {};
}

// All lanes, moved on together.
class RowMerge {
 public:
  RowMerge(const EvaluatorPlan& plan, std::vector<PartialReader>& partials, Executor& executor, RowSink& sink,
           const std::atomic<bool>& stop, const std::function<Result<void>(const ExperimentLook&)>& looks)
      : plan_(plan), partials_(partials), stop_(stop), log_(summary_of(plan, partials)), rows_(plan, sink) {
    report_ = log_.log;
    for (std::size_t lane = 0; lane < evaluations_of(plan); ++lane) {
      lanes_.emplace_back(plan_of(plan, lane), partials, log_, executor, rows_, looks);
    }
  }

  Result<Report> run();

 private:
  Result<void> merge_to(EventTime w);
  Result<void> collect(EventTime sealed);
  Result<void> finish(EventTime w);

  const EvaluatorPlan& plan_;
  std::vector<PartialReader>& partials_;
  const std::atomic<bool>& stop_;
  const PartSummary log_;
  LaneRows rows_;
  std::deque<LaneMerge> lanes_;
  Report report_;
};

Result<Report> RowMerge::run() {
  auto done = merge_to(lane_time(plan_, std::min(log_.later_end, log_.evaluated_to)));
  if (done && report_.gap_at_end) report_.gap_at_end->rows = report_.rows_truncated;
  if (done) done = merge_to(lane_time(plan_, log_.evaluated_to));
  if (done && std::ranges::any_of(plan_.spec->windows, &WindowSpec::is_whole)) {
    if (next_of(partials_)) done = collect(plus_infinity);
    if (done) done = finish(plus_infinity);
  }
  if (!done) return tl::unexpected(std::move(done).error());
  const EvaluationCounts& counts = log_.counts;
  for (std::size_t p = 0; p < report_.partitions.size(); ++p) report_.partitions[p].events += counts.decided[p];
  report_.lists = counts.lists;
  report_.feedback = counts.outcomes;
  report_.add_actions(plan_.actions, counts.by_action);
  for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
    report_.lanes.push_back(plan_.lanes[lane]->report_of(counts.lanes[lane - 1]));
  }
  report_.add_up();
  return std::move(report_);
}

// Panes of the whole window are sealed at plus_infinity, behind all others.
Result<void> RowMerge::merge_to(EventTime w) {
  for (auto sealed = next_of(partials_); sealed && *sealed <= w && *sealed < plus_infinity; sealed = next_of(partials_)) {
    if (stop_) return is_interrupted();
    if (auto done = collect(*sealed); !done) return done;
    if (auto done = finish(*sealed); !done) return done;
  }
  return finish(w);
}

Result<void> RowMerge::collect(EventTime sealed) {
  auto outputs = take(plan_, partials_, sealed);
  if (!outputs) return tl::unexpected(std::move(outputs).error());
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) lanes_[lane].collect(std::move((*outputs)[lane]));
  return {};
}

Result<void> RowMerge::finish(EventTime w) {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    rows_.begin(lane);
    if (auto done = lanes_[lane].finish(w, report_); !done) return done;
  }
  return rows_.hand_over();
}

}  // namespace

Result<PartialHeader> header_of_all(std::span<const PartialReader> partials) {
  const PartialReader& first = partials.front();
  PartialHeader all = first.header();
  all.parts.clear();
  for (const PartialReader& partial : partials) {
    const PartialHeader& header = partial.header();
    if (header.count != all.count) return do_not_belong("because their logs have different numbers of parts", first, partial);
    if (header.version != all.version) return do_not_belong("because versions of recmeter differ", first, partial);
    if (meaning_of(header) != meaning_of(all)) return do_not_belong("for their configurations differ", first, partial);
    if (range_of(header) != range_of(all)) return do_not_belong("because their --from or --to differ", first, partial);
    if (header.ends.has_value() != all.ends.has_value()) {
      return do_not_belong("because some are cut by users and some by partitions", first, partial);
    }
    if (header.ends != all.ends) return do_not_belong("because their --ends differ", first, partial);
    if (!all.ends && partial.log_bytes() != first.log_bytes()) {
      return do_not_belong(
          "because they read different logs, or one log at different times, in another order, or with "
          "another --sort; make all of them with the same inputs and options",
          first, partial);
    }
    for (const std::uint32_t part : header.parts) {
      if (all.parts.insert(part).second) continue;
      return failure(Errc::config_invalid,
                     parts_text({part}, all.count) + " is there twice; leave one of its partials out: " + partial.name());
    }
  }
  if (!all.ends) return all;
  if (auto checked = check_apart(partials); !checked) return tl::unexpected(std::move(checked).error());
  return all;
}

Result<void> check_complete(const PartialHeader& header) {
  std::set<std::uint32_t> missing;
  for (std::uint32_t part = 0; part < header.count; ++part) {
    if (!header.parts.contains(part)) missing.insert(part);
  }
  if (missing.empty()) return {};
  return failure(Errc::config_invalid, parts_text(missing, header.count) + (missing.size() == 1 ? " is" : " are") +
                                           " missing; give the partials of all parts, or merge to --partials");
}

Result<Report> merge_to_rows(const EvaluatorPlan& plan, std::vector<PartialReader> partials, Executor& executor,
                             RowSink& sink, const std::atomic<bool>& stop,
                             const std::function<Result<void>(const ExperimentLook&)>& looks) {
  if (auto checked = check_lanes(plan, partials); !checked) return tl::unexpected(std::move(checked).error());
  return RowMerge(plan, partials, executor, sink, stop, looks).run();
}

Result<void> merge_to_partials(const EvaluatorPlan& plan, std::vector<PartialReader> partials, PartialWriter& writer,
                               const std::atomic<bool>& stop) {
  if (auto checked = check_lanes(plan, partials); !checked) return checked;
  const PartSummary summary = union_of(partials);
  for (auto sealed = next_of(partials); sealed; sealed = next_of(partials)) {
    if (stop) return is_interrupted();
    auto outputs = take(plan, partials, *sealed);
    if (!outputs) return tl::unexpected(std::move(outputs).error());
    for (std::size_t lane = 0; lane < outputs->size(); ++lane) {
      for (ShardOutput& output : (*outputs)[lane]) {
        for_each_sums(plan_of(plan, lane), output, summary.log.final_to,
                      [](PaneSums& cell, EventTime last) { cell.mature_open(last); });
      }
      if (auto written = writer.take(std::move((*outputs)[lane]), lane); !written) return written;
    }
    if (auto written = writer.step_done(); !written) return written;
  }
  return writer.end(summary);
}

}  // namespace recmeter
