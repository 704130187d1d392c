#include "kafka/client_conf.h"

#include <array>
#include <string_view>
#include <utility>

namespace recmeter::kafka {

ClientConf::ClientConf(const ClientOptions& client) : client_(client), conf_(rd_kafka_conf_new()) {
  for (const auto& [name, value] : client.properties) set(name.c_str(), value);
  set("bootstrap.servers", client.brokers);
  if (!has("client.id")) set("client.id", "recmeter");
  rd_kafka_conf_set_log_cb(conf_, nullptr);  // what matters comes by the error callback
}

ClientConf::~ClientConf() {
  if (conf_ != nullptr) rd_kafka_conf_destroy(conf_);
}

void ClientConf::set(const char* name, const std::string& value) {
  std::array<char, 512> reason{};
  const auto code = rd_kafka_conf_set(conf_, name, value.c_str(), reason.data(), reason.size());
  if (code != RD_KAFKA_CONF_OK && refused_.empty()) refused_ = name;
}

Result<void> ClientConf::taken() const {
  if (refused_.empty()) return {};
  // librdkafka's reason would quote the value.
  return failure(Errc::config_invalid, "kafka.properties: librdkafka does not take `" + refused_ +
                                           "` with this value; see its CONFIGURATION.md for names and ranges");
}

Result<void> check_properties(const ClientOptions& client) {
  return ClientConf(client).taken();
}

Result<rd_kafka_t*> ClientConf::open(rd_kafka_type_t type) {
  if (auto all = taken(); !all) return tl::unexpected(std::move(all).error());
  std::array<char, 512> reason{};
  rd_kafka_t* const handle = rd_kafka_new(type, conf_, reason.data(), reason.size());
  if (handle == nullptr) {
    return failure(Errc::config_invalid, "kafka.properties do not fit together: " + without_secrets(reason.data(), client_));
  }
  conf_ = nullptr;
  return handle;
}

std::string without_secrets(std::string text, const ClientOptions& client) {
  constexpr std::array<std::string_view, 4> secret{"password", "secret", ".pem", "oauthbearer.config"};
  for (const auto& [name, value] : client.properties) {
    bool is_secret = false;
    for (const std::string_view part : secret) is_secret = is_secret || name.find(part) != std::string::npos;
    if (!is_secret || value.empty()) continue;
    for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + 1)) {
      text.replace(at, value.size(), "***");
    }
  }
  return text;
}

}  // namespace recmeter::kafka
