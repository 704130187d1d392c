#include "app/prequential/prequential_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "app/prequential/lane_log.h"
#include "app/prequential/learning_curve_lines.h"
#include "app/prequential/recorded_lists.h"
#include "app/run/interruption.h"
#include "app/run/scratch_directory.h"
#include "app/run/thread_pool.h"
#include "config/config_hash.h"
#include "config/load_config.h"

namespace recmeter {

namespace {

// What is to be foreseen.
std::vector<LearnedEvent> acts_of(const ReadLog& read, const std::vector<std::uint8_t>& targets) {
  std::vector<LearnedEvent> out;
  for (const JudgingFeedback& one : read.feedback) {
    if (std::ranges::find(targets, one.action) != targets.end()) {
      out.push_back({one.ts, one.user, one.item, one.action, one.value});
    }
  }
  return out;
}

// A rank of such a list may lack its item, so entries say where they stand.
bool has_shown_lists(const PrequentialSpec& rules) {
  return std::ranges::any_of(rules.recommenders,
                             [](const RecommenderSpec& one) { return one.kind == RecommenderKind::shown; });
}

// How the lists are judged: as configured, but for what only a list that was shown has.
Result<Config> judging_config(const Config& config) {
  auto lanes = load_config("", "lanes", {});
  RECMETER_CHECK(lanes.has_value(), "the default configuration is valid");
  lanes->spec = config.spec;
  EvaluatorSpec& spec = lanes->spec;
  spec.join.credit = Credit::every_touch;
  spec.counts_worth_once = true;
  spec.join.assemble = Duration{0};
  spec.join.skew = Duration{0};
  spec.time.max_step = Duration{0};
  spec.limits.list_items = std::max(spec.limits.list_items, config.prequential.length);
  spec.limits.id_bytes = std::max<std::size_t>(spec.limits.id_bytes, 256);
  std::vector<SegmentSpec> segments{{.keys = {recommender_key}, .keep = {}}};
  for (const RecommenderSpec& one : config.prequential.recommenders) segments[0].keep.push_back({one.name});
  // Lists that stand in for shown ones have their segments; where users act there are none.
  const bool has_segments = config.prequential.at == PrequentialSpec::At::impressions;
  for (const SegmentSpec& one : has_segments ? config.spec.segments : std::vector<SegmentSpec>()) {
    SegmentSpec with = {.keys = {recommender_key}, .keep = {}};
    with.keys.insert(with.keys.end(), one.keys.begin(), one.keys.end());
    for (const std::vector<std::string>& kept : one.keep) {
      for (const RecommenderSpec& lane : config.prequential.recommenders) {
        with.keep.push_back({lane.name});
        with.keep.back().insert(with.keep.back().end(), kept.begin(), kept.end());
      }
    }
    segments.push_back(std::move(with));
  }
  // The bound holds for each recommender, so that one more changes no row of another.
  spec.limits.segment_values *= config.prequential.recommenders.size();
  spec.segments = std::move(segments);
  if (has_shown_lists(config.prequential)) {
    Shape shape = shape_of(lanes->command_line.fields);
    const auto read = [&shape](EntryField field) {
      shape.common.entry[static_cast<std::size_t>(field)] =
          FieldSource{.path = path_of_names({std::string(to_string(field))})};
    };
    read(EntryField::item_id);
    read(EntryField::position);
    lanes->command_line.fields.shape = std::move(shape);
  }
  return std::move(*lanes);
}

// All that a recommender's rows depend on beyond the log: of it alone, so that another one changes nothing.
std::string hash_of(const Config& config, const RecommenderSpec& one) {
  const PrequentialSpec& rules = config.prequential;
  std::string text = config_hash(config.spec);
  for (const std::uint8_t action : rules.targets) text += fmt::format(" target {}", action);
  for (const std::uint8_t action : rules.learn) text += fmt::format(" learn {}", action);
  text += fmt::format(
      " at {} step {} delay {} history {} candidates {} recent {} exclude {} length {} warmup {} seed {}"
      " every {} active {}",
      static_cast<int>(rules.at), rules.step.ms, rules.delay.ms, static_cast<int>(rules.history),
      static_cast<int>(rules.candidates), rules.recent.ms, static_cast<int>(rules.exclude), rules.length, rules.warmup,
      rules.seed, rules.every.ms, rules.active.ms);
  text += fmt::format(
      " pairs {} items {} kind {} period {} half_life {} count {} window {} k {} factors {} rate {} reg {} n {} seed {}"
      " similarity {} significance {} threshold {} normalize {}",
      rules.pairs_max, rules.history_max,
      // What a program said is recorded: judged again, it is the same.
      static_cast<int>(one.kind == RecommenderKind::process ? RecommenderKind::recorded : one.kind), one.period.ms,
      one.half_life.ms, static_cast<int>(one.count), one.window.ms, one.k, one.factors, one.learning_rate, one.regularization,
      one.iterations, one.seed, static_cast<int>(one.similarity), one.significance, one.threshold,
      static_cast<int>(one.normalize));
  // A model of another program may go by any of it.
  if (one.kind == RecommenderKind::process || one.kind == RecommenderKind::recorded) {
    for (const std::string& name : rules.context) text += fmt::format(" context {}:{}", name.size(), name);
  }
  if (!one.context.empty()) text += fmt::format(" by {}", one.context);
  return fmt::format("{:016x}", hash_id(text));
}

// Rows of recommenders, each with the hash of its own definition, and whether it gave all its answers; those of all of them
// together say nothing.
class LaneRows final : public RowSink {
 public:
  LaneRows(const Config& config, std::span<const ExternalAnswers> external, RowSink& rows) : rows_(rows) {
    for (const RecommenderSpec& one : config.prequential.recommenders) lanes_[one.name].hash = hash_of(config, one);
    for (const ExternalAnswers& one : external) lanes_[one.name].missing = one.missing;
  }
  Result<void> write(const Row& row) override {
    if (row.segment.empty()) return {};
    const auto found = lanes_.find(row.segment.front().second);
    // Values that are too many fall together, and with them the lists of recommenders.
    if (found == lanes_.end()) {
      return failure(Errc::config_invalid,
                     "a segment has more values than limits.segment_values allows; raise it, or name those to `keep`");
    }
    const Lane& lane = found->second;
    Row out = row;
    out.config = lane.hash;
    const auto missing = std::ranges::lower_bound(lane.missing, row.start);
    if (missing != lane.missing.end() && *missing < row.end) out.incomplete.emplace_back("recommender");
    ++(row.stage == Stage::final ? final_ : truncated_);
    return rows_.write(out);
  }
  // Written.
  [[nodiscard]] std::uint64_t final_rows() const { return final_; }
  [[nodiscard]] std::uint64_t truncated_rows() const { return truncated_; }

