#include "recmeter/metric/plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "metric/policy_weights.h"
#include "metric/wide_column.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/curve.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/latency_buckets.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

bool asks_for_items(Over over) {
  return over == Over::nonempty || over == Over::nonempty_relevant;
}
bool asks_for_evidence(Over over) {
  return over == Over::relevant || over == Over::nonempty_relevant;
}

// Whether the list says something to the metric.
bool holds(Evidence evidence, decltype(MetricDefinition::has_evidence) own, const ScoredList& list, std::uint32_t cutoff,
           const MetricOptions& options) {
  switch (evidence) {
    case Evidence::none: return true;
    case Evidence::relevant_in_list: return list.relevant_in_list() > 0;
    case Evidence::relevant_of_user: return list.relevant_of_user() > 0;
    case Evidence::own: return own(list, cutoff, options);
  }
  return true;
}

// Which lists can have this evidence; `metric`: whose own it is.
MovedBy lists_with(Evidence evidence, const MetricDefinition& metric) {
  switch (evidence) {
    case Evidence::none: return MovedBy::every_list;
    case Evidence::relevant_in_list: return MovedBy::hits;
    case Evidence::relevant_of_user: return MovedBy::relevant;
    case Evidence::own: return metric.moved_by;
  }
  return MovedBy::every_list;
}

// Calls use() with the list as a metric, or a counter of its, sees it: with what of it the action alone says, and without
// what is not in it.
template <class Seer, class Use>
auto with_seen(const Seer& by, const ScoredList& list, Use&& use) {
  const bool is_alone = by.options.universe == Universe::list;
  if (by.action == AskedAction::none) return is_alone ? use(list.alone()) : use(list);
  const ScoredList of_action = list.of_action(by.action, by.by_value);
  return use(is_alone ? of_action.alone() : of_action);
}

// Whether the list can add to what such lists move.
bool moves(MovedBy moved_by, const ScoredList& list) {
  if (moved_by == MovedBy::hits) return !list.hits.empty();
  return moved_by != MovedBy::relevant || list.relevant_of_user() > 0;
}

// What moves a metric that sees one action alone.
MovedBy of_action(MovedBy moved_by, std::size_t action) {
  const bool is_own = moved_by == MovedBy::every_list || moved_by == MovedBy::policy;  // whatever was done with the list
  return action == AskedAction::none || is_own ? moved_by : MovedBy::action;
}

Error refused(const MetricRequest& request, const std::string& why) {
  return {Errc::config_invalid, "metrics.names: `" + request.name + "` " + why};
}

double largest_gain(const std::vector<Action>& actions) {
  double largest = actions.empty() ? 1 : 0;
  for (const Action& action : actions) largest = std::max(largest, action.gain);
  return largest;
}

// Of options about what an action was worth; ends a sentence that begins with the metric.
std::optional<std::string> refusal_of_value(const MetricOptions& options, const MetricDefinition& metric) {
  if (options.cap && !metric.takes.has(MetricOption::cap)) return "takes no `cap`; remove it";
  if (options.slower_than && options.rank_share != MetricOptions{}.rank_share)
    return "is of a rank or of a bound; remove `p`";
  if (options.slower_than && !metric.takes.has(MetricOption::slower_than)) return "takes no `slower_than`; remove it";
  if (options.grade == Grade::gain) return std::nullopt;
  if (!metric.takes.has(MetricOption::grade)) return "takes no `grade`; remove it";
  if (options.action.empty()) return "has values for grades, but of which action? Add `action`";
  if (options.gain == GainKind::exp2) return "takes no powers of values; remove `gain` or `grade`";
  return std::nullopt;
}

