// What this build has that one without Kafka and HTTP leaves out.
#include "app/commands/edges.h"
#include "app/monitor/replay_monitor.h"

namespace recmeter {

namespace {

[[maybe_unused]] const Edges& full_edges =
    edges() = {.inputs = {.open_topics = open_topic_inputs, .open_messages = open_messages},
               .connect = check_connections,
               .check = check_live,
               .watch_replay = watch_replay,
               .generate_topics = generate::topic_output,
               .experiments_of = top::experiments_of,
               .why_of = top::why_of};

}  // namespace

}  // namespace recmeter
