// DeliveryQueue: messages to one topic, each kept until a broker has it, in the order in which they were given.
//
// What a broker refuses, or a topic that is not there, is trouble and no error: it is tried again every second, for as long
// as it takes. After a batch was too large its messages go one at a time, so that none is refused for another; one that is
// too large by itself holds up those behind it, until the topic takes it. Thread safety: one thread. Invariant: messages
// before delivered() are gone from here.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kafka/connection.h"
#include "kafka/producer.h"
#include "recmeter/base/event_time.h"

namespace recmeter::kafka {

struct Message {
  std::optional<std::string> key;
  std::optional<std::string> value;
  std::optional<EventTime> timestamp = {};
  std::vector<std::pair<std::string, std::optional<std::string>>> headers = {};
};

class DeliveryQueue {
 public:
  // Asks whether there is such a topic, for a short while: trouble() says so at once. Errors: those of Producer::make.
  [[nodiscard]] static Result<std::unique_ptr<DeliveryQueue>> open(const ClientOptions& client, const std::string& topic);

  void send(Message message);
  // One that may be lost; it comes after those sent before it. False: it is left out, since others wait.
  bool send_unkept(std::string_view key, std::string_view value);
  // Goes on with delivering, without waiting for anybody. Errors: those of Producer::make.
  [[nodiscard]] Result<void> serve();
  void flush(int wait_ms) const { producer_->flush(wait_ms); }

  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  // This many first messages are with a broker, for good.
  [[nodiscard]] std::uint64_t delivered() const { return kept_.empty() ? sent_ : kept_.begin()->first; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }  // of those that are not
  // Why they are not, and the remedy; "": they are on their way, or there are none and the topic is there.
  [[nodiscard]] std::string trouble();
  // How often a message was refused, by a broker or before it was sent, the topic was not there when a broker was asked, or
  // the client complained of its brokers.
  [[nodiscard]] std::uint64_t errors() const { return refusals_ + errors_before_ + producer_->errors(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    Message message;
    bool is_under_way = false;
  };
  DeliveryQueue(ClientOptions client, std::string topic) : client_(std::move(client)), topic_(std::move(topic)) {}
  [[nodiscard]] Result<void> open();
  void produce(std::uint64_t number, Kept& kept);
  void produce_waiting();
  void delivered(std::uint64_t number, rd_kafka_resp_err_t code);
  void refuse(rd_kafka_resp_err_t code);
  [[nodiscard]] Result<void> try_again();
  [[nodiscard]] rd_kafka_resp_err_t ask(int wait_ms);

  ClientOptions client_;
  std::string topic_;
  std::map<std::uint64_t, Kept> kept_;  // by number; payloads stay where they are while they are under way
  std::size_t bytes_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t under_way_ = 0;
  bool is_one_by_one_ = false;
  rd_kafka_resp_err_t refusal_ = RD_KAFKA_RESP_ERR_NO_ERROR;  // until it is tried again
  rd_kafka_resp_err_t trouble_ = RD_KAFKA_RESP_ERR_NO_ERROR;  // the last refusal, until something is delivered
  std::size_t refused_bytes_ = 0;                             // of the message, or the largest of a batch
  Clock::time_point refused_at_;
  rd_kafka_resp_err_t found_ = RD_KAFKA_RESP_ERR_NO_ERROR;  // when a broker was asked about the topic
  Clock::time_point asked_at_;
  Clock::time_point last_news_;  // when something was delivered, or the first was sent
  std::uint64_t refusals_ = 0;
  std::uint64_t errors_before_ = 0;
  std::unique_ptr<Producer> producer_;
  TopicHandle handle_;
};

}  // namespace recmeter::kafka
