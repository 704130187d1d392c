// Producer: one idempotent librdkafka producer that tries for as long as it takes, and what it complained of last. Thread
// safety: one thread; what librdkafka has to say comes within serve() and flush().
#pragma once

#include <librdkafka/rdkafka.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "recmeter/kafka/open_topics.h"

namespace recmeter::kafka {

class Producer {
 public:
  using OnDelivery = std::function<void(const rd_kafka_message_t& message)>;
  // Fails on a property that librdkafka does not know or take.
  [[nodiscard]] static Result<std::unique_ptr<Producer>> make(const ClientOptions& client, OnDelivery on_delivery);
  // Forgets what is under way.
  ~Producer();
  Producer(const Producer&) = delete;
  Producer& operator=(const Producer&) = delete;

  [[nodiscard]] rd_kafka_t* handle() const { return handle_; }
  // Takes what librdkafka has to say, waiting for it up to `wait_ms`.
  void serve(int wait_ms) const { rd_kafka_poll(handle_, wait_ms); }
  void flush(int wait_ms) const { rd_kafka_flush(handle_, wait_ms); }
  // The last complaint, "" when there was none: names the broker and the cause, never a property's value.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  // How often it complained.
  [[nodiscard]] std::uint64_t errors() const { return errors_; }

 private:
  Producer(ClientOptions client, OnDelivery on_delivery) : client_(std::move(client)), on_delivery_(std::move(on_delivery)) {}
  static void on_error(rd_kafka_t*, int code, const char* reason, void* self);
  static void on_message(rd_kafka_t*, const rd_kafka_message_t* message, void* self);

  ClientOptions client_;
  rd_kafka_t* handle_ = nullptr;
  OnDelivery on_delivery_;
  std::string complaint_;
  std::uint64_t errors_ = 0;
};

}  // namespace recmeter::kafka
