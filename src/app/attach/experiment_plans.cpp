#include "app/attach/experiment_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "recmeter/live/kept_experiments.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

std::string text_of(const SumPlace& place) {
  return fmt::format("{}+{}{}", place.first, place.width, place.is_count ? "n" : "");
}

constexpr std::string_view before_duration = ", duration ";
// Behind the meaning of an experiment that began when a week was the shortest duration by default.
constexpr std::string_view waits_a_week = ", waits a week";

std::string_view without_wait(std::string_view meaning) {
  if (meaning.ends_with(waits_a_week)) meaning.remove_suffix(waits_a_week.size());
  return meaning;
}

// Says what the sums of an experiment mean, and what was promised of their tests before they began: all but what says when
// something is worth telling, and the duration.
std::string meaning_of_sums(const EvaluatorPlan& plan, const PlannedExperiment& experiment) {
  const ExperimentSpec& spec = *experiment.spec;
  std::string text = fmt::format(
      "arms {} = {} against {}, allocation {}, start {}, every {}, horizon {}, assign {}, alpha {}, "
      "cuped {}",
      spec.arms.key, fmt::join(spec.arms.values, " | "), spec.arms.values[spec.arms.control], fmt::join(spec.allocation, " "),
      spec.start.ms, spec.every.ms, spec.horizon.ms, spec.assign == Assign::user ? "user" : "list", spec.alpha,
      spec.cuped_before.ms);
  if (spec.draft) {
    const MetricTest& test = spec.primary.front();
    return text + fmt::format(", drafted by {}, {} {}", spec.draft->action,
                              experiment.metrics.front().better == Better::higher ? "higher" : "lower", test.mde);
  }
  for (const TestedMetric& tested : experiment.metrics) {
    const auto metrics = plan.metrics.metrics();
    const auto metric = std::ranges::find(metrics, tested.test->metric, &PlannedMetric::key);
    text +=
        fmt::format(", {} {} of {} {} {} {}{} in {} {}", static_cast<int>(tested.role), metric->key, metric->definition->name,
                    metric->definition_id, tested.better == Better::higher ? "higher" : "lower", tested.test->mde,
                    tested.test->is_absolute ? " absolute" : "", text_of(tested.sum), text_of(tested.weight));
  }
  return text;
}

std::string meaning_of(const EvaluatorPlan& plan, const PlannedExperiment& experiment) {
  return meaning_of_sums(plan, experiment) + std::string(before_duration) + std::to_string(experiment.spec->duration.ms);
}

// Before it nothing is evaluated again.
EventTime evaluated_by(const Checkpoint& from, const EvaluatorPlan& plan) {
  return from.rows_to == minus_infinity ? minus_infinity : from.rows_to + plan.spec->join.skew + plan.lane_delay();
}

}  // namespace

Result<void> check_experiments(const StateStore& store, const EvaluatorPlan& plan) {
  const auto kept = experiments_in(store);
  if (!kept) return tl::unexpected(kept.error());
  for (const PlannedExperiment& experiment : plan.experiments) {
    const std::string& name = experiment.spec->name;
    const auto was = std::ranges::find(*kept, name, &KeptExperiment::name);
    if (was == kept->end() || without_wait(was->meaning) == meaning_of(plan, experiment)) continue;
    const std::string of_sums = meaning_of_sums(plan, experiment);
    if (was->meaning == of_sums) continue;  // of an earlier version: it is taken as begun with this duration
    const std::string since = render_utc(experiment.spec->start);
    if (was->meaning.starts_with(of_sums + std::string(before_duration))) {
      return failure(Errc::state_unusable,
                     fmt::format("experiment {} runs since {}: duration is part of its plan, for the last look is tested; "
                                 "give the changed one another name",
                                 name, since));
    }
    return failure(Errc::state_unusable, fmt::format("experiment {} runs since {}; give the changed one another name "
                                                     "(min_duration, fdr and mixed_share may change)",
                                                     name, since));
  }
  return {};
}

Result<std::string> keep_experiments(StateStore& store, EvaluatorPlan& plan, const Checkpoint* from) {
  StateBatch batch;
  std::vector<KeptExperiment> kept;
  if (from != nullptr) {
    auto known = experiments_in(store);
    if (!known) return tl::unexpected(std::move(known).error());
    kept = std::move(*known);
  } else {
    erase_all_experiments(batch);
  }
  std::vector<std::string> notices;
  for (PlannedExperiment& experiment : plan.experiments) {
    const std::string& name = experiment.spec->name;
    KeptExperiment is{.name = name, .meaning = meaning_of(plan, experiment)};
    const auto was = std::ranges::find(kept, name, &KeptExperiment::name);
    const bool waits = was == kept.end() || was->meaning.ends_with(waits_a_week);
    if (waits) is.meaning += waits_a_week;
    if (!waits && !experiment.spec->is_min_duration_written) experiment.min_duration = Duration{0};
    if (was != kept.end()) {
      if (was->meaning == is.meaning) continue;
      is.since = was->since;  // of an earlier version, without the duration
      put_experiment(batch, is);
      continue;
    }
    if (from != nullptr) is.since = evaluated_by(*from, plan);
    put_experiment(batch, is);
    if (is.since != minus_infinity) {
      notices.push_back(fmt::format("experiment {} is new, and counts lists from {} on", name, render_utc(is.since)));
    }
  }
  for (const KeptExperiment& was : kept) {
    if (std::ranges::any_of(plan.experiments, [&](const auto& is) { return is.spec->name == was.name; })) continue;
    erase_experiment(batch, was.name);
    notices.push_back(fmt::format("experiment {} is no longer configured; its state is erased", was.name));
  }
  if (batch.changes().empty()) return std::string();
  if (auto written = store.write(batch, StateStore::Durability::machine); !written) {
    return tl::unexpected(std::move(written).error());
  }
  return fmt::format("{}", fmt::join(notices, "; "));
}

}  // namespace recmeter
