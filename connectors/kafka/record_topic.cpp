#include "recmeter/kafka/record_topic.h"

#include <librdkafka/rdkafka.h>

#include <array>
#include <utility>

#include "kafka/client_conf.h"
#include "kafka/connection.h"

namespace recmeter::kafka {

namespace {

constexpr int patience_asks = 30;
constexpr const char* patience_ms = "60000";  // for a record to be acknowledged
constexpr const char* record_bytes_max = "8388608";

class ProducedTopic final : public RecordTopic {
 public:
  ProducedTopic(std::string name, std::string brokers, const std::atomic<bool>* stop)
      : name_(std::move(name)), brokers_(std::move(brokers)), stop_(stop) {}
  ProducedTopic(const ProducedTopic&) = delete;
  ProducedTopic& operator=(const ProducedTopic&) = delete;
  ~ProducedTopic() override {
    if (handle_ == nullptr) return;
    rd_kafka_purge(handle_, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);  // nothing is left after finish()
    topic_.reset();
    rd_kafka_destroy(handle_);
  }

  Result<void> open(const ClientOptions& client, std::int32_t partitions_if_new);
  std::int32_t partitions() const override { return partitions_; }
  std::int32_t partition_of(std::string_view key) const override;
  Result<void> produce(const OutgoingRecord& record) override;
  Result<void> finish() override;

 private:
  static void on_delivery(rd_kafka_t*, const rd_kafka_message_t* message, void* self);
  Result<void> connect(const ClientOptions& client);
  Result<void> make(std::int32_t partitions);
  Result<void> count_partitions();
  Result<void> look_around(int wait_ms);
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view why) const;

  std::string name_;
  std::string brokers_;
  const std::atomic<bool>* stop_;
  rd_kafka_t* handle_ = nullptr;
  TopicHandle topic_;
  std::int32_t partitions_ = 0;
  std::string refused_;  // why a record was not taken
};

tl::unexpected<Error> ProducedTopic::failed(std::string_view why) const {
  return failure(Errc::output_failed, "cannot write to topic " + name_ + " at " + brokers_ + ": " + std::string(why));
}

Result<void> ProducedTopic::open(const ClientOptions& client, std::int32_t partitions_if_new) {
  if (auto connected = connect(client); !connected) return connected;
  if (partitions_if_new > 0) {
    if (auto made = make(partitions_if_new); !made) return made;
  }
  topic_.reset(rd_kafka_topic_new(handle_, name_.c_str(), nullptr));
  if (topic_ == nullptr) return failed("it is no name of a topic");
  return count_partitions();
}

Result<void> ProducedTopic::connect(const ClientOptions& client) {
  ClientConf conf(client);
  conf.set("enable.idempotence", "true");
  conf.set("compression.codec", "lz4");
  conf.set("linger.ms", "50");
  conf.set("queue.buffering.max.kbytes", "131072");
  conf.set("queue.buffering.max.messages", "500000");
  conf.set("message.max.bytes", record_bytes_max);
  conf.set("message.timeout.ms", patience_ms);
  rd_kafka_conf_set_opaque(conf.get(), this);
  rd_kafka_conf_set_dr_msg_cb(conf.get(), &ProducedTopic::on_delivery);
  auto opened = conf.open(RD_KAFKA_PRODUCER);
  if (!opened) return tl::unexpected(std::move(opened).error());
  handle_ = *opened;
  return {};
}

// That it is there already is no fault.
Result<void> ProducedTopic::make(std::int32_t partitions) {
  std::array<char, 512> reason{};
  struct Deleter {
    void operator()(rd_kafka_NewTopic_t* topic) const { rd_kafka_NewTopic_destroy(topic); }
  };
  const std::unique_ptr<rd_kafka_NewTopic_t, Deleter> topic(
      rd_kafka_NewTopic_new(name_.c_str(), partitions, -1, reason.data(), reason.size()));
  if (topic == nullptr) return failed(reason.data());
  rd_kafka_NewTopic_set_config(topic.get(), "retention.ms", "-1");
  rd_kafka_NewTopic_set_config(topic.get(), "max.message.bytes", record_bytes_max);
  const QueueHandle answers(rd_kafka_queue_new(handle_));
  rd_kafka_NewTopic_t* wanted = topic.get();
  rd_kafka_CreateTopics(handle_, &wanted, 1, nullptr, answers.get());
  rd_kafka_event_t* event = nullptr;
  for (int asked = 0; event == nullptr; ++asked) {
    if (asked == patience_asks) return failed("no answer. Check that a broker runs there");
    if (auto looked = look_around(0); !looked) return looked;
    event = rd_kafka_queue_poll(answers.get(), answer_wait_ms);
  }
  std::size_t count = 0;
  const rd_kafka_topic_result_t** results = nullptr;
  if (const auto* result = rd_kafka_event_CreateTopics_result(event); result != nullptr) {
    results = rd_kafka_CreateTopics_result_topics(result, &count);
  }
  Result<void> outcome;
  if (count == 0) {
    outcome = failed(std::string(rd_kafka_event_error_string(event)) + ". Is a broker up there?");
  } else if (const auto code = rd_kafka_topic_result_error(results[0]);
             code != RD_KAFKA_RESP_ERR_NO_ERROR && code != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) {
    const char* why = rd_kafka_topic_result_error_string(results[0]);
    outcome = failed(std::string(why == nullptr ? rd_kafka_err2str(code) : why) + ". Make it, or choose another name");
  }
  rd_kafka_event_destroy(event);
  return outcome;
}

// A topic that was just made may not be known everywhere at once.
Result<void> ProducedTopic::count_partitions() {
  rd_kafka_resp_err_t code = RD_KAFKA_RESP_ERR_NO_ERROR;
  for (int asked = 0; asked < patience_asks; ++asked) {
    if (auto looked = look_around(asked == 0 ? 0 : 50); !looked) return looked;
    const struct rd_kafka_metadata* metadata = nullptr;
    code = rd_kafka_metadata(handle_, 0, topic_.get(), &metadata, answer_wait_ms);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) continue;
    if (metadata->topic_cnt == 1) {
      code = metadata->topics[0].err;
      partitions_ = metadata->topics[0].partition_cnt;
    }
    rd_kafka_metadata_destroy(metadata);
    if (partitions_ > 0) return {};
  }
  return failed(std::string(rd_kafka_err2str(code)) + ". Is a broker up there?");
}

