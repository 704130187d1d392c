#include "recmeter/kafka/open_topics.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "kafka/connection.h"
#include "kafka/partition_source.h"

namespace recmeter::kafka {

namespace {

constexpr std::chrono::seconds refusals_settle{5};  // a broker that has just started may not know everything yet

class Opening {
 public:
  Opening(std::shared_ptr<Connection> connection, const ReadOptions& options)
      : connection_(std::move(connection)), options_(options) {}

  // The topic's partitions, from the earliest wanted offset to the end as it is now.
  Result<std::vector<PartitionRange>> ranges(rd_kafka_topic_t* topic);

 private:
  using Clock = std::chrono::steady_clock;

  // Asks until there is an answer or patience ends: `ask` returns librdkafka's code.
  template <class Ask>
  Result<void> insist(const std::string& what, Ask&& ask) const;
  [[nodiscard]] Error no_answer(const std::string& what, rd_kafka_resp_err_t code) const;
  Result<std::size_t> partitions_of(rd_kafka_topic_t* topic) const;
  Result<void> end_as_pinned(const std::string& topic, PartitionRange& range) const;
  // `there`: all that the broker has, up to the pinned end; `read`: what is read of it.
  Result<void> check_begins_as_pinned(const std::string& topic, const PartitionRange& there,
                                      const PartitionRange& read) const;
  void follow(const std::string& topic, PartitionRange& range) const;
  Result<void> begin_at(EventTime from, const std::string& topic, std::vector<PartitionRange>& ranges) const;

  std::shared_ptr<Connection> connection_;
  const ReadOptions& options_;
};

bool is_worth_asking_again(rd_kafka_resp_err_t code) {
  switch (code) {
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__WAIT_CACHE:
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT: return true;
    default: return false;
  }
}

bool is_missing(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || code == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC;
}

// Who follows waits for a broker as long as it takes, but not for a topic or the right to be let in.
template <class Ask>
Result<void> Opening::insist(const std::string& what, Ask&& ask) const {
  const auto begun = Clock::now();
  while (true) {
    const rd_kafka_resp_err_t code = ask();
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
      connection_->has_answered();
      return {};
    }
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      return failure(Errc::interrupted, what + ": interrupted");
    }
    const auto waited = Clock::now() - begun;
    connection_->serve();
    const bool is_refusal = connection_->is_refused() || (options_.follow && is_missing(code));
    const bool waits = is_refusal                     ? waited < refusals_settle
                       : !is_worth_asking_again(code) ? false
                       : options_.follow.has_value()  ? true
                                                      : waited < std::chrono::milliseconds(options_.patience.ms);
    if (!waits) return tl::unexpected(no_answer(what, code));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // an answer may be an immediate refusal
  }
}

Error Opening::no_answer(const std::string& what, rd_kafka_resp_err_t code) const {
  if (is_missing(code)) {
    return {Errc::input_missing, what + ": there is no such topic at " + connection_->brokers() +
                                     ". Correct the name under `inputs`, or kafka.brokers"};
  }
  if (code == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED || code == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED) {
    return {Errc::input_unreadable, what + ": not allowed (" + rd_kafka_err2str(code) +
                                        "). Get permission to describe and read the topic, or use other credentials"};
  }
  const std::string complaint = connection_->complaint();
  if (connection_->is_refused()) {
    return {Errc::input_unreadable, what + ": " + connection_->brokers() + " does not let us in (" + complaint +
                                        "). Correct the credentials or certificates in kafka.properties"};
  }
  return {Errc::input_unreadable, what + ": no answer from " + connection_->brokers() + " (" +
                                      (complaint.empty() ? rd_kafka_err2str(code) : complaint) +
                                      "). Check that a broker runs there, and check kafka.properties"};
}

Result<std::size_t> Opening::partitions_of(rd_kafka_topic_t* topic) const {
  const std::string name = rd_kafka_topic_name(topic);
  std::size_t partitions = 0;
  auto told = insist(name, [&] {
    const struct rd_kafka_metadata* answer = nullptr;
    const rd_kafka_resp_err_t code = rd_kafka_metadata(connection_->handle(), 0, topic, &answer, answer_wait_ms);
    const Metadata metadata(answer);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return code;
    if (metadata->topic_cnt != 1) return RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
    partitions = static_cast<std::size_t>(metadata->topics[0].partition_cnt);
    return metadata->topics[0].err;
  });
  if (!told) return tl::unexpected(std::move(told).error());
  return partitions;
}

Result<std::vector<PartitionRange>> Opening::ranges(rd_kafka_topic_t* topic) {
  const auto partitions = partitions_of(topic);
  if (!partitions) return tl::unexpected(partitions.error());
  const std::string name = rd_kafka_topic_name(topic);
  std::vector<PartitionRange> ranges(*partitions);
  for (std::size_t p = 0; p < ranges.size(); ++p) {
    PartitionRange& range = ranges[p];
    range.partition = static_cast<std::int32_t>(p);
    auto told = insist(name + "/" + std::to_string(p), [&] {
      return rd_kafka_query_watermark_offsets(connection_->handle(), name.c_str(), range.partition, &range.begin, &range.end,
                                              answer_wait_ms);
    });
    if (told) told = end_as_pinned(name, range);
    if (!told) return tl::unexpected(std::move(told).error());
  }
  const std::vector<PartitionRange> there = ranges;
  if (options_.from) {
    if (auto done = begin_at(*options_.from, name, ranges); !done) return tl::unexpected(std::move(done).error());
  }
  for (std::size_t p = 0; p < ranges.size() && !options_.ends.empty(); ++p) {
    if (auto done = check_begins_as_pinned(name, there[p], ranges[p]); !done) return tl::unexpected(std::move(done).error());
  }
  if (options_.follow) {
    for (PartitionRange& range : ranges) follow(name, range);
  }
  return ranges;
}