// Of what judges another policy; ends a sentence that begins with the metric.
std::optional<std::string> refusal_of_policy(const MetricOptions& options, const MetricDefinition& metric,
                                             const std::optional<OffPolicySpec>& spec) {
  if (options.of && !metric.takes.has(MetricOption::estimator)) return "takes no `of`; remove it";
  if (!judges_policy(metric)) return std::nullopt;
  if (!spec) return "judges another policy; write `off_policy: {propensities: marginal}`";
  if (metric.needs_estimator && !options.of) return "is of one estimator; write which: of: snips";
  if (const auto refused = recmeter::refusal_of(weighed_by(metric, options), *spec)) {
    return refused->why + "; " + refused->remedy;
  }
  if (metric.estimator && spec->reward == OffPolicySpec::Reward::value && options.action.empty()) {
    return "has values for rewards, but of which action? Add `action`";
  }
  return std::nullopt;
}

// Of a metric that compares with what ranks get.
std::optional<Error> refusal_of_examination(const MetricRequest& request, const MetricSpec& spec) {
  const Examination& examination = spec.examination;
  if (!examination.is_known()) {
    return refused(request, "needs metrics.examination; write what `recmeter examination` says");
  }
  for (const std::uint32_t k : spec.cutoffs) {
    if (k <= examination.by_rank.size()) continue;
    return refused(request, "has the cutoff " + std::to_string(k) + ", and metrics.examination ends at rank " +
                                std::to_string(examination.by_rank.size()) + "; remove the cutoff, or the metric");
  }
  return std::nullopt;
}

std::optional<Error> refusal(const MetricRequest& request, const MetricDefinition& metric, const MetricContext& context) {
  if (asks_for_catalog(metric, request.options) && context.catalog_size == 0) {
    return refused(request, "needs the catalogue; write `catalog: {size: N}` or `catalog: {file: PATH}`");
  }
  if (metric.needs.has(ListPart::attributes) && !context.catalog_has_attributes) {
    return refused(request, "needs attributes of items; write `catalog: {file: PATH}` and name a file that has them");
  }
  if (metric.needs.has(ListPart::seen) && !context.has_lanes) {
    return refused(request, "compares recommenders with what was shown; write `lanes: {names: [B]}`, or remove it");
  }
  if (const auto unit = request.options.unit; unit && !takes_unit(metric, *unit)) {
    const std::string_view why = *unit == Unit::user     ? "is not averaged over users"
                                 : *unit == Unit::pooled ? "is not pooled"
                                                         : "is no mean over lists";
    return refused(request, std::string(why) + "; remove `unit`");
  }
  if (request.options.action.empty() && metric.needs_action) {
    return refused(request, "is of one action; write which: {name: " + request.name + ", action: click}");
  }
  if (!request.options.action.empty() && !takes_action(metric)) return refused(request, "takes no `action`; remove it");
  if (const auto why = refusal_of_value(request.options, metric)) return refused(request, *why);
  if (const auto why = refusal_of_policy(request.options, metric, context.off_policy)) return refused(request, *why);
  if (request.options.over && !metric.takes.has(MetricOption::over)) return refused(request, "takes no `over`; remove it");
  if (request.options.universe == Universe::list) {
    if (!metric.takes.has(MetricOption::universe)) return refused(request, "takes no `universe`; remove it");
    const bool is_of_list = metric.scope == Scope::list && request.options.cut != Cut::relevant;
    if (is_of_list) return refused(request, "knows the list alone without `universe: list`; remove it, or add `cut: R`");
  }
  if (request.options.cut == Cut::none && !takes_cut(metric, Cut::none)) return refused(request, "takes no `cut`; remove it");
  if (request.options.cut == Cut::none && divides_by_k(metric, request.options)) {
    return refused(request, "divides by what k says; remove `cut: none`");
  }
  if (!takes_cut(metric, request.options.cut)) {
    return refused(request, "is not cut at R; remove `cut: R`, or choose precision");
  }
  return std::nullopt;
}

