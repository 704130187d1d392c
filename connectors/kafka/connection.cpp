#include "kafka/connection.h"

#include <algorithm>
#include <utility>

#include "kafka/client_conf.h"

namespace recmeter::kafka {

namespace {

// librdkafka keeps as many messages of each partition as both of these allow; bytes are what counts here.
constexpr const char* messages_max = "1000000";

}  // namespace

Result<std::shared_ptr<Connection>> Connection::make(const ClientOptions& client, std::size_t partition_memory) {
  std::shared_ptr<Connection> connection(new Connection(client));
  const std::size_t kilobytes = std::clamp<std::size_t>(partition_memory >> 10, 64, 2'097'151);
  ClientConf conf(connection->client_);
  conf.set("enable.auto.commit", "false");
  conf.set("enable.partition.eof", "true");
  conf.set("auto.offset.reset", "error");
  conf.set("allow.auto.create.topics", "false");
  conf.set("fetch.wait.max.ms", "50");
  conf.set("queued.min.messages", messages_max);
  conf.set("queued.max.messages.kbytes", std::to_string(kilobytes));
  conf.set("fetch.message.max.bytes", std::to_string(std::min<std::size_t>(kilobytes << 10, 1 << 20)));
  rd_kafka_conf_set_opaque(conf.get(), connection.get());
  rd_kafka_conf_set_error_cb(conf.get(), &Connection::on_error);
  auto opened = conf.open(RD_KAFKA_CONSUMER);
  if (!opened) return tl::unexpected(std::move(opened).error());
  connection->handle_ = *opened;
  return connection;
}

Connection::~Connection() {
  if (handle_ != nullptr) rd_kafka_destroy(handle_);
}

void Connection::on_error(rd_kafka_t*, int code, const char* reason, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  const std::lock_guard lock(connection.mutex_);
  // That all brokers are down is said after why.
  if (code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN && !connection.complaint_.empty()) return;
  connection.complaint_ = without_secrets(reason, connection.client_);
}

std::string Connection::complaint() const {
  serve();
  const std::lock_guard lock(mutex_);
  return complaint_;
}

}  // namespace recmeter::kafka
