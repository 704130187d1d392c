// letter_topic: dead letters to a topic, by an idempotent producer: key, value, headers and timestamp as they came, and the
// reason in the headers that Kafka Connect writes for its dead letters (__connect.errors.topic, .partition, .offset,
// .exception.message ...), after the record's own.
//
// What a broker does not take, or does not answer to, is kept and sent again, whatever the reason. Errors: config_invalid.
#pragma once

#include <memory>
#include <string>

#include "recmeter/base/result.h"
#include "recmeter/kafka/open_topics.h"
#include "recmeter/port/dead_letters.h"

namespace recmeter::kafka {

// `evaluator`: its name, in the place of a connector's.
[[nodiscard]] Result<std::unique_ptr<DeadLetters>> letter_topic(const ClientOptions& client, const std::string& topic,
                                                                const std::string& evaluator);

}  // namespace recmeter::kafka