// What its own value asks for, or what an estimate may be refused by.
WeightParts weights_wanted(const PlannedMetric& metric) {
  if (!metric.definition->estimator) return metric.definition->weighs;
  const OffPolicySpec& spec = metric.options.off_policy;
  return {.users = spec.min_ess > 0, .largest = spec.max_weight_share < 1};
}

void add_user_weights(const PlannedMetric& metric, const ScoredList& list, std::span<std::int64_t> columns) {
  const Estimator estimator = weighed_by(*metric.definition, metric.options);
  if (!weights_in_range(estimator, list, metric.cutoff)) return;
  for_each_weight(estimator, list, metric.cutoff, metric.options,
                  [&](double weight, double) { add_wide(columns, to_q32_wide(weight)); });
}

}  // namespace

bool in_mean(const PlannedMetric& metric, const ScoredList& list) {
  if (metric.over == Over::user_relevant) return list.relevant_of_user() > 0;
  if (asks_for_items(metric.over) && list.length == 0) return false;
  return !asks_for_evidence(metric.over) || has_evidence(metric, list);
}

bool has_evidence(const PlannedMetric& metric, const ScoredList& list) {
  return holds(metric.definition->evidence, metric.definition->has_evidence, list, metric.cutoff, metric.options);
}

Result<MetricPlan> MetricPlan::make(const MetricSpec& spec, const MetricContext& context) {
  MetricPlan plan;
  for (const MetricRequest& request : spec.requests) {
    if (auto added = plan.add(request, spec, context); !added) return tl::unexpected(std::move(added).error());
  }
  for (const std::size_t action : context.looked_at) (void)plan.ask_for(action);
  if (spec.curves && spec.cutoffs.empty()) {
    return failure(Errc::config_invalid,
                   "metrics.cutoffs: curves go up to the largest cutoff, and R is another of each list; "
                   "write a number before it, such as [10, R]");
  }
  if (spec.curves) plan.add_curve(spec, context);
  plan.add_shown_counts(spec.shown_counts);
  plan.order_columns();
  auto& cutoffs = plan.exposure_cutoffs_;
  std::sort(cutoffs.begin(), cutoffs.end());
  cutoffs.erase(std::unique(cutoffs.begin(), cutoffs.end()), cutoffs.end());
  for (PlannedMetric& metric : plan.metrics_) {
    if (metric.definition->family != Family::exposure) continue;
    const auto at = std::lower_bound(cutoffs.begin(), cutoffs.end(), metric.cutoff);
    metric.exposure = static_cast<std::size_t>(at - cutoffs.begin());
  }
  return plan;
}