Result<void> Opening::end_as_pinned(const std::string& topic, PartitionRange& range) const {
  if (options_.ends.empty()) return {};
  const std::string name = topic + "/" + std::to_string(range.partition);
  const auto end = options_.ends.find(name);
  if (end == options_.ends.end()) return failure(Errc::input_missing, name + ": no end is pinned for it; pin the ends again");
  if (end->second.end > range.end) {
    return failure(Errc::input_missing, name + ": ends at offset " + std::to_string(range.end) + ", before the pinned " +
                                            std::to_string(end->second.end) +
                                            "; if the topic was created anew, pin the ends again");
  }
  range.end = std::max(range.begin, end->second.end);
  return {};
}

// Who reads from a time on, behind the first record there is, misses nothing that was deleted.
Result<void> Opening::check_begins_as_pinned(const std::string& topic, const PartitionRange& there,
                                             const PartitionRange& read) const {
  const std::string name = topic + "/" + std::to_string(read.partition);
  const PinnedRange& pinned = options_.ends.at(name);
  if (there.begin <= pinned.begin || read.begin > there.begin) return {};
  return failure(Errc::input_missing,
                 name + ": records before offset " + std::to_string(there.begin) +
                     " were deleted since the ends were pinned; pin them again, and run all parts again");
}

// `range` holds the offsets there are, from the time that was asked for on. Whether a position still is there the source
// sees.
void Opening::follow(const std::string& topic, PartitionRange& range) const {
  const std::int64_t end = std::exchange(range.end, no_end);
  const auto position = options_.follow->positions.find(topic + "/" + std::to_string(range.partition));
  if (position != options_.follow->positions.end()) {
    range.begin = position->second.next_offset;
    range.last = position->second.last_record;
  } else if (options_.follow->at_end) {
    range.begin = end;
  }
}

Result<void> Opening::begin_at(EventTime from, const std::string& topic, std::vector<PartitionRange>& ranges) const {
  if (ranges.empty()) return {};
  const PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(ranges.size())));
  auto told = insist(topic, [&] {
    list->cnt = 0;
    for (const PartitionRange& range : ranges) {
      rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), range.partition)->offset = from.ms;
    }
    const rd_kafka_resp_err_t code = rd_kafka_offsets_for_times(connection_->handle(), list.get(), answer_wait_ms);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return code;
    for (int i = 0; i < list->cnt; ++i) {
      if (list->elems[i].err != RD_KAFKA_RESP_ERR_NO_ERROR) return list->elems[i].err;
    }
    return RD_KAFKA_RESP_ERR_NO_ERROR;
  });
  if (!told) return told;
  for (int i = 0; i < list->cnt; ++i) {
    PartitionRange& range = ranges[static_cast<std::size_t>(list->elems[i].partition)];
    const std::int64_t offset = list->elems[i].offset;
    // Below 0: no message is that young.
    range.begin = offset < 0 ? range.end : std::clamp(offset, range.begin, range.end);
  }
  return {};
}

}  // namespace

Result<OpenedTopics> open_topics(const ClientOptions& client, std::span<const std::string> topics,
                                 const ReadOptions& options) {
  // How many partitions share the memory is known only when a first connection has asked.
  std::size_t partitions = 0;
  std::vector<std::vector<PartitionRange>> ranges;
  {
    auto asking = Connection::make(client, 0, options.tell);
    if (!asking) return tl::unexpected(std::move(asking).error());
    Opening opening(*asking, options);
    for (const std::string& name : topics) {
      const TopicHandle topic(rd_kafka_topic_new((*asking)->handle(), name.c_str(), nullptr));
      auto of_topic = opening.ranges(topic.get());
      if (!of_topic) return tl::unexpected(std::move(of_topic).error());
      partitions += of_topic->size();
      ranges.push_back(std::move(*of_topic));
    }
  }
  auto reading = Connection::make(client, options.memory / std::max<std::size_t>(1, partitions), options.tell);
  if (!reading) return tl::unexpected(std::move(reading).error());
  OpenedTopics opened;
  opened.reach = [connection = *reading] {
    return Reach{
        .brokers = connection->brokers_reachable(), .complaint = connection->complaint(), .refusal = connection->refusal()};
  };
  for (std::size_t t = 0; t < topics.size(); ++t) {
    // The connection outlives its topics.
    const std::shared_ptr<rd_kafka_topic_t> topic(rd_kafka_topic_new((*reading)->handle(), topics[t].c_str(), nullptr),
                                                  [connection = *reading](rd_kafka_topic_t* handle) {
                                                    if (handle != nullptr) rd_kafka_topic_destroy(handle);
                                                  });
    for (const PartitionRange& range : ranges[t]) {
      opened.sources.push_back(std::make_unique<PartitionSource>(*reading, topic, range, options));
      opened.topic_of.push_back(t);
    }
  }
  return opened;
}

}  // namespace recmeter::kafka
