// Edges: what a build with Kafka and HTTP adds to commands that every build has. Each is null in a build without
// (RECMETER_CORE_ONLY). Set before main() by full_edges.cpp, which such a build leaves out.
#pragma once

#include "app/attach/connection_check.h"
#include "app/generate/topic_output.h"
#include "app/run/replay_inputs.h"
#include "app/run/replay_watch.h"
#include "app/top/experiments.h"
#include "app/top/why.h"

namespace recmeter {

struct Edges {
  InputEdges inputs;
  decltype(&check_connections) connect = nullptr;
  decltype(&check_live) check = nullptr;
  WatchReplay* watch_replay = nullptr;
  generate::OpenTopicOutput* generate_topics = nullptr;
  decltype(&top::experiments_of) experiments_of = nullptr;
  decltype(&top::why_of) why_of = nullptr;
};

[[nodiscard]] Edges& edges();

}  // namespace recmeter