Result<void> MetricPlan::add(const MetricRequest& request, const MetricSpec& spec, const MetricContext& context) {
  const MetricDefinition* definition = find_metric(request.name);
  if (definition == nullptr) {
    return failure(Errc::config_invalid, "metrics.names: there is no metric '" + request.name + "'; see `recmeter metrics`");
  }
  if (auto error = refusal(request, *definition, context)) return tl::unexpected(std::move(*error));
  definition = &chosen_by(request.options, *definition);
  if (auto error = definition->needs_examination ? refusal_of_examination(request, spec) : std::nullopt; error) {
    return tl::unexpected(std::move(*error));
  }
  MetricOptions options = request.options;
  options.off_policy = context.off_policy.value_or(OffPolicySpec{});
  std::size_t action = AskedAction::none;
  if (!request.options.action.empty()) {
    const auto named = std::ranges::find(context.actions, request.options.action, &Action::name);
    if (named == context.actions.end()) return tl::unexpected(refused(request, "is of an action that join.actions has not"));
    if (named->after && looks_beyond_list(*definition, request.options)) {
      return tl::unexpected(refused(request, "counts what a user did outside the list, and an action with `after` is never"));
    }
    if (named->goes_by_value() && looks_at_value(*definition, options)) {
      return tl::unexpected(refused(request,
                                    "adds values up, and those of an action with `from` say whether it is relevant; "
                                    "remove the `from`, or the metric"));
    }
    action = ask_for(static_cast<std::size_t>(named - context.actions.begin()), *definition, options);
  }
  std::vector<std::uint32_t> cutoffs{0};
  const bool uncut = request.options.cut == Cut::none;
  if (definition->has_cutoff) cutoffs = spec.cutoffs;
  if (uncut) cutoffs = {PlannedMetric::no_cut};
  if (request.options.cut == Cut::relevant) cutoffs = {PlannedMetric::at_relevant};
  for (const std::uint32_t cutoff : cutoffs) {
    PlannedMetric metric{.definition = definition, .options = options, .cutoff = cutoff};
    if (options.universe == Universe::all) metric.options.catalog_size = context.catalog_size;
    metric.options.ratings = context.ratings;
    if (definition->needs_examination) metric.options.examination = spec.examination;
    metric.options.unit = request.options.unit.value_or(own_unit(*definition));
    if (action == AskedAction::none) metric.options.gain_max = largest_gain(context.actions);
    metric.over = request.options.over.value_or(definition->over);
    metric.key = metric_key(request, *definition, std::to_string(cutoff));
    metric.definition_id = recmeter::definition_id(*definition, request.options);
    metric.action = action;
    metric.by_value = looks_at_value(*definition, options);
    if (metric.definition_id == definition->name) metric.definition_id.clear();
    if (auto added = add_planned(std::move(metric)); !added) return added;
  }
  return {};
}

Result<void> MetricPlan::add_planned(PlannedMetric metric) {
  const auto same =
      std::find_if(metrics_.begin(), metrics_.end(), [&](const auto& other) { return other.key == metric.key; });
  if (same != metrics_.end()) {
    return failure(Errc::config_invalid, "metrics.names: two metrics have the key '" + metric.key + "'; give one an `as`");
  }
  const MetricDefinition& definition = *metric.definition;
  needs_.add(metric.options.universe == Universe::list ? definition.needs.without(ListPart::missed) : definition.needs);
  if (metric.over == Over::user_relevant && metric.options.universe == Universe::all) needs_.add({ListPart::missed});
  switch (definition.family) {
    case Family::exposure:
      exposure_cutoffs_.push_back(metric.cutoff);
      exposure_needs_.counts = exposure_needs_.counts || definition.exposure_needs.counts;
      exposure_needs_.overlap = exposure_needs_.overlap || definition.exposure_needs.overlap;
      break;
    case Family::audience:
      needs_users_ = true;
      if (definition.per_user != nullptr) place_user(metric, definition.per_user->columns, MovedBy::hits);
      break;
    case Family::quantile: break;  // counted by bucket, in no column
    case Family::list_mean:
    case Family::list_share:
    case Family::pooled: place(metric); place_weights(metric, weights_wanted(metric));
  }
  metrics_.push_back(std::move(metric));
  return {};
}

std::size_t MetricPlan::ask_for(std::size_t action) {
  const auto number =
      static_cast<std::size_t>(std::ranges::find(asked_actions_, action, &AskedAction::action) - asked_actions_.begin());
  if (number == asked_actions_.size()) asked_actions_.push_back({.action = static_cast<std::uint8_t>(action)});
  return number;
}

std::size_t MetricPlan::ask_for(std::size_t action, const MetricDefinition& metric, const MetricOptions& options) {
  const std::size_t number = ask_for(action);
  AskedAction& asked = asked_actions_[number];
  asked.needs_missed = asked.needs_missed || looks_beyond_list(metric, options);
  asked.needs_delay = asked.needs_delay || metric.needs.has(ListPart::delay);
  asked.needs_value = asked.needs_value || looks_at_value(metric, options);
  return number;
}

