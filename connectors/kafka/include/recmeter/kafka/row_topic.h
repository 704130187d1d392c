// row_topic: final rows to a topic, by an idempotent producer: key = the row's identity, so that a compacted topic keeps each
// row once, however often it is published.
//
// Errors: output_failed (a broker refuses the row or the topic, credentials); a broker that does not answer is waited for.
// Contexts never hold values of properties.
#pragma once

#include <memory>
#include <string>

#include "recmeter/base/result.h"
#include "recmeter/kafka/open_topics.h"
#include "recmeter/port/row_publisher.h"

namespace recmeter::kafka {

[[nodiscard]] Result<std::unique_ptr<RowPublisher>> row_topic(const ClientOptions& client, const std::string& topic);

}  // namespace recmeter::kafka