 private:
  struct Lane {
    std::string hash;
    std::span<const EventTime> missing;  // times of the requests without an answer, ascending
  };
  RowSink& rows_;
  std::map<std::string, Lane> lanes_;
  std::uint64_t final_ = 0;
  std::uint64_t truncated_ = 0;
};

// Those in other programs, by their place; null: another kind.
using External = std::vector<std::unique_ptr<ExternalRecommender>>;

Result<External> begin_external(const Config& config, const LearningLog& log, std::span<const std::string> actions,
                                const PrequentialOptions& options, const std::atomic<bool>& stop) {
  External out;
  for (const RecommenderSpec& one : config.prequential.recommenders) {
    out.emplace_back();
    if (one.kind != RecommenderKind::process) continue;
    auto begun = ExternalRecommender::begin(one, {.rules = config.prequential,
                                                  .actions = actions,
                                                  .log = log,
                                                  .line_bytes_max = config.spec.limits.message_bytes,
                                                  .complaint =
                                                      [&options, &one](std::string_view line) {
                                                        if (options.complaint) options.complaint(one.name, line);
                                                      },
                                                  .stop = &stop});
    if (!begun) return tl::unexpected(std::move(begun).error());
    out.back() = std::move(*begun);
  }
  return out;
}

std::vector<ExternalAnswers> answers_of(const External& external, const PrequentialCounts& counts,
                                        std::span<const ListCounts> lists) {
  std::vector<ExternalAnswers> out;
  for (std::size_t r = 0; r < external.size(); ++r) {
    if (external[r] == nullptr) continue;
    out.push_back(external[r]->told());
    out.back().bad_items += counts.bad_items[r];
    out.back().empty = lists[r].empty;
  }
  return out;
}

Result<std::vector<std::optional<RecordedLists>>> read_recorded(std::span<const RecommenderSpec> recommenders,
                                                                LearningLog& log) {
  std::vector<std::optional<RecordedLists>> out(recommenders.size());
  for (std::size_t r = 0; r < recommenders.size(); ++r) {
    if (recommenders[r].kind != RecommenderKind::recorded) continue;
    auto lists = RecordedLists::read(recommenders[r].file, recommenders[r].name, log);
    if (!lists) return tl::unexpected(std::move(lists).error());
    out[r] = std::move(*lists);
  }
  return out;
}

Result<void> check(const Config& config) {
  if (config.prequential.recommenders.empty()) {
    return failure(Errc::config_invalid,
                   "no recommender is configured; add recommenders: [{name: top, kind: popularity}] "
                   "(recmeter recommenders lists all kinds)");
  }
  if (config.spec.lanes.is_wanted()) {
    return failure(Errc::config_invalid,
                   "`lanes` are of candidates that the log holds, which `recmeter replay` judges; leave them out here");
  }
  if (config.spec.join.key.by == JoinKey::By::list) {
    return failure(Errc::config_invalid, "recommenders learn from users, and join.key: list has none; remove either");
  }
  return {};
}

// ListBook: each list is counted, and goes to the learning curves and to the log that is judged.
class ListBook {
 public:
  // `curves`: null: none are asked for. All outlive it.
  ListBook(const Config& config, const std::vector<std::optional<RecordedLists>>& recorded, LearningCurves* curves,
           LaneLog& log)
      : recommenders_(config.prequential.recommenders),
        cutoffs_(config.spec.metrics.cutoffs),
        recorded_(recorded),
        curves_(curves),
        log_(log),
        counts_(recommenders_.size()) {
    if (config.prequential.at != PrequentialSpec::At::impressions) return;
    for (ListCounts& one : counts_) one.judged.resize(cutoffs_.size());
  }

