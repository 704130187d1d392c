// `lanes`: recommenders that are judged beside the one that was shown.
#include <algorithm>

#include "config/readers.h"

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

void check_lanes(const EvaluatorSpec& spec, Faults& faults) {
  for (const SegmentSpec& segment : spec.segments) {
    if (std::ranges::find(segment.keys, recommender_key) == segment.keys.end()) continue;
    faults.add_at("segments", "a segment key is `recommender`, and so are lanes in rows",
                  "rename the key, or leave out `lanes`");
  }
  if (std::ranges::find(spec.join.actions, "candidate", &Action::name) != spec.join.actions.end()) {
    faults.add_at("join.actions", "an action is called `candidate`, as the records of lanes are",
                  "rename the action (inputs.types), or leave out `lanes`");
  }
}

}  // namespace

void read_lanes(Section& root, Config& config) {
  LaneSpec& spec = config.spec.lanes;
  Section lanes = root.section("lanes", "lanes: {names: [B]}");
  lanes.read(lane_keys, spec);
  read_names(lanes, spec);
  lanes.finish();
  if (!spec.is_wanted()) {
    if (root.has("lanes") && root.faults().none_in({"lanes"})) {
      root.faults().add_at("lanes", "no recommender is named", "write lanes: {names: [B]}, or remove `lanes`");
    }
    return;
  }
  check_lanes(config.spec, root.faults());
  ask_for_caveats(config.spec.metrics);
}

}  // namespace recmeter::config
