// Connection: one librdkafka consumer without a group, and what it complained of last. Shared by the sources that read
// through it; any thread.
#pragma once

#include <librdkafka/rdkafka.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "recmeter/kafka/open_topics.h"

namespace recmeter::kafka {

class Connection {
 public:
  // Fails on a property that librdkafka does not know or take.
  [[nodiscard]] static Result<std::shared_ptr<Connection>> make(const ClientOptions& client, std::size_t partition_memory);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] rd_kafka_t* handle() const { return handle_; }
  [[nodiscard]] const std::string& brokers() const { return client_.brokers; }
  // Takes what librdkafka has to say; does not block.
  void serve() const { rd_kafka_poll(handle_, 0); }
  // The last complaint, "" when there was none: names the broker and the cause, never a property's value.
  [[nodiscard]] std::string complaint() const;

 private:
  explicit Connection(ClientOptions client) : client_(std::move(client)) {}
  static void on_error(rd_kafka_t*, int code, const char* reason, void* self);

  ClientOptions client_;
  rd_kafka_t* handle_ = nullptr;
  mutable std::mutex mutex_;
  std::string complaint_;
};

struct PartitionListDeleter {
  void operator()(rd_kafka_topic_partition_list_t* list) const { rd_kafka_topic_partition_list_destroy(list); }
};
using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t, PartitionListDeleter>;

struct TopicDeleter {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};
using TopicHandle = std::unique_ptr<rd_kafka_topic_t, TopicDeleter>;

struct QueueDeleter {
  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
};
using QueueHandle = std::unique_ptr<rd_kafka_queue_t, QueueDeleter>;

}  // namespace recmeter::kafka
