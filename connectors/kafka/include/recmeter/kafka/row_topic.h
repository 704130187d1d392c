// row_topic: final rows to a topic, by an idempotent producer: key = the row's identity, so that a compacted topic keeps each
// row once, however often it is published.
//
// Errors: output_failed (a broker refuses the row or the topic, credentials); a broker that does not answer is waited for.
// Contexts never hold values of properties.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/kafka/open_topics.h"
#include "recmeter/port/row_publisher.h"

namespace recmeter::kafka {

[[nodiscard]] Result<std::unique_ptr<RowPublisher>> row_topic(const ClientOptions& client, const std::string& topic);

// Whether the topic holds a final row whose key begins so; none where the topic is not there. Reads up to the first one, or
// all of it, and calls `alive` meanwhile. Errors: those of open_topics().
[[nodiscard]] Result<bool> holds_final_rows(const ClientOptions& client, const std::string& topic, std::string_view key_start,
                                            const std::atomic<bool>& stop, const std::function<void()>& alive);

}  // namespace recmeter::kafka