// Gives the metric its columns.
void MetricPlan::place(PlannedMetric& metric) {
  const MetricDefinition& definition = *metric.definition;
  if (metric.options.unit == Unit::user) {
    needs_users_ = true;
    if (definition.family == Family::pooled) metric.of_user = definition.pooled;
    if (definition.of_user != nullptr) metric.of_user = definition.of_user;
    // Lists with evidence but without value count as well.
    MovedBy moved_by = metric.of_user != nullptr ? metric.of_user->moved_by : definition.moved_by;
    if (definition.evidence == Evidence::none) moved_by = MovedBy::every_list;
    if (moved_by == MovedBy::hits && definition.evidence == Evidence::relevant_of_user) moved_by = MovedBy::relevant;
    place_user(metric, metric.of_user != nullptr ? metric.of_user->columns_at(metric.cutoff) : 2, moved_by);
    return;
  }
  if (asks_for_items(metric.over)) metric.shown_column = counter(Evidence::none, true, metric);
  if (definition.evidence != Evidence::none) {
    metric.evidence_column = counter(definition.evidence, asks_for_items(metric.over), metric);
  }
  const bool by_evidence = asks_for_evidence(metric.over) && definition.evidence != Evidence::none;
  metric.mean_column = by_evidence ? metric.evidence_column : metric.shown_column;
  if (metric.over == Over::user_relevant) {
    metric.mean_column = counter(Evidence::relevant_of_user, false, metric);
    // Evidence of the metric's own may be of lists that are not in the mean.
    if (definition.evidence == Evidence::own) metric.mean_evidence_column = counter(Evidence::own, false, metric, true);
  }
  if (metric.options.unit == Unit::pooled) metric.pooled = definition.pooled;
  if (definition.family == Family::pooled && metric.options.unit == Unit::list) metric.pooled = definition.mean_of_lists;
  const MovedBy moved_by = metric.pooled != nullptr ? metric.pooled->moved_by : definition.moved_by;
  metric.columns = metric.pooled != nullptr ? metric.pooled->columns_at(metric.cutoff) : 1;
  metric.column = std::exchange(columns_, columns_ + metric.columns);
  summed_[number(of_action(moved_by, metric.action))].push_back(metrics_.size());
}

// Gives it what beyond sums tells whether the weights can carry an estimate.
void MetricPlan::place_weights(PlannedMetric& metric, WeightParts parts) {
  if (parts.largest) metric.weight_series = weight_series_++;
  if (!parts.users) return;
  needs_users_ = true;
  metric.weighs_users = true;
  place_user(metric, user_weight_columns, MovedBy::policy);
}

std::size_t MetricPlan::buckets() const {
  if (weight_series_ > 0) return latency_buckets + weight_series_ * weight_buckets;
  return needs(ListPart::latency) ? latency_buckets : 0;
}

void MetricPlan::add_buckets(const ScoredList& list, std::vector<std::uint32_t>& buckets) const {
  if (needs(ListPart::latency) && list.latency_bucket) buckets.push_back(*list.latency_bucket);
  if (weight_series_ == 0 || !list.policy) return;
  for (const PlannedMetric& metric : metrics_) {
    if (metric.weight_series == PlannedMetric::no_column || !recmeter::has_evidence(metric, list)) continue;
    const Estimator estimator = weighed_by(*metric.definition, metric.options);
    if (!weights_in_range(estimator, list, metric.cutoff)) continue;
    double largest = 0;
    for_each_weight(estimator, list, metric.cutoff, metric.options,
                    [&](double weight, double) { largest = std::max(largest, std::abs(weight)); });
    if (!(largest > 0)) continue;
    const std::size_t first = latency_buckets + metric.weight_series * weight_buckets;
    buckets.push_back(static_cast<std::uint32_t>(first) + weight_bucket(largest));
  }
}

// Gives the metric columns of a user, which lists of this kind move.
void MetricPlan::place_user(PlannedMetric& metric, std::size_t columns, MovedBy moved_by) {
  metric.user_column = std::exchange(user_columns_, user_columns_ + columns);
  if (columns > 0) summed_users_[number(of_action(moved_by, metric.action))].push_back(metrics_.size());
}

