// RoutedBatch: events of one decoded batch on their way to one shard: neither invalid, ignored, future nor late.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "recmeter/event/event_batch.h"

namespace recmeter {

struct RoutedBatch {
  std::shared_ptr<const EventBatch> batch;
  std::uint32_t partition = 0;
  std::uint64_t first_place = 0;      // of the batch's first event in its partition
  std::vector<std::uint32_t> events;  // indices into the batch
};

}  // namespace recmeter
