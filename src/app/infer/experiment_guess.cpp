#include "app/infer/experiment_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "app/compare/experiment_plan.h"
#include "app/infer/first_records.h"
#include "app/run/input_sorter.h"
#include "app/run/interruption.h"
#include "app/run/thread_pool.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/metric/list_lengths.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

namespace {

constexpr double usual_mde = 0.05;
constexpr std::array mdes{0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0};
constexpr double hours_at_least = 1;  // less says nothing of a day
constexpr double hours_a_day = 24;

// The scored lists of a log, at the longest horizon.
struct SeenLists {
  std::vector<ScoredLine> lines;
  ListLengths lengths;
};

EventTime hour_of(EventTime time) {
  return EventTime{time.ms - time.ms % one_hour.ms};
}

Result<PlanLists> lists_from(EventTime from, const SeenLists& lists, const std::string& key) {
  PlanLists out;
  for (const ScoredLine& line : lists.lines) {
    if (line.ts < from) continue;
    if (auto added = out.add(key, line.json); !added) return tl::unexpected(std::move(added).error());
  }
  return out;
}

// The least of these changes that the duration finds, as `compare --plan` has it.
void choose_mde(const PlanLists& lists, ExperimentGuess& guess) {
  guess.mde = usual_mde;
  guess.mde_evidence = "the least change worth finding; recmeter compare --plan says how long that takes";
  for (const double mde : mdes) {
    const ExperimentPlan plan = lists.plan({.mde = mde});
    const auto of = std::ranges::find(plan.metrics, guess.metric, &MetricPlanRow::metric);
    if (of == plan.metrics.end() || plan.log_days * hours_a_day < hours_at_least) return;
    if (!of->days || *of->days * static_cast<double>(one_day.ms) > static_cast<double>(guessed_duration.ms)) continue;
    guess.mde = mde;
    guess.mde_evidence = fmt::format("found in {:.0f} days, by {} lists of {:.0f} hours; see recmeter compare --plan",
                                     std::max(1.0, std::ceil(*of->days)), plan.lists, plan.log_days * hours_a_day);
    return;
  }
}

Result<std::optional<ExperimentGuess>> guess_experiment(const SeenLists& lists, const SegmentGuess& arm,
                                                        std::span<const std::uint32_t> cutoffs) {
  const auto all = lists_from(minus_infinity, lists, arm.key);
  if (!all) return tl::unexpected(all.error());
  EventTime all_run = minus_infinity;  // since when every arm has had a list
  for (const std::string& value : arm.arm.values) {
    const std::optional<EventTime> since = all->first_of(value);
    if (!since) return std::nullopt;
    if (value != arm.arm.control) all_run = std::max(all_run, *since);
  }
  const EventTime first = std::ranges::min_element(lists.lines, {}, &ScoredLine::ts)->ts;
  const std::int64_t days = (hour_of(all_run) - first).ms / one_day.ms;
  ExperimentGuess guess;
  guess.start = hour_of(days > 0 ? all_run : first);
  guess.start_evidence = days > 0 ? "the hour since which every arm is there" : "the hour of the first list";
  guess.before = Duration{std::clamp<std::int64_t>(days, 0, 7) * one_day.ms};
  guess.metric = cutoffs.empty() ? "precision@R" : fmt::format("precision@{}", table_cutoff(cutoffs, lists.lengths));
  const auto since = lists_from(guess.start, lists, arm.key);
  if (!since) return tl::unexpected(since.error());
  choose_mde(*since, guess);
  return guess;
}

Result<SeenLists> seen_lists(const Config& config, const std::vector<std::string>& files, const std::atomic<bool>& stop) {
  auto inputs = first_records(config, files, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  auto plan = EvaluatorPlan::make(config.spec, inputs->lateness_max, true);
  if (!plan) return tl::unexpected(plan.error());
  const auto& horizons = config.spec.join.horizons;
  const auto longest = static_cast<std::size_t>(std::ranges::max_element(horizons) - horizons.begin());
  plan->tally_lists({.horizon = longest});
  ThreadPool pool(1);
  const Sorting sorting{.when = SortWhen::always, .space = {}, .says_so = false};
  if (auto sorted = sort_inputs(*inputs, config.spec.time, sorting, LookThrough::sample, pool, {}); !sorted) {
    return tl::unexpected(std::move(sorted).error());
  }
  SeenLists lists;
  NoRows sink;
  ReplayOptions options;
  options.decoders = std::move(inputs->decoders);
  options.stop = &stop;
  options.abandon = out_of_patience(stop);
  options.lists_tally = [&](const ListTally& tally) { lists.lengths = tally.lengths(); };
  options.scored_lists = [&](const ScoredLine& line) -> Result<void> {
    if (line.horizon == longest) lists.lines.push_back(line);
    return {};
  };
  auto report = Replay(*plan, std::move(inputs->partitions), std::move(options), pool, sink).run();
  if (!report) return tl::unexpected(std::move(report).error());
  return lists;
}

}  // namespace

Result<ExperimentGuesses> guess_experiments(const Config& config, const std::vector<SegmentGuess>& segments,
                                            const std::vector<std::string>& files, const std::atomic<bool>& stop) {
  ExperimentGuesses guesses;
  if (std::ranges::none_of(segments, [](const SegmentGuess& each) { return each.arm.is_arm; })) return guesses;
  const auto lists = seen_lists(config, files, stop);
  if (!lists) return tl::unexpected(lists.error());
  for (const SegmentGuess& segment : segments) {
    if (!segment.arm.is_arm || lists->lines.empty()) continue;
    auto guess = guess_experiment(*lists, segment, config.spec.metrics.cutoffs);
    if (!guess) return tl::unexpected(std::move(guess).error());
    if (*guess) guesses.emplace(segment.key, std::move(**guess));
  }
  return guesses;
}

}  // namespace recmeter
