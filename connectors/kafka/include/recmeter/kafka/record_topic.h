// record_topic: records into a topic, by an idempotent producer, in lz4 batches. For generated logs.
//
// Thread safety: one thread. Records of one partition arrive in the order of produce(), each once.
// Errors: output_failed (a broker's refusal, no answer for a minute); interrupted (`stop`).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/kafka/open_topics.h"

namespace recmeter::kafka {

struct OutgoingRecord {
  std::int32_t partition = 0;
  std::string_view key;  // empty: none
  std::string_view value;
  EventTime time;  // the broker's timestamp of it
};

class RecordTopic {
 public:
  virtual ~RecordTopic() = default;
  [[nodiscard]] virtual std::int32_t partitions() const = 0;
  // Where Java's clients put this key.
  [[nodiscard]] virtual std::int32_t partition_of(std::string_view key) const = 0;
  // Takes it; it may still be on its way. Waits while too many are.
  [[nodiscard]] virtual Result<void> produce(const OutgoingRecord& record) = 0;
  // Waits until all are acknowledged.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

// A topic that is not there is made, with so many partitions (0: it is there), and keeps its records: their times may be long
// past. `stop` outlives the topic.
[[nodiscard]] Result<std::unique_ptr<RecordTopic>> record_topic(const ClientOptions& client, const std::string& topic,
                                                                std::int32_t partitions_if_new,
                                                                const std::atomic<bool>* stop);

}  // namespace recmeter::kafka
