#include "recmeter/evaluation/evaluator_plan.h"

#include <algorithm>
#include <optional>
#include <set>

#include "evaluation/rule_hash.h"
#include "recmeter/base/check.h"
#include "recmeter/metric/latency_buckets.h"
#include "recmeter/metric/registry.h"
#include "recmeter/window/trailing_period.h"

namespace recmeter {

namespace {

// User means of panes cannot be added: [S6].
std::optional<Error> refused_user_mean(const EvaluatorSpec& spec) {
  const auto asks = [](const MetricRequest& request) {
    const MetricDefinition* metric = find_metric(request.name);
    return request.options.unit == Unit::user || (metric != nullptr && metric->per_user != nullptr);
  };
  const auto rolls = [](const WindowSpec& window) { return window.slide != window.size; };
  const auto& requests = spec.metrics.requests;
  const auto request = std::find_if(requests.begin(), requests.end(), asks);
  const auto window = std::find_if(spec.windows.begin(), spec.windows.end(), rolls);
  if (request == requests.end() || window == spec.windows.end()) return std::nullopt;
  const bool by_unit = request->options.unit == Unit::user;
  return Error{Errc::config_invalid, "metrics.names: `" + request->name + (by_unit ? "` with `unit: user`" : "`") +
                                         " needs tumbling windows, and `" + window->name +
                                         "` rolls; remove its `slide`, or the " + (by_unit ? "`unit`" : "metric")};
}

// What shows whose items people want, where teams draft lists.
std::vector<std::size_t> drafted_actions(const EvaluatorSpec& spec) {
  std::vector<std::size_t> actions;
  for (const ExperimentSpec& experiment : spec.experiments) {
    if (!experiment.draft) continue;
    const auto named = std::ranges::find(spec.join.actions, experiment.draft->action, &Action::name);
    if (named != spec.join.actions.end()) actions.push_back(static_cast<std::size_t>(named - spec.join.actions.begin()));
  }
  return actions;
}

std::vector<std::string> drafting_teams(const EvaluatorSpec& spec) {
  std::vector<std::string> teams;
  for (const ExperimentSpec& experiment : spec.experiments) {
    if (!experiment.draft) continue;
    for (const std::string& team : experiment.arms.values) {
      if (std::ranges::find(teams, team) == teams.end()) teams.push_back(team);
    }
  }
  return teams;
}

// How many the combination has.
std::size_t segment_keys_of(const EvaluatorSpec& spec, std::size_t combination) {
  return combination == 0 ? 0 : spec.segments[combination - 1].keys.size();
}

enum class LaneKind : std::uint8_t { logged, candidate, policy };

// Estimates are of lanes that judge a policy, and these have nothing else.
void keep_metrics(LaneKind kind, MetricSpec& metrics) {
  std::erase_if(metrics.requests, [kind](const MetricRequest& request) {
    const MetricDefinition* const metric = find_metric(request.name);
    return metric != nullptr && judges_policy(*metric) != (kind == LaneKind::policy);
  });
}

// The rule of a lane, and what its rows mean by it.
EvaluatorSpec lane_spec(const EvaluatorSpec& spec, LaneKind kind) {
  EvaluatorSpec lane = spec;
  keep_metrics(kind, lane.metrics);
  if (kind == LaneKind::policy) lane.lanes = {.names = spec.lanes.names, .logged = spec.lanes.logged};
  const bool is_own = kind != LaneKind::candidate && !spec.lanes.is_shadow();
  if (!is_own) lane.join.credit = spec.lanes.credit;
  std::string rule = spec.config_hash + (is_own ? " logged" : " lane");
  if (kind == LaneKind::policy) rule += " policy";
  if (!is_own) rule += " credit " + std::to_string(static_cast<int>(spec.lanes.credit));
  if (spec.lanes.is_shadow()) rule += " shadow";
  if (lane.lanes.unjudged == LaneSpec::Unjudged::drop) rule += " condensed";
  for (std::size_t i = 0; lane.lanes.pairs && i < spec.lanes.names.size(); ++i) rule += " paired " + spec.lanes.names[i];
  lane.config_hash = rule_hash(rule);
  if (kind != LaneKind::logged) lane.experiments.clear();
  return lane;
}

// Of all lanes together, or of one.
Result<EvaluatorPlan> plan_alone(const EvaluatorSpec& spec, Duration lateness_max, bool lists_wanted,
                                 bool experiments_wanted) {
  MetricContext context{.has_lanes = spec.lanes.is_wanted(),
                        .ratings = spec.ratings,
                        .off_policy = spec.off_policy,
                        .actions = spec.join.actions};
  if (experiments_wanted) context.looked_at = drafted_actions(spec);
  if (spec.catalog) {
    context.catalog_size = spec.catalog->size;
    context.catalog_has_attributes = !spec.catalog->attributes.empty();
  }
  Result<MetricPlan> metrics = MetricPlan::make(spec.metrics, context);
  if (!metrics) return tl::unexpected(std::move(metrics).error());
  for (const PlannedMetric& metric : metrics->metrics()) {
    if (spec.join.key.by == JoinKey::By::user || !metric.definition->needs.has(ListPart::popularity)) continue;
    return failure(Errc::config_invalid, "metrics.names: `" + std::string(metric.definition->name) +
                                             "` counts the users who acted on an item, and with join.key: list there are "
                                             "none; remove it, or set join.key to user");
  }
  for (const PlannedMetric& metric : metrics->metrics()) {
    if (spec.join.key.by == JoinKey::By::user || !metric.definition->needs.has(ListPart::history)) continue;
    return failure(Errc::config_invalid, "metrics.names: `" + std::string(metric.definition->name) +
                                             "` asks what a user did before, and with join.key: list users are not known; "
                                             "remove it, or set join.key to user");
  }
  if (auto refused = refused_user_mean(spec)) return tl::unexpected(std::move(*refused));
  for (const PlannedMetric& metric : metrics->metrics()) {
    if (!metric.definition->is_of_ratings || spec.join.rating()) continue;
    return failure(Errc::config_invalid, "metrics.names: `" + std::string(metric.definition->name) +
                                             "` is of ratings; add the action `rating` to join.actions");
  }
  EvaluatorPlan plan{.spec = &spec,
                     .metrics = std::move(*metrics),
                     .exposure = {},
                     .grids = PaneGrids(spec.windows),
                     .bounds = segment_bounds(spec.segments, spec.limits.segment_values),
                     .actions = {},
                     .segment_keys = {},
                     .lateness_max = lateness_max,
                     .lists_wanted = lists_wanted,
                     .experiments = {},
                     .teams = {}};
  const auto cutoffs = plan.metrics.exposure_cutoffs();
  plan.exposure.cutoffs.assign(cutoffs.begin(), cutoffs.end());
  if (plan.metrics.exposure_needs().overlap) plan.exposure.compared_lists = spec.limits.compared_lists;
  for (const Action& action : spec.join.actions) plan.actions.push_back(action.name);
  std::set<std::string> seen;
  for (std::size_t c = 0; c < spec.segments.size(); ++c) {
    for (std::size_t k = 0; k < spec.segments[c].keys.size(); ++k) {
      if (seen.insert(spec.segments[c].keys[k]).second) plan.segment_keys.emplace_back(c, k);
    }
  }
  if (!experiments_wanted) return plan;
  plan.teams = drafting_teams(spec);
  for (const ExperimentSpec& experiment : spec.experiments) {
    auto planned = PlannedExperiment::make(experiment, spec, plan.metrics, plan.teams);
    if (!planned) return tl::unexpected(std::move(planned).error());
    plan.experiments.push_back(std::move(*planned));
  }
  return plan;
}

}  // namespace

Result<EvaluatorPlan> EvaluatorPlan::make(const EvaluatorSpec& spec, Duration lateness_max, bool lists_wanted,
                                          bool experiments_wanted) {
  auto whole = plan_alone(spec, lateness_max, lists_wanted, experiments_wanted);
  if (!whole || !spec.lanes.is_wanted()) return whole;
  const auto add = [&](LaneKind kind, std::string name, std::optional<std::uint8_t> recommender) -> Result<void> {
    auto own = std::make_shared<const EvaluatorSpec>(lane_spec(spec, kind));
    auto plan = plan_alone(*own, lateness_max, lists_wanted, kind == LaneKind::logged && experiments_wanted);
    if (!plan) return tl::unexpected(std::move(plan).error());
    plan->lane = std::move(name);
    (kind == LaneKind::policy ? plan->policy : plan->candidate) = recommender;
    whole->lanes.push_back(std::make_shared<const LanePlan>(LanePlan{.spec = std::move(own), .plan = std::move(*plan)}));
    return {};
  };
  auto added = add(LaneKind::logged, logged_lane, {});
  for (const LaneKind kind : {LaneKind::candidate, LaneKind::policy}) {
    if (kind == LaneKind::policy && !spec.off_policy) break;
    for (std::size_t i = 0; added && i < spec.lanes.names.size(); ++i) {
      added = add(kind, spec.lanes.names[i], static_cast<std::uint8_t>(i));
    }
  }
  if (!added) return tl::unexpected(std::move(added).error());
  return whole;
}

void EvaluatorPlan::tally_lists(ListTallySpec of) {
  if (!lanes.empty()) {
    LanePlan shown = *lanes.front();
    shown.plan.tally = ListTallySpec{.horizon = of.horizon};
    lanes.front() = std::make_shared<const LanePlan>(std::move(shown));
  }
  tally = std::move(of);
}

bool EvaluatorPlan::has(const Event& event) const {
  if (event.kind == EventKind::policy) return policy == event.candidate;
  if (event.kind != EventKind::candidate) return true;
  return candidate == event.candidate || policy == event.candidate || spec->lanes.pairs;
}

SlidingWindow<RunningSums> EvaluatorPlan::sums_window(const WindowSpec& window, std::size_t combination) const {
  return {window, bounds[combination], segment_keys_of(*spec, combination)};
}

SlidingWindow<RunningExposure> EvaluatorPlan::exposure_window(const WindowSpec& window, std::size_t combination,
                                                              const ItemSet& in_catalog) const {
  const bool is_listed = spec->catalog && !spec->catalog->items.empty();
  const auto panes = static_cast<std::size_t>(window.size.ms / window.slide.ms);
  const auto make = [panes, plan = &exposure, listed = is_listed ? &in_catalog : nullptr] {
    return RunningExposure(panes, plan, listed);
  };
  return {window, bounds[combination], segment_keys_of(*spec, combination), make};
}

void EvaluatorPlan::label_latency(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels) const {
  if (!metrics.needs(ListPart::latency)) return;
  // `opening` of a candidate is what was shown in its place: nobody waited for the list of another recommender. [S13.10].
  const bool has_latency = opening.has_latency && !candidate;
  labels[spec->segments.size()] = has_latency ? recmeter::latency_bucket(batch.latency(opening)) + 1 : 0;
}

std::optional<std::uint32_t> EvaluatorPlan::latency_bucket(std::span<const std::uint32_t> labels) const {
  if (!metrics.needs(ListPart::latency)) return std::nullopt;
  const std::uint32_t label = labels[spec->segments.size()];
  return label > 0 ? std::optional(label - 1) : std::nullopt;
}

EventTime EvaluatorPlan::next_seal_after(EventTime w) const {
  EventTime next = plus_infinity;
  for (const PaneGrid& grid : grids.grids()) {
    const auto after = [&](Duration age) { next = std::min(next, grid.start(w - age) + grid.width + age); };
    for (const Duration horizon : spec->join.horizons) after(horizon + spec->join.skew);
    if (wants_exposure()) after(spec->join.assemble);
  }
  for (const PlannedExperiment& experiment : experiments) next = std::min(next, experiment.next_complete_after(w));
  return next;
}

EventTime EvaluatorPlan::sealed_at(std::size_t grid, std::size_t horizon, EventTime start) const {
  const PaneGrid& of = grids.grids()[grid];
  if (of.is_whole()) return plus_infinity;
  const Duration age = horizon == 0 ? spec->join.assemble : spec->join.horizons[horizon - 1] + spec->join.skew;
  return start + of.width + age;
}

EventTime EvaluatorPlan::final_by(EventTime to) const {
  return to == plus_infinity ? to : to + spec->join.longest_horizon() + spec->join.skew + lane_delay();
}

Duration EvaluatorPlan::longest_window() const {
  Duration longest{0};
  for (const WindowSpec& window : spec->windows) {
    if (!window.is_whole()) longest = std::max(longest, window.size);
  }
  return longest;
}

// Whether an impression opens a list depends on those up to JoinRule::pieces_reach() before, what takes the credit of
// feedback on lists up to a horizon before it, and whether feedback on any of these counts, on that up to
// JoinRule::once_memory() before.
Duration EvaluatorPlan::look_back() const {
  const JoinRule& join = spec->join;
  const Duration of_lists = join.pieces_reach() + join.assemble + join.longest_horizon() + join.skew;
  const Duration of_ids = join.counts_once() ? join.once_memory() + join.skew : Duration{0};
  if (!metrics.needs(ListPart::popularity)) return of_lists + of_ids;
  return of_lists + of_ids + TrailingPeriod(spec->metrics.popularity).reach();
}

namespace {

// How long lists are needed that results a time `span` long are made of, and looks without a row yet.
Duration memory_of_lists(const EvaluatorPlan& plan, Duration span) {
  Duration of_results = span + plan.spec->join.longest_horizon() + plan.spec->join.skew;
  for (const PlannedExperiment& experiment : plan.experiments) {
    of_results = std::max(of_results, experiment.spec->every + experiment.age);
  }
  return of_results;
}

}  // namespace

// A window becomes final its longest horizon after its end.
Duration EvaluatorPlan::event_memory() const {
  const Duration of_results = memory_of_lists(*this, longest_window());
  return of_results + look_back() + lane_delay() + (spec->lanes.is_wanted() ? spec->join.longest_horizon() : Duration{0});
}

// A pane is sealed its horizon after its end.
Duration EvaluatorPlan::open_memory() const {
  Duration widest{0};
  for (const PaneGrid& grid : grids.grids()) widest = std::max(widest, grid.width);
  return memory_of_lists(*this, widest) + look_back();
}

bool EvaluatorPlan::can_keep_panes() const {
  const bool has_whole = std::ranges::any_of(spec->windows, &WindowSpec::is_whole);
  return lanes.empty() && lane.empty() && !has_whole && !metrics.needs(ListPart::popularity);
}

void EvaluatorPlan::keep_panes(Duration width_max) {
  RECMETER_CHECK(can_keep_panes(), "sealed panes are all that results need of what is over");
  grids = PaneGrids(spec->windows, width_max);
  keeps_panes = true;
}

// Narrower panes cost a pane's sums each, and with a short horizon there is little to be saved any more.
void EvaluatorPlan::keep_panes_where_they_pay() {
  if (!can_keep_panes()) return;
  constexpr Duration narrow{5 * 60 * 1000};
  const PaneGrids wide = grids;
  keep_panes(std::max(narrow, Duration{spec->join.longest_horizon().ms / 6}));
  if (2 * open_memory().ms <= event_memory().ms) return;
  grids = wide;
  keeps_panes = false;
}

Duration EvaluatorPlan::item_memory(Duration join_memory) const {
  Duration longest_window{0};
  for (const WindowSpec& window : spec->windows) {
    if (window.is_whole() && !wants_exposure()) continue;  // only what was shown is kept by its number
    longest_window = std::max(longest_window, window.size + window.slide);
  }
  const Duration of_windows = join_memory + longest_window + spec->join.assemble;
  if (!metrics.needs(ListPart::popularity)) return of_windows;
  return std::max(of_windows, TrailingPeriod(spec->metrics.popularity).reach());
}

}  // namespace recmeter
