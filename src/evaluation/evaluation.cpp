#include "recmeter/evaluation/evaluation.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

template <class Count>
void add(std::vector<Count>& to, const std::vector<Count>& more) {
  if (to.size() < more.size()) to.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) to[i] += more[i];
}
template <class Count>
void take_away(std::vector<Count>& from, const std::vector<Count>& less) {
  if (from.size() < less.size()) from.resize(less.size());
  for (std::size_t i = 0; i < less.size(); ++i) from[i] -= less[i];
}

}  // namespace

Evaluation::Evaluation(const EvaluatorPlan& plan, EvaluationOptions options, Executor& executor, RowSink& sink)
    : plan_(plan),
      options_(std::move(options)),
      executor_(executor),
      sink_(sink),
      merger_(plan, options_.shards, options_.range, options_.keeps_panes) {
  RECMETER_CHECK(options_.sealed == nullptr || !needs_popularity(), "a part does not know what users of others did");
  RECMETER_CHECK(options_.witness == nullptr || options_.shards == 1, "a witness is not called from several threads");
  for (std::size_t s = 0; s < options_.shards; ++s) {
    shards_.emplace_back(plan, options_.partitions, merger_.popularity(s), options_.witness, options_.memory,
                         TimeSpan{options_.range.from, options_.range.to - Duration{1}});
  }
  for (Shard& shard : shards_) shard.keep_open(!options_.is_end_known);
  for (const PlannedExperiment& experiment : plan.experiments) courses_.emplace_back(plan, experiment);
  RECMETER_CHECK(options_.pasts.empty() || options_.pasts.size() == courses_.size(), "each experiment has its past");
  for (std::size_t e = 0; e < options_.pasts.size(); ++e) go_on_from(e, std::move(options_.pasts[e]));
}

void Evaluation::go_on_from(std::size_t experiment, ExperimentPast&& past) {
  const EventTime counts_from = past.counts_from(plan_.experiments[experiment]);
  for (Shard& shard : shards_) shard.tally(experiment).go_on_from(counts_from);
  const auto tally_of = [&](std::uint8_t slot) -> ExperimentTally& {
    return shards_[shard_of_slot(slot, shards_.size())].tally(experiment);
  };
  for (KeptLook& look : past.looks) {
    for (const auto& [slot, before] : look.sums.before) tally_of(slot).restore(before);
    for (const MemberNote& note : look.sums.notes) tally_of(note.slot).restore(note);
    look.sums.before.clear();
    look.sums.notes = {};
  }
  if (!past.looks.empty()) {
    for (Shard& shard : shards_) shard.sample_members(experiment, past.looks.back().remarks.sample);
  }
  courses_[experiment].go_on_from(std::move(past));
}

std::vector<std::vector<KeptLook>> Evaluation::take_new_looks() {
  std::vector<std::vector<KeptLook>> looks;
  for (ExperimentCourse& course : courses_) looks.push_back(course.take_new());
  return looks;
}

void Evaluation::receive(std::vector<std::vector<RoutedBatch>>&& routed) {
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    for (RoutedBatch& batch : routed[s]) shards_[s].receive(std::move(batch));
  }
}

// Shards settle and advance in one task; only where the watermark jumps over a seal do they have to meet more than once, or
// where a list's value depends on what other shards' users did before it.
void Evaluation::begin(EventTime w, std::vector<std::function<void()>>& tasks) {
  to_ = w;
  first_step_ = std::min(w, plan_.next_seal_after(advanced_));
  for (Shard& shard : shards_) {
    tasks.emplace_back([&shard, w, first = first_step_, advance = !needs_popularity() && w != minus_infinity] {
      shard.settle(w);
      if (advance) shard.advance(first, plus_infinity);
    });
  }
}

Result<void> Evaluation::complete(const LogStart& start) {
  if (to_ == minus_infinity) return {};
  share_popularity(to_);
  if (!needs_popularity()) advanced_ = first_step_;  // as the tasks did
  auto step = needs_popularity() ? step_to(first_step_, plus_infinity, start) : take_step(first_step_, plus_infinity, start);
  return step ? advance_to(to_, plus_infinity, start) : step;
}

