// What is read of Kafka: the configured topics' partitions, bounded for a replay, or going on.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/port/pinned_ends.h"
#include "recmeter/port/record_source.h"

namespace recmeter {

struct TopicInput {
  std::unique_ptr<RecordSource> source;
  std::size_t topic;  // index into the topics asked for
};

// `from`: the broker time of the first record wanted. `ends`: as kafka::ReadOptions. `stop` outlives the inputs.
using OpenTopicInputs = Result<std::vector<TopicInput>>(const Config& config, const std::vector<std::string>& topics,
                                                        std::optional<EventTime> from, const PinnedEnds& ends,
                                                        const std::atomic<bool>& stop);
[[nodiscard]] OpenTopicInputs open_topic_inputs;

// Where reading a partition goes on, and the record read last before.
struct TopicPosition {
  std::int64_t next_offset = 0;
  std::optional<RecordMark> last_record = {};
};

struct FollowedTopics {
  std::vector<TopicInput> inputs;
  std::function<void(RunStatus&)> note_brokers;  // adds whether brokers answer
};

// Going on, from `positions`, by name, and where there are none as kafka.start says. `now`: what its times are before.
// `tell` is called by the caller's thread until this returns, and by any thread then.
[[nodiscard]] Result<FollowedTopics> follow_topics(const Config& config, const std::vector<std::string>& topics,
                                                   const std::map<std::string, TopicPosition>& positions, EventTime now,
                                                   Tell tell, const std::atomic<bool>& stop);

}  // namespace recmeter
