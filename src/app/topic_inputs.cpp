#include "app/topic_inputs.h"

#include <utility>

#include "recmeter/kafka/open_topics.h"

namespace recmeter {

Result<std::vector<TopicInput>> open_topic_inputs(const Config& config, const std::vector<std::string>& topics,
                                                  std::optional<EventTime> from, const std::atomic<bool>& stop) {
  const kafka::ClientOptions client{.brokers = config.kafka.brokers, .properties = config.kafka.properties};
  auto opened = kafka::open_topics(client, topics,
                                   {.message_bytes_max = config.spec.limits.message_bytes,
                                    .memory = config.kafka.memory,
                                    .patience = Duration{30'000},
                                    .stop = &stop,
                                    .from = from});
  if (!opened) return tl::unexpected(std::move(opened).error());
  std::vector<TopicInput> inputs;
  for (std::size_t s = 0; s < opened->sources.size(); ++s) {
    inputs.push_back({std::move(opened->sources[s]), opened->topic_of[s]});
  }
  return inputs;
}

}  // namespace recmeter
