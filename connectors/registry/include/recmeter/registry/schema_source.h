// schema_source: hands a partition's records on when the registry has answered for the schemas that they name.
//
// One that goes on hands out nothing meanwhile, and is not caught up. A bounded one waits, a minute at most. Invariants:
// those of the source below. Errors besides: input_unreadable, where the registry does not answer; interrupted (`stop`).
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "recmeter/port/record_source.h"
#include "recmeter/registry/schema_registry.h"

namespace recmeter::registry {

enum class Waiting : bool { in_read, between_reads };

struct SchemaWait {
  Waiting waiting = Waiting::in_read;
  const std::atomic<bool>* stop = nullptr;  // outlives the source
  std::chrono::milliseconds patience{60'000};
};

[[nodiscard]] std::unique_ptr<RecordSource> schema_source(std::unique_ptr<RecordSource> below,
                                                          std::shared_ptr<SchemaRegistry> registry, const SchemaWait& wait);

}  // namespace recmeter::registry
