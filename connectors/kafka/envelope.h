// envelope_of: what a message has besides the first `kept` bytes of its value.
#pragma once

#include <librdkafka/rdkafka.h>

#include <cstddef>

#include "recmeter/event/record_batch.h"

namespace recmeter::kafka {

[[nodiscard]] RecordEnvelope envelope_of(const rd_kafka_message_t& message, std::size_t kept);

}  // namespace recmeter::kafka
