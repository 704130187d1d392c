// Connection: one librdkafka consumer without a group, and what it complained of last. Shared by the sources that read
// through it; any thread.
#pragma once

#include <librdkafka/rdkafka.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "recmeter/base/notice.h"
#include "recmeter/kafka/open_topics.h"

namespace recmeter::kafka {

// For one answer of a broker. Who can wait longer asks again.
inline constexpr int answer_wait_ms = 1000;

class Connection {
 public:
  // Fails on a property that librdkafka does not know or take. `tell`: as ReadOptions::tell.
  [[nodiscard]] static Result<std::shared_ptr<Connection>> make(const ClientOptions& client, std::size_t partition_memory,
                                                                Tell tell);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] rd_kafka_t* handle() const { return handle_; }
  [[nodiscard]] const std::string& brokers() const { return client_.brokers; }
  // Takes what librdkafka has to say; does not block.
  void serve() const { rd_kafka_poll(handle_, 0); }
  // The last complaint, "" when there was none: names the broker and the cause, never a property's value.
  [[nodiscard]] std::string complaint() const;
  // Whether the last complaint was that credentials or certificates are not accepted.
  [[nodiscard]] bool is_refused() const;
  // Brokers that are connected and leave no request without an answer for long, as of a second ago; none: not known yet.
  [[nodiscard]] std::optional<std::size_t> brokers_reachable() const;
  // False: no broker is reachable.
  [[nodiscard]] bool is_answering() const { return reachable_.load(std::memory_order_relaxed) != 0; }
  // How often something was wrong with a broker: what was read before may have changed since.
  [[nodiscard]] std::uint64_t outages() const { return outages_.load(std::memory_order_relaxed); }
  // A broker does not let a partition of `topic` be read any more, and does again; each told once for all of the topic's.
  void refuse(const std::string& topic, const std::string& why);
  void allow(const std::string& topic);
  // The last topic's refusal that stands, "" when there is none.
  [[nodiscard]] std::string refusal() const;
  // A broker has sent what it was asked for after everything that was wrong.
  void has_answered() {
    if (is_down_.load(std::memory_order_relaxed)) tell_of_answer();
  }

 private:
  Connection(ClientOptions client, Tell tell) : client_(std::move(client)), tell_(std::move(tell)) {}
  static void on_error(rd_kafka_t*, int code, const char* reason, void* self);
  static int on_statistics(rd_kafka_t*, char* json, std::size_t size, void* self);
  void complain(int code, const char* reason);
  void tell_of_answer();

  ClientOptions client_;
  rd_kafka_t* handle_ = nullptr;
  mutable std::mutex mutex_;
  std::string complaint_;
  int complaint_code_ = 0;
  struct Refusal {
    std::string text;
    std::size_t partitions = 0;
  };
  std::map<std::string, Refusal> refusals_;  // by topic
  Tell tell_;
  std::atomic<std::uint64_t> outages_ = 0;
  std::atomic<int> reachable_ = -1;    // brokers; not known yet
  std::atomic<bool> is_down_ = false;  // and it was told
};

struct PartitionListDeleter {
  void operator()(rd_kafka_topic_partition_list_t* list) const { rd_kafka_topic_partition_list_destroy(list); }
};
using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t, PartitionListDeleter>;

struct TopicDeleter {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};
using TopicHandle = std::unique_ptr<rd_kafka_topic_t, TopicDeleter>;

struct MetadataDeleter {
  void operator()(const struct rd_kafka_metadata* metadata) const { rd_kafka_metadata_destroy(metadata); }
};
using Metadata = std::unique_ptr<const struct rd_kafka_metadata, MetadataDeleter>;

struct QueueDeleter {
  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
};
using QueueHandle = std::unique_ptr<rd_kafka_queue_t, QueueDeleter>;

}  // namespace recmeter::kafka