Result<void> Evaluation::advance(EventTime w, const LogStart& start) {
  settle_all(w);
  return advance_to(w, plus_infinity, start);
}

Result<void> Evaluation::end(EventTime log_end, EventTime later_end, const LogStart& start) {
  settle_all(plus_infinity);
  for (Shard& shard : shards_) shard.log_has_ended(later_end);
  auto done = advance_to(log_end, log_end, start);
  if (done) done = advance_to(later_end, log_end, start);
  rows_in_gap_ = rows_truncated_;
  return done ? advance_to(plus_infinity, log_end, start) : done;
}

Result<void> Evaluation::end_whole(EventTime log_end, const LogStart& start) {
  if (std::ranges::none_of(plan_.spec->windows, &WindowSpec::is_whole)) return {};
  for (Shard& shard : shards_) shard.seal_whole();
  return take_step(plus_infinity, log_end, start);
}

void Evaluation::restore(ShardOutput&& panes, EventTime w, EventTime to) {
  restored_to_ = to;
  forgets_at_ = to + plan_.item_memory(plan_.open_memory());
  merger_.restore(std::move(panes), to - plan_.spec->join.skew);
  const std::vector<Row> rows = merger_.finish(w, plus_infinity, {}, executor_);
  RECMETER_CHECK(rows.empty(), "rows due before are made");
}

void Evaluation::settle_all(EventTime w) {
  std::vector<std::function<void()>> tasks;
  for (Shard& shard : shards_) tasks.emplace_back([&shard, w] { shard.settle(w); });
  executor_.run(tasks);
  share_popularity(w);
}

// What users of all shards did before `w`, for the lists of each.
void Evaluation::share_popularity(EventTime w) {
  if (!needs_popularity()) return;
  for (std::size_t s = 0; s < shards_.size(); ++s) merger_.collect(s, shards_[s].take_output());
  merger_.settled(w, advanced_);
}

// In steps of about a pane: where the watermark jumps, no more than a pane's sums are held at a time.
Result<void> Evaluation::advance_to(EventTime w, EventTime log_end, const LogStart& start) {
  while (advanced_ < w) {
    is_abandoned_ = is_abandoned_ || (options_.abandon && options_.abandon());
    if (is_abandoned_) return failure(Errc::interrupted, "interrupted before all of what was read was evaluated");
    EventTime next = w;
    for (const Shard& shard : shards_) next = std::min(next, shard.next_seal());
    if (auto done = step_to(next, log_end, start); !done) return done;
  }
  return {};
}

Result<void> Evaluation::step_to(EventTime w, EventTime log_end, const LogStart& start) {
  std::vector<std::function<void()>> tasks;
  for (Shard& shard : shards_) tasks.emplace_back([&shard, w, log_end] { shard.advance(w, log_end); });
  executor_.run(tasks);
  advanced_ = w;
  return take_step(w, log_end, start);
}

// Makes the rows that `w` makes due of what the shards have sealed, or hands it over.
Result<void> Evaluation::take_step(EventTime w, EventTime log_end, const LogStart& start) {
  std::size_t sums_bytes = merger_.sums_bytes();
  std::size_t exposure_bytes = merger_.exposure_bytes();
  std::size_t popularity_bytes = merger_.popularity_bytes();
  std::vector<ScoredLine> lines;
  std::vector<ShardOutput> outputs;
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    sums_bytes += shards_[s].sums_bytes();
    exposure_bytes += shards_[s].exposure_bytes();
    popularity_bytes += shards_[s].popularity_bytes();
    ShardOutput& output = outputs.emplace_back(shards_[s].take_output());
    std::move(output.lines.begin(), output.lines.end(), std::back_inserter(lines));
  }
  sums_bytes_max_ = std::max<std::uint64_t>(sums_bytes_max_, sums_bytes);
  exposure_bytes_max_ = std::max<std::uint64_t>(exposure_bytes_max_, exposure_bytes);
  popularity_bytes_max_ = std::max<std::uint64_t>(popularity_bytes_max_, popularity_bytes);
  std::sort(lines.begin(), lines.end());
  for (const ScoredLine& line : lines) {
    if (auto written = options_.scored_lists(line); !written) return written;
  }
  if (options_.sealed != nullptr) return options_.sealed->take(std::move(outputs), options_.lane);
  if (w >= forgets_at_) {
    forgets_at_ = plus_infinity;
    merger_.forget_restored();
  }
  for (std::size_t s = 0; s < outputs.size(); ++s) {
    if (w <= restored_to_) {
      outputs[s].exposure = {};
      outputs[s].sums = {};
    }
    for (std::size_t e = 0; e < outputs[s].looks.size(); ++e) courses_[e].collect(std::move(outputs[s].looks[e]));
    merger_.collect(s, std::move(outputs[s]));
  }
  for (const Row& row : merger_.finish(w, log_end, start, executor_)) {
    ++(row.stage == Stage::final ? rows_final_ : rows_truncated_);
    if (auto written = sink_.write(row); !written) return written;
  }
  return follow_experiments(w, log_end, start);
}

