#include "kafka/connection.h"

#include <algorithm>
#include <array>
#include <utility>

namespace recmeter::kafka {

namespace {

// librdkafka keeps as many messages of each partition as both of these allow; bytes are what counts here.
constexpr const char* messages_max = "1000000";

}  // namespace

Result<std::shared_ptr<Connection>> Connection::make(const ClientOptions& client, std::size_t partition_memory) {
  std::shared_ptr<Connection> connection(new Connection(client.brokers));
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::array<char, 512> reason{};
  const auto set = [&](const std::string& name, const std::string& value) {
    return rd_kafka_conf_set(conf, name.c_str(), value.c_str(), reason.data(), reason.size()) == RD_KAFKA_CONF_OK;
  };
  const std::size_t kilobytes = std::clamp<std::size_t>(partition_memory >> 10, 64, 2'097'151);
  std::string refused;
  for (const auto& [name, value] : client.properties) {
    if (!set(name, value)) refused = name;
  }
  // What results depend on comes last. Logging goes to the error callback's complaint instead of stderr.
  const bool ours =
      set("bootstrap.servers", client.brokers) && set("enable.auto.commit", "false") && set("enable.partition.eof", "true") &&
      set("auto.offset.reset", "error") && set("allow.auto.create.topics", "false") && set("fetch.wait.max.ms", "50") &&
      set("queued.min.messages", messages_max) && set("queued.max.messages.kbytes", std::to_string(kilobytes)) &&
      set("fetch.message.max.bytes", std::to_string(std::min<std::size_t>(kilobytes << 10, 1 << 20)));
  if (!refused.empty() || !ours) {
    rd_kafka_conf_destroy(conf);
    // librdkafka's reason would quote the value.
    return failure(Errc::config_invalid, "kafka.properties: librdkafka does not take `" + refused +
                                             "` with this value; see its CONFIGURATION.md for names and ranges");
  }
  rd_kafka_conf_set_opaque(conf, connection.get());
  rd_kafka_conf_set_error_cb(conf, &Connection::on_error);
  rd_kafka_conf_set_log_cb(conf, nullptr);
  connection->handle_ = rd_kafka_new(RD_KAFKA_CONSUMER, conf, reason.data(), reason.size());
  if (connection->handle_ == nullptr) {
    rd_kafka_conf_destroy(conf);
    return failure(Errc::config_invalid, std::string("kafka.properties do not fit together: ") + reason.data());
  }
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
  connection.complaint_ = reason;
}

std::string Connection::complaint() const {
  serve();
  const std::lock_guard lock(mutex_);
  return complaint_;
}

}  // namespace recmeter::kafka