  Result<void> take(std::size_t recommender, const ListRequest& request, std::span<const RankedItem> made) {
    const RecommenderSpec& of = recommenders_[recommender];
    if (of.kind == RecommenderKind::shown) {
      shown_.clear();
      for (const std::uint32_t item : request.shown) shown_.push_back({.item = item});
      made = shown_;
    }
    if (const auto& lists = recorded_[recommender]) made = lists->of(request);
    count(counts_[recommender], request, made);
    if (curves_ != nullptr) curves_->add(recommender, request, made);
    return of.kind == RecommenderKind::shown ? log_.add_shown(of.name, request, made) : log_.add(of.name, request, made);
  }
  [[nodiscard]] const std::vector<ListCounts>& counts() const { return counts_; }

 private:
  void count(ListCounts& counts, const ListRequest& request, std::span<const RankedItem> items) const {
    ++counts.lists;
    counts.empty += items.empty() ? 1U : 0U;
    for (std::size_t i = 0; i < items.size() && !counts.judged.empty(); ++i) {
      const bool was_shown = std::ranges::find(request.shown, items[i].item) != request.shown.end();
      for (std::size_t c = 0; c < counts.judged.size(); ++c) {
        if (i >= cutoffs_[c]) continue;
        ++counts.judged[c].items;
        counts.judged[c].shown += was_shown ? 1U : 0U;
      }
    }
  }

