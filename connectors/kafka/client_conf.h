// ClientConf: librdkafka's properties of one client: the user's, then what recmeter's results depend on.
//
// Thread safety: none. What it says never holds the value of a secret property.
#pragma once

#include <librdkafka/rdkafka.h>

#include <string>

#include "recmeter/kafka/open_topics.h"

namespace recmeter::kafka {

class ClientConf {
 public:
  explicit ClientConf(const ClientOptions& client);
  ~ClientConf();
  ClientConf(const ClientConf&) = delete;
  ClientConf& operator=(const ClientConf&) = delete;

  // What one of ours is set to is no matter of the user's.
  void set(const char* name, const std::string& value);
  [[nodiscard]] bool has(const char* name) const { return client_.properties.contains(name); }
  // For callbacks and the opaque pointer.
  [[nodiscard]] rd_kafka_conf_t* get() const { return conf_; }

  // Whether librdkafka took all of them. Errors: config_invalid.
  [[nodiscard]] Result<void> taken() const;
  // The client, which owns the properties from then on. Errors: config_invalid.
  [[nodiscard]] Result<rd_kafka_t*> open(rd_kafka_type_t type);

 private:
  const ClientOptions& client_;
  rd_kafka_conf_t* conf_;
  std::string refused_;  // the property that librdkafka does not take
};

// `text` of librdkafka without the values of properties that hold secrets.
[[nodiscard]] std::string without_secrets(std::string text, const ClientOptions& client);

}  // namespace recmeter::kafka