std::int32_t ProducedTopic::partition_of(std::string_view key) const {
  return rd_kafka_msg_partitioner_murmur2(topic_.get(), key.data(), key.size(), partitions_, nullptr, nullptr);
}

Result<void> ProducedTopic::produce(const OutgoingRecord& record) {
  std::array<rd_kafka_vu_t, 6> message{};
  message[0].vtype = RD_KAFKA_VTYPE_RKT;
  message[0].u.rkt = topic_.get();
  message[1].vtype = RD_KAFKA_VTYPE_PARTITION;
  message[1].u.i32 = record.partition;
  message[2].vtype = RD_KAFKA_VTYPE_VALUE;
  message[2].u.mem = {.ptr = const_cast<char*>(record.value.data()), .size = record.value.size()};
  message[3].vtype = RD_KAFKA_VTYPE_KEY;
  message[3].u.mem = {.ptr = record.key.empty() ? nullptr : const_cast<char*>(record.key.data()), .size = record.key.size()};
  message[4].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  message[4].u.i64 = record.time.ms;
  message[5].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  message[5].u.i = RD_KAFKA_MSG_F_COPY;
  while (true) {
    rd_kafka_error_t* error = rd_kafka_produceva(handle_, message.data(), message.size());
    if (error == nullptr) return look_around(0);
    const rd_kafka_resp_err_t code = rd_kafka_error_code(error);
    const std::string why = rd_kafka_error_string(error);
    rd_kafka_error_destroy(error);
    if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL) return failed(why);
    if (auto looked = look_around(answer_wait_ms); !looked) return looked;
  }
}

Result<void> ProducedTopic::finish() {
  while (rd_kafka_outq_len(handle_) > 0) {
    static_cast<void>(
        rd_kafka_flush(handle_, 100));  // in parts, so that an interruption is seen; what is left is asked above
    if (auto looked = look_around(0); !looked) return looked;
  }
  return look_around(0);
}

Result<void> ProducedTopic::look_around(int wait_ms) {
  rd_kafka_poll(handle_, wait_ms);
  if (!refused_.empty()) return failed(refused_);
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
    return failure(Errc::interrupted, "interrupted; topic " + name_ + " has a part of the log");
  }
  return {};
}

void ProducedTopic::on_delivery(rd_kafka_t*, const rd_kafka_message_t* message, void* self) {
  auto& topic = *static_cast<ProducedTopic*>(self);
  if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR || !topic.refused_.empty()) return;
  topic.refused_ = rd_kafka_err2str(message->err);
  if (message->err == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE) topic.refused_ += ". Raise its max.message.bytes";
}

}  // namespace

Result<std::unique_ptr<RecordTopic>> record_topic(const ClientOptions& client, const std::string& topic,
                                                  std::int32_t partitions_if_new, const std::atomic<bool>* stop) {
  auto made = std::make_unique<ProducedTopic>(topic, client.brokers, stop);
  if (auto opened = made->open(client, partitions_if_new); !opened) return tl::unexpected(std::move(opened).error());
  return made;
}

}  // namespace recmeter::kafka