  const std::vector<RecommenderSpec>& recommenders_;
  const std::vector<std::uint32_t>& cutoffs_;
  const std::vector<std::optional<RecordedLists>>& recorded_;
  LearningCurves* curves_;
  LaneLog& log_;
  std::vector<ListCounts> counts_;
  std::vector<RankedItem> shown_;  // of the request at hand
};

std::uint64_t requests_of_warmup(const PrequentialSpec& rules, const LearningLog& log) {
  if (rules.warmup == 0) return 0;
  if (rules.warmup > log.events.size()) return log.requests.size();
  const EventTime last = log.events[rules.warmup - 1].ts;
  const auto first = std::ranges::upper_bound(log.requests, last, {}, &ListRequest::ts);
  return static_cast<std::uint64_t>(first - log.requests.begin());
}

Result<PrequentialCounts> predict(Prequential&& recommenders, const Prequential::Take& take,
                                  const std::function<bool(std::uint64_t)>& goes_on, std::size_t threads) {
  ThreadPool pool(threads);
  return recommenders.run(take, goes_on, {pool.threads(), [&](auto tasks) { pool.run(tasks); }});
}

Result<Report> judge(const Config& lanes, const std::string& path, const PrequentialOptions& options,
                     std::span<const ListCounts> counts, RowSink& rows, const std::atomic<bool>& stop) {
  auto inputs = replay_inputs(lanes, {path}, minus_infinity, {}, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  for (PartitionInput& partition : inputs->partitions) partition.ends_when_late = false;
  auto plan = EvaluatorPlan::make(lanes.spec, inputs->lateness_max, static_cast<bool>(options.scored_lists));
  if (!plan) return tl::unexpected(plan.error());
  if (options.planned) options.planned(*plan);
  ThreadPool pool(options.threads);
  ReplayOptions replay_options;
  replay_options.decoders = std::move(inputs->decoders);
  replay_options.shards = options.threads;
  replay_options.stop = &stop;
  replay_options.abandon = out_of_patience(stop);
  replay_options.progress = options.judging;
  replay_options.scored_lists = options.scored_lists;
  if (options.tallied) replay_options.lists_tally = [&](const ListTally& tally) { options.tallied(tally, counts); };
  Replay replay(*plan, std::move(inputs->partitions), std::move(replay_options), pool, rows);
  auto report = replay.run();
  if (report && !report->complete) return failure(Errc::interrupted, "interrupted; nothing was written");
  // What a shown list may not be, a recorded one may not be either.
  if (report && !report->invalid_records.empty()) {
    return failure(Errc::input_corrupt, "a recorded list cannot be judged: " + fault_text(report->invalid_records[0].sample));
  }
  return report;
}

}  // namespace

Result<PrequentialResult> prequential_run(const Config& config, ReplayInputs inputs, const PrequentialOptions& options,
                                          RowSink& rows, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  if (auto fine = check(config); !fine) return tl::unexpected(fine.error());
  auto lanes = judging_config(config);
  if (!lanes) return tl::unexpected(std::move(lanes).error());
  auto read = read_learning_log(config, std::move(inputs), options.sorting, options.reading, stop);
  if (!read) return tl::unexpected(std::move(read).error());
  const std::vector<RecommenderSpec>& recommenders = config.prequential.recommenders;
  const auto recorded = read_recorded(recommenders, read->log);
  if (!recorded) return tl::unexpected(recorded.error());
  const auto scratch = ScratchDirectory::make("lists");
  if (!scratch) return tl::unexpected(scratch.error());
  const std::string path = scratch->path() + "/lanes.jsonl";
  std::vector<std::string> actions;
  for (const Action& action : config.spec.join.actions) actions.push_back(action.name);
  auto log = LaneLog::create(path, *read, actions, options.record, has_shown_lists(config.prequential));
  if (!log) return tl::unexpected(std::move(log).error());

  std::vector<LearnedEvent> acts;
  std::optional<LearningCurves> curves;
  if (options.learning_curves != nullptr) {
    acts = acts_of(*read, config.prequential.targets);
    curves.emplace(read->log, acts, recommenders.size(), config.spec.join.horizons, config.spec.metrics.cutoffs);
  }
  ListBook lists(config, *recorded, curves ? &*curves : nullptr, *log);
  const Prequential::Take take = [&](std::size_t recommender, const ListRequest& request, std::span<const RankedItem> made) {
    return lists.take(recommender, request, made);
  };
  // Requests before enough was learned take no time.
  const std::uint64_t warmup = requests_of_warmup(config.prequential, read->log);
  const auto goes_on = [&](std::uint64_t requests) {
    const std::uint64_t asked = std::max(requests, warmup) - warmup;
    if (options.predicting) options.predicting(asked, read->log.requests.size() - warmup);
    return !stop;
  };
  auto external = begin_external(config, read->log, actions, options, stop);
  if (!external) return tl::unexpected(std::move(external).error());
  std::vector<ListMaker*> makers;
  for (const auto& one : *external) makers.push_back(one.get());
  auto counts = predict(Prequential(config.prequential, read->log, makers), take, goes_on, options.threads);
  if (!counts) return tl::unexpected(std::move(counts).error());
  std::vector<ExternalAnswers> answers = answers_of(*external, *counts, lists.counts());
  external->clear();
  if (auto finished = log->finish(); !finished) return tl::unexpected(finished.error());
  if (curves) {
    const std::string lines = learning_curve_lines(*curves, recommenders);
    if (auto written = options.learning_curves->write(lines); !written) return tl::unexpected(written.error());
  }
  LaneRows lane_rows(config, answers, rows);
  auto judged = judge(*lanes, path, options, lists.counts(), lane_rows, stop);
  if (!judged) return tl::unexpected(std::move(judged).error());
  Report report = std::move(read->report);
  report.wall_seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  report.events_per_second = static_cast<double>(report.events.read) / std::max(report.wall_seconds, 1e-9);
  return PrequentialResult{.counts = *counts,
                           .lists = lists.counts(),
                           .external = std::move(answers),
                           .read = std::move(report),
                           .rows_final = lane_rows.final_rows(),
                           .rows_truncated = lane_rows.truncated_rows()};
}

}  // namespace recmeter