Result<void> Evaluation::follow_experiments(EventTime w, EventTime log_end, const LogStart& start) {
  std::vector<std::uint8_t> samples;
  for (const ExperimentCourse& course : courses_) samples.push_back(course.sample());
  const std::vector<ExperimentLook> looks = advance_all(courses_, w, log_end, start);
  for (std::size_t e = 0; e < courses_.size(); ++e) {
    if (courses_[e].sample() == samples[e]) continue;
    for (Shard& shard : shards_) shard.sample_members(e, courses_[e].sample());
  }
  for (const ExperimentLook& look : looks) {
    if (auto taken = options_.looks(look); !taken) return taken;
  }
  return {};
}

EvaluationCounts& EvaluationCounts::operator+=(const EvaluationCounts& other) {
  RECMETER_CHECK(decided.size() == other.decided.size(), "counts of the same partitions are added");
  for (std::size_t p = 0; p < decided.size(); ++p) decided[p] += other.decided[p];
  outcomes += other.outcomes;
  add(by_action, other.by_action);
  lists += other.lists;
  add(lanes, other.lanes);
  return *this;
}

EvaluationCounts& EvaluationCounts::operator-=(const EvaluationCounts& other) {
  RECMETER_CHECK(decided.size() == other.decided.size(), "counts of the same partitions are taken away");
  for (std::size_t p = 0; p < decided.size(); ++p) decided[p] -= other.decided[p];
  outcomes -= other.outcomes;
  take_away(by_action, other.by_action);
  lists -= other.lists;
  take_away(lanes, other.lanes);
  return *this;
}

EvaluationCounts Evaluation::counts() const {
  EvaluationCounts counts{.decided = std::vector<EventCounts>(options_.partitions), .outcomes = {}};
  for (const Shard& shard : shards_) {
    for (std::size_t p = 0; p < options_.partitions; ++p) counts.decided[p] += shard.decided()[p];
    counts.lists += shard.lists();
    counts.outcomes += shard.outcomes();
    add(counts.by_action, shard.outcomes_by_action());
    counts.lane += shard.lane_counts();
  }
  return counts;
}

ListTally Evaluation::lists_tally() const {
  ListTally tally;
  for (const Shard& shard : shards_) {
    tally += shard.lists_tally();
    tally.acted_later(shard.credits_later());
  }
  return tally;
}

void Evaluation::report(Report& report) const {
  const EvaluationCounts counts = this->counts();
  for (std::size_t p = 0; p < report.partitions.size(); ++p) report.partitions[p].events += counts.decided[p];
  report.lists += counts.lists;
  report.feedback += counts.outcomes;
  report.add_actions(plan_.actions, counts.by_action);
  report.rows_final += rows_final_;
  report.rows_truncated += rows_truncated_;
  if (report.gap_at_end) report.gap_at_end->rows = rows_in_gap_;
  report.sums_bytes_max = std::max(report.sums_bytes_max, sums_bytes_max_);
  report.exposure_bytes_max = std::max(report.exposure_bytes_max, exposure_bytes_max_);
  report.popularity_bytes_max = std::max(report.popularity_bytes_max, popularity_bytes_max_);
}

}  // namespace recmeter