std::size_t MetricPlan::counter(Evidence evidence, bool nonempty, const PlannedMetric& metric, bool relevant_of_user) {
  const MovedBy moved_by = of_action(lists_with(evidence, *metric.definition), metric.action);
  const auto own = evidence == Evidence::own ? metric.definition->has_evidence : nullptr;
  const std::uint32_t cutoff = own != nullptr ? metric.cutoff : 0;
  auto& counters = counters_[number(moved_by)];
  for (const Counter& counter : counters) {
    const bool same =
        counter.evidence == evidence && counter.nonempty == nonempty && counter.relevant_of_user == relevant_of_user &&
        counter.has_evidence == own && counter.cutoff == cutoff && counter.action == metric.action &&
        counter.by_value == metric.by_value && counter.options.universe == metric.options.universe &&
        (own == nullptr || (counter.options.unit == metric.options.unit && counter.options.from == metric.options.from &&
                            counter.options.of == metric.options.of));
    if (same) return counter.column;
  }
  counters.push_back({.evidence = evidence,
                      .nonempty = nonempty,
                      .relevant_of_user = relevant_of_user,
                      .has_evidence = own,
                      .options = metric.options,
                      .cutoff = cutoff,
                      .action = metric.action,
                      .by_value = metric.by_value,
                      .column = columns_});
  return columns_++;
}

// Moves columns so that those of a kind stand together.
void MetricPlan::order_columns() {
  std::vector<std::size_t> to(columns_);
  std::size_t next = 0;
  const auto place = [&](std::size_t first, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) to[first + c] = next++;
  };
  for (std::size_t kind = 0; kind < moved_by_kinds; ++kind) {
    moved_[kind].first = next;
    for (const Counter& counter : counters_[kind]) place(counter.column, 1);
    for (const std::size_t at : summed_[kind]) place(metrics_[at].column, metrics_[at].columns);
    if (kind == number(MovedBy::every_list) && curve_cutoff_ > 0) place(curve_column_, curve_columns(curve_cutoff_));
    for (const ShownBlock& block : shown_) {
      if (number(block.moved_by) == kind) place(block.column, block.columns);
    }
    moved_[kind].end = next;
  }
  const auto move = [&to](std::size_t& column) {
    if (column != PlannedMetric::no_column) column = to[column];
  };
  for (PlannedMetric& metric : metrics_) {
    for (std::size_t* column :
         {&metric.column, &metric.mean_column, &metric.shown_column, &metric.evidence_column, &metric.mean_evidence_column}) {
      move(*column);
    }
  }
  for (auto& counters : counters_) {
    for (Counter& counter : counters) move(counter.column);
  }
  if (curve_cutoff_ > 0) move(curve_column_);
  for (ShownBlock& block : shown_) move(block.column);
}

void MetricPlan::add_curve(const MetricSpec& spec, const MetricContext& context) {
  curve_cutoff_ = *std::max_element(spec.cutoffs.begin(), spec.cutoffs.end());
  curve_column_ = std::exchange(columns_, columns_ + curve_columns(curve_cutoff_));
  curve_options_.catalog_size = context.catalog_size;
  needs_.add({ListPart::missed, ListPart::distinct});
}

