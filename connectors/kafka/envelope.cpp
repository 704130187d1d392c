#include "kafka/envelope.h"

namespace recmeter::kafka {

RecordEnvelope envelope_of(const rd_kafka_message_t& message, std::size_t kept) {
  RecordEnvelope envelope{.offset = message.offset, .key = {}, .headers = {}, .rest = {}};
  if (message.key != nullptr) envelope.key.emplace(static_cast<const char*>(message.key), message.key_len);
  if (message.len > kept) envelope.rest.assign(static_cast<const char*>(message.payload) + kept, message.len - kept);
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return envelope;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  for (std::size_t i = 0; rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR; ++i) {
    auto& header = envelope.headers.emplace_back(name, std::nullopt);
    if (value != nullptr) header.second.emplace(static_cast<const char*>(value), size);
  }
  return envelope;
}

}  // namespace recmeter::kafka
