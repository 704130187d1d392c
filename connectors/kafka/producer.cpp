#include "kafka/producer.h"

#include <array>

namespace recmeter::kafka {

Result<std::unique_ptr<Producer>> Producer::make(const ClientOptions& client, OnDelivery on_delivery) {
  std::unique_ptr<Producer> producer(new Producer(std::move(on_delivery)));
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::array<char, 512> reason{};
  std::string refused;
  const auto set = [&](const std::string& name, const std::string& value) {
    const auto code = rd_kafka_conf_set(conf, name.c_str(), value.c_str(), reason.data(), reason.size());
    if (code != RD_KAFKA_CONF_OK && refused.empty()) refused = name;
  };
  set("message.max.bytes", "100000000");  // how much a topic takes is for its broker to say
  for (const auto& [name, value] : client.properties) set(name, value);
  set("bootstrap.servers", client.brokers);
  set("enable.idempotence", "true");
  set("linger.ms", "5");
  set("compression.codec", "lz4");
  set("message.timeout.ms", "0");  // as long as it takes: what is not delivered is not forgotten
  if (!refused.empty()) {
    rd_kafka_conf_destroy(conf);
    return failure(Errc::config_invalid,
                   "kafka.properties: librdkafka does not take `" + refused +
                       "` with this value in a producer; see its CONFIGURATION.md for names and ranges");
  }
  rd_kafka_conf_set_opaque(conf, producer.get());
  rd_kafka_conf_set_dr_msg_cb(conf, &Producer::on_message);
  rd_kafka_conf_set_error_cb(conf, &Producer::on_error);
  rd_kafka_conf_set_log_cb(conf, nullptr);
  producer->handle_ = rd_kafka_new(RD_KAFKA_PRODUCER, conf, reason.data(), reason.size());
  if (producer->handle_ != nullptr) return producer;
  rd_kafka_conf_destroy(conf);
  return failure(Errc::config_invalid, std::string("kafka.properties do not fit together: ") + reason.data());
}

Producer::~Producer() {
  if (handle_ == nullptr) return;
  rd_kafka_purge(handle_, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING);
  rd_kafka_destroy(handle_);
}

void Producer::on_error(rd_kafka_t*, int code, const char* reason, void* self) {
  auto& producer = *static_cast<Producer*>(self);
  // That all brokers are down is said after why.
  if (code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN && !producer.complaint_.empty()) return;
  producer.complaint_ = reason;
}

void Producer::on_message(rd_kafka_t*, const rd_kafka_message_t* message, void* self) {
  static_cast<Producer*>(self)->on_delivery_(*message);
}

}  // namespace recmeter::kafka