void MetricPlan::add_values(const ScoredList& list, std::span<std::int64_t> columns) const {
  if (curve_cutoff_ > 0) {
    add_to_curve(list, curve_cutoff_, curve_options_, columns.subspan(curve_column_, curve_columns(curve_cutoff_)));
  }
  for_each_moved_kind(list, [&](std::size_t kind) {
    for (const Counter& counter : counters_[kind]) {
      if (counter.nonempty && list.length == 0) continue;
      columns[counter.column] += with_seen(counter, list, [&](const ScoredList& seen) {
        if (counter.relevant_of_user && seen.relevant_of_user() == 0) return 0;
        return holds(counter.evidence, counter.has_evidence, seen, counter.cutoff, counter.options) ? 1 : 0;
      });
    }
    for (const ShownBlock& block : shown_) {
      if (number(block.moved_by) == kind) add_to_shown(block, list, columns);
    }
    for (const std::size_t at : summed_[kind]) {
      const PlannedMetric& metric = metrics_[at];
      with_seen(metric, list, [&](const ScoredList& seen) {
        if (!in_mean(metric, seen)) return;
        if (metric.pooled != nullptr && !moves(metric.pooled->moved_by, seen)) return;
        if (metric.pooled != nullptr) {
          metric.pooled->add(seen, cutoff_at(metric, seen), metric.options, columns.subspan(metric.column, metric.columns));
        } else if (asks_for_evidence(metric.over) || has_evidence(metric, seen)) {
          columns[metric.column] += to_q32(metric.definition->evaluate(seen, cutoff_at(metric, seen), metric.options));
        }
      });
    }
  });
}

void MetricPlan::add_user_values(const ScoredList& list, std::span<std::int64_t> columns) const {
  for_each_moved_kind(list, [&](std::size_t kind) {
    for (const std::size_t at : summed_users_[kind]) {
      const PlannedMetric& metric = metrics_[at];
      with_seen(metric, list, [&](const ScoredList& seen) {
        if (const UserForm* form = metric.definition->per_user) {
          if (!seen.hits.empty()) form->add(seen, metric.options, columns.subspan(metric.user_column, form->columns));
          return;
        }
        if (!in_mean(metric, seen)) return;
        if (metric.weighs_users) {
          add_user_weights(metric, seen, columns.subspan(metric.user_column, user_weight_columns));
          return;
        }
        if (metric.of_user != nullptr) {
          const std::size_t width = metric.of_user->columns_at(metric.cutoff);
          metric.of_user->add(seen, cutoff_at(metric, seen), metric.options, columns.subspan(metric.user_column, width));
          return;
        }
        if (!has_evidence(metric, seen)) return;
        columns[metric.user_column] += to_q32(metric.definition->evaluate(seen, cutoff_at(metric, seen), metric.options));
        ++columns[metric.user_column + 1];
      });
    }
  });
}

namespace {

// Of the list as the metric sees it.
std::optional<double> value_of_seen(const PlannedMetric& metric, const ScoredList& list) {
  if (!in_mean(metric, list)) return std::nullopt;
  const bool evidence = has_evidence(metric, list);
  if (metric.definition->family == Family::quantile) return metric.definition->evaluate(list, metric.cutoff, metric.options);
  if (metric.definition->of_weights != nullptr) return std::nullopt;
  if (metric.definition->evaluate != nullptr) {
    return evidence ? mean_of_q32(to_q32(metric.definition->evaluate(list, cutoff_at(metric, list), metric.options)), 1)
                    : 0.0;
  }
  const PooledForm& form = metric.pooled != nullptr ? *metric.pooled : *metric.of_user;
  std::vector<std::int64_t> columns(form.columns_at(metric.cutoff), 0);
  form.add(list, cutoff_at(metric, list), metric.options, columns);
  const std::vector<Int128> sums(columns.begin(), columns.end());
  return form.value({.lists = 1, .evidence = evidence ? 1U : 0U, .columns = sums}, metric.cutoff, metric.options);
}

}  // namespace

std::optional<double> MetricPlan::value_of(const PlannedMetric& metric, const ScoredList& whole) {
  return with_seen(metric, whole, [&metric](const ScoredList& list) { return value_of_seen(metric, list); });
}

bool MetricPlan::only_counts(const ScoredList& list) const {
  bool moves = false;
  for_each_moved(list, [&moves](ColumnRange) { moves = true; });
  return !moves;
}

}  // namespace recmeter
