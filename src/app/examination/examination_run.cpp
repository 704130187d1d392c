#include "app/examination/examination_run.h"

#include <algorithm>

#include "app/examination/list_looks.h"
#include "app/run/thread_pool.h"
#include "app/run/watched_replay.h"
#include "recmeter/result/render.h"

namespace recmeter::examining {

namespace {

// The number of the horizon that is asked for.
Result<std::size_t> horizon_of(const JoinRule& rule, const Request& request) {
  const auto& horizons = rule.horizons;
  const auto at = request.horizon ? std::ranges::find(horizons, *request.horizon) : std::ranges::max_element(horizons);
  if (at != horizons.end()) return static_cast<std::size_t>(at - horizons.begin());
  std::string known;
  for (const Duration horizon : horizons) known += (known.empty() ? "" : ", ") + render_duration(horizon);
  return failure(Errc::config_invalid, "--horizon: " + render_duration(*request.horizon) +
                                           " is none of join.horizons; write one of " + known + ", or add it there");
}

// What makes the counts no evidence.
Result<void> check(const ExaminationRun& run, ListLooks& looks) {
  const std::string key = "`" + run.request.key + "`";
  if (looks.has_too_many_variants()) {
    return failure(Errc::config_invalid, "--variants: " + key + " has more than " + std::to_string(variants_max) +
                                             " values, too many for variants; name the key that says which variant it was");
  }
  if (run.report.lists == 0) {
    return failure(Errc::input_missing, "the log has no list, so it says nothing of ranks; name one with impressions");
  }
  if (run.lists.empty()) {
    std::string text = "no final list ";
    text += run.request.random ? "has " + key + " = " + *run.request.random : "has " + key;
    text += " among " + std::to_string(run.report.lists) + " lists";
    std::string values;
    for (const std::string& value : looks.some_values()) values += (values.empty() ? "; it is " : ", ") + value;
    if (run.unfinished_lists > 0) values += "; of " + std::to_string(run.unfinished_lists) + " the horizon is not over";
    return failure(Errc::input_missing, text + values + "; check the key, and that the log goes on for the horizon");
  }
  if (!run.request.random && run.lists.size() == 1) {
    return failure(Errc::config_invalid,
                   "--variants: all lists have " + key + " = " + run.lists.begin()->first +
                       ", and with one variant rank and taste cannot be told apart; read a log of two, or show some lists in "
                       "random order and use --uniform");
  }
  if (looks.counts().is_full()) {
    return failure(Errc::input_corrupt, "more than " + std::to_string(entries_max) +
                                            " combinations of item, rank, variant and user group; read a part of the log");
  }
  return {};
}

}  // namespace

Result<ExaminationRun> run_examination(const Config& config, const Request& request, ReplayInputs inputs,
                                       const Sorting& sorting, const std::function<void(const ReplayProgress&)>& progress,
                                       const std::atomic<bool>& stop) {
  const auto horizon = horizon_of(config.spec.join, request);
  if (!horizon) return tl::unexpected(horizon.error());
  ThreadPool pool(1);
  if (auto sorted = sort_inputs(inputs, config.spec.time, sorting, LookThrough::whole, pool, {}); !sorted)
    return tl::unexpected(std::move(sorted).error());
  EvaluatorSpec spec = join_alone(config.spec);
  spec.segments = {{.keys = {request.key}, .keep = {}}};
  const auto plan = EvaluatorPlan::make(spec, inputs.lateness_max, false);
  if (!plan) return tl::unexpected(plan.error());
  ListLooks looks(request, *horizon);
  auto report = watched_replay(*plan, std::move(inputs), looks, pool, progress, stop);
  if (!report) return tl::unexpected(std::move(report).error());
  ExaminationRun run{.request = request,
                     .horizon = spec.join.horizons[*horizon],
                     .confidence = spec.metrics.confidence,
                     .examined = {},
                     .lists = looks.lists_by_value(),
                     .other_lists = looks.other_lists(),
                     .unfinished_lists = looks.unfinished_lists(),
                     .report = std::move(*report)};
  if (!run.report.complete) return run;
  if (auto fine = check(run, looks); !fine) return tl::unexpected(std::move(fine).error());
  const EstimateOptions how{.min = request.min, .confidence = run.confidence};
  run.examined = request.random ? random_order(looks.counts(), how) : harvested(looks.counts(), how);
  return run;
}

}  // namespace recmeter::examining
