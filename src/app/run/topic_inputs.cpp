#include "app/run/topic_inputs.h"

#include <algorithm>
#include <utility>

#include "app/console/messages.h"
#include "recmeter/kafka/open_topics.h"

namespace recmeter {

namespace {

constexpr Duration patience{30'000};

kafka::ReadOptions read_options(const Config& config, const std::atomic<bool>& stop) {
  return {.message_bytes_max = config.spec.limits.message_bytes,
          .memory = config.kafka.memory,
          .patience = patience,
          .stop = &stop,
          .with_frames = std::ranges::any_of(config.inputs, [](const auto& input) { return !input.registry.url.empty(); })};
}

std::function<void(RunStatus&)> noting(std::function<kafka::Reach()> reach, const std::string& brokers) {
  return [reach = std::move(reach), brokers](RunStatus& status) {
    const kafka::Reach now = reach();
    status.brokers_reachable = now.brokers;
    status.refused = now.refusal;
    if (now.brokers != 0) return;
    // Asked a moment before, partitions may still have known their ends.
    for (LivePartition& partition : status.partitions) partition.end_offset.reset();
    status.unreachable = "no broker of " + brokers + " answers" + (now.complaint.empty() ? "" : " (" + now.complaint + ")") +
                         ": nothing is read until one does";
  };
}

Result<FollowedTopics> open(const Config& config, const std::vector<std::string>& topics, const kafka::ReadOptions& options) {
  const kafka::ClientOptions client{.brokers = config.kafka.brokers, .properties = config.kafka.properties};
  auto opened = kafka::open_topics(client, topics, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  FollowedTopics followed{.inputs = {}, .note_brokers = noting(std::move(opened->reach), config.kafka.brokers)};
  for (std::size_t s = 0; s < opened->sources.size(); ++s) {
    followed.inputs.push_back({std::move(opened->sources[s]), opened->topic_of[s]});
  }
  return followed;
}

kafka::OnGap on_gap(KafkaSpec::OnGap chosen) {
  switch (chosen) {
    case KafkaSpec::OnGap::earliest: return kafka::OnGap::earliest;
    case KafkaSpec::OnGap::latest: return kafka::OnGap::latest;
    case KafkaSpec::OnGap::stop: break;
  }
  return kafka::OnGap::stop;
}

}  // namespace

Result<std::vector<TopicInput>> open_topic_inputs(const Config& config, const std::vector<std::string>& topics,
                                                  std::optional<EventTime> from, const PinnedEnds& ends,
                                                  const std::atomic<bool>& stop) {
  kafka::ReadOptions options = read_options(config, stop);
  options.from = from;
  options.ends = ends;
  auto opened = open(config, topics, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  return std::move(opened->inputs);
}

Result<FollowedTopics> follow_topics(const Config& config, const std::vector<std::string>& topics,
                                     const std::map<std::string, TopicPosition>& positions, EventTime now, Tell tell,
                                     const std::atomic<bool>& stop) {
  kafka::ReadOptions options = read_options(config, stop);
  options.follow = kafka::Follow{
      .positions = {}, .at_end = config.kafka.start == KafkaSpec::Start::latest, .on_gap = on_gap(config.kafka.on_gap)};
  for (const auto& [name, position] : positions) {
    options.follow->positions[name] = {.next_offset = position.next_offset, .last_record = position.last_record};
  }
  options.tell = std::move(tell);
  options.with_envelopes = config.dead_letter.has_value();
  if (config.kafka.start == KafkaSpec::Start::at_time) options.from = config.kafka.start_time;
  if (config.kafka.start == KafkaSpec::Start::ago) options.from = now - config.kafka.start_ago;
  return open(config, topics, options);
}

}  // namespace recmeter
