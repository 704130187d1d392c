#include "kafka/producer.h"

#include "kafka/client_conf.h"

namespace recmeter::kafka {

Result<std::unique_ptr<Producer>> Producer::make(const ClientOptions& client, OnDelivery on_delivery) {
  std::unique_ptr<Producer> producer(new Producer(client, std::move(on_delivery)));
  ClientConf conf(client);
  if (!conf.has("message.max.bytes")) conf.set("message.max.bytes", "100000000");  // how much is for its broker to say
  conf.set("enable.idempotence", "true");
  conf.set("linger.ms", "5");
  conf.set("compression.codec", "lz4");
  conf.set("message.timeout.ms", "0");  // as long as it takes: what is not delivered is not forgotten
  rd_kafka_conf_set_opaque(conf.get(), producer.get());
  rd_kafka_conf_set_dr_msg_cb(conf.get(), &Producer::on_message);
  rd_kafka_conf_set_error_cb(conf.get(), &Producer::on_error);
  auto opened = conf.open(RD_KAFKA_PRODUCER);
  if (!opened) return tl::unexpected(std::move(opened).error());
  producer->handle_ = *opened;
  return producer;
}

Producer::~Producer() {
  if (handle_ == nullptr) return;
  rd_kafka_purge(handle_, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING);
  rd_kafka_destroy(handle_);
}

void Producer::on_error(rd_kafka_t*, int code, const char* reason, void* self) {
  auto& producer = *static_cast<Producer*>(self);
  ++producer.errors_;
  // That all brokers are down is said after why.
  if (code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN && !producer.complaint_.empty()) return;
  producer.complaint_ = without_secrets(reason, producer.client_);
}

void Producer::on_message(rd_kafka_t*, const rd_kafka_message_t* message, void* self) {
  static_cast<Producer*>(self)->on_delivery_(*message);
}

}  // namespace recmeter::kafka
