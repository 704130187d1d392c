#include "recmeter/evaluation/evaluator_spec.h"

#include <algorithm>

#include "recmeter/event/decoder.h"
#include "recmeter/event/event_code.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

OptionalFields fields_read(const EvaluatorSpec& spec) {
  const auto is_of_latency = [](const MetricRequest& request) {
    const MetricDefinition* const metric = find_metric(request.name);
    return metric != nullptr && metric->needs.has(ListPart::latency);
  };
  const auto drafts = [](const ExperimentSpec& experiment) { return experiment.draft.has_value(); };
  return {.teams = std::ranges::any_of(spec.experiments, drafts),
          .latency_ms = std::ranges::any_of(spec.metrics.requests, is_of_latency),
          .recommender = spec.lanes.is_wanted(),
          .policies = spec.lanes.is_wanted() && spec.off_policy.has_value()};
}

DecoderOptions decoder_options(const EvaluatorSpec& spec, const FieldTable& fields) {
  DecoderOptions options{.fields = fields,
                         .key = spec.join.key,
                         .actions = {},
                         .candidates = spec.lanes.names,
                         .list_items_max = spec.limits.list_items,
                         .id_bytes_max = spec.limits.id_bytes,
                         .segment_bytes_max = spec.limits.segment_bytes,
                         .message_bytes_max = spec.limits.message_bytes,
                         .reads = fields_read(spec)};
  for (const Action& action : spec.join.actions) {
    options.actions.push_back(action.name);
    options.on_lists.push_back(action.on_list);
  }
  return options;
}

EventKinds kinds_of(const EvaluatorSpec& spec) {
  return {.actions = spec.join.actions.size(), .candidates = spec.lanes.names.size()};
}

void keep_parts(EvaluatorSpec& spec) {
  if (!spec.attribution) return;
  spec.group_sums = spec.attribution->windows;
  spec.metrics.shown_counts = {.ranks = spec.attribution->ranks, .item_groups = item_groups_of(spec)};
}

std::size_t item_groups_of(const EvaluatorSpec& spec) {
  const bool is_divided = spec.attribution && spec.catalog && !spec.attribution->item_group.empty() &&
                          spec.catalog->groups.attribute == spec.attribution->item_group;
  return is_divided ? spec.catalog->groups.names.size() : 0;
}

std::optional<std::string> needs_whole_past(const EvaluatorSpec& spec) {
  if (std::ranges::any_of(spec.join.actions, &Action::is_from_mean)) return "join.actions.rating.from: `user_mean`";
  for (const MetricRequest& request : spec.metrics.requests) {
    const MetricDefinition* const metric = find_metric(request.name);
    if (metric != nullptr && metric->needs.has(ListPart::history)) return "metrics.names: `" + request.name + "`";
  }
  return std::nullopt;
}

}  // namespace recmeter
