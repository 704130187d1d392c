// `lanes`: recommenders that are judged beside the one that was shown.
#include <algorithm>

#include "config/readers.h"
#include "recmeter/metric/registry.h"

namespace recmeter::config {

namespace {

void read_names(Section& lanes, LaneSpec& spec) {
  const auto value = lanes.take("names");
  const auto entries = value ? lanes.reader().list(*value, "[B, C]", lanes_max) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) {
    const auto name = read_name(lanes.reader(), entry);
    if (!name) continue;
    if (*name == logged_lane) {
      lanes.reader().complain_of(entry, "is the lane of what was shown", "give the recommender another name");
    } else if (std::ranges::find(spec.names, *name) != spec.names.end()) {
      lanes.reader().complain_of(entry, "is there twice", "remove one");
    } else {
      spec.names.push_back(*name);
    }
  }
}

// How far a lane can be judged stands in its rows, asked for or not.
void ask_for_caveats(MetricSpec& metrics) {
  for (const char* const name : {"judged_share", "overlap"}) {
    const auto is_it = [&](const MetricRequest& request) { return request.name == name; };
    if (std::ranges::none_of(metrics.requests, is_it)) metrics.requests.push_back({.name = name});
  }
}

// Neither in rows nor among records is a word said of two things.
void check_words(const EvaluatorSpec& spec, const std::string& section, const std::string& key, const std::string& record,
                 Faults& faults) {
  for (const SegmentSpec& segment : spec.segments) {
    if (std::ranges::find(segment.keys, key) == segment.keys.end()) continue;
    faults.add_at("segments", "a segment key is `" + key + "`, and so are lanes in rows",
                  "rename the key, or leave out `" + section + "`");
  }
  if (std::ranges::find(spec.join.actions, record, &Action::name) != spec.join.actions.end()) {
    faults.add_at("join.actions", "an action is called `" + record + "`, as the records of lanes are",
                  "rename the action (inputs.types), or leave out `" + section + "`");
  }
}

// Money is not made more by lanes.
void check_values(const EvaluatorSpec& spec, Faults& faults) {
  if (spec.lanes.credit != Credit::every_touch) return;
  const bool estimates_value = spec.off_policy && spec.off_policy->reward == OffPolicySpec::Reward::value;
  for (const MetricRequest& request : spec.metrics.requests) {
    const MetricDefinition* const metric = find_metric(request.name);
    if (metric == nullptr) continue;
    const bool is_estimate = judges_policy(*metric);
    const bool counts_twice =
        is_estimate ? estimates_value && spec.lanes.is_shadow() : looks_at_value(*metric, request.options);
    if (!counts_twice) continue;
    faults.add_at(
        "lanes",
        "what was paid once would count on every list of a lane, for `" + request.name + "` and lanes.credit: every_touch",
        "set lanes.credit to last_touch or first_touch, or remove the metric");
    return;
  }
}

void check_off_policy(const EvaluatorSpec& spec, Faults& faults) {
  if (!faults.none_in({"off_policy", "lanes", "metrics"})) return;
  if (!spec.lanes.is_wanted()) {
    if (!faults.is_written("lanes"))
      faults.add_at("off_policy", "no recommender is named whose policy is judged", "add lanes: {names: [B]}");
    return;
  }
  const auto judges = [](const MetricRequest& request) {
    const MetricDefinition* const metric = find_metric(request.name);
    return metric != nullptr && judges_policy(*metric);
  };
  if (std::ranges::none_of(spec.metrics.requests, judges)) {
    faults.add_at("off_policy", "nothing is estimated",
                  "add an estimator to metrics.names, as snips, or remove `off_policy`");
  }
  check_words(spec, "off_policy", policy_key, "policy", faults);
}

}  // namespace

void read_lanes(Section& root, Config& config) {
  LaneSpec& spec = config.spec.lanes;
  Section lanes = root.section("lanes", "lanes: {names: [B]}");
  lanes.read(lane_keys, spec);
  read_names(lanes, spec);
  lanes.finish();
  if (config.spec.off_policy) check_off_policy(config.spec, root.faults());
  if (!spec.is_wanted()) {
    if (root.has("lanes") && root.faults().none_in({"lanes"})) {
      root.faults().add_at("lanes", "no recommender is named", "write lanes: {names: [B]}, or remove `lanes`");
    }
    return;
  }
  check_words(config.spec, "lanes", recommender_key, "candidate", root.faults());
  if (root.faults().none_in({"lanes", "metrics"})) check_values(config.spec, root.faults());
  ask_for_caveats(config.spec.metrics);
}

}  // namespace recmeter::config
