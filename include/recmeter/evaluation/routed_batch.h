// RoutedBatch: events of one decoded batch on their way to one shard: neither invalid, ignored, future nor late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "recmeter/event/event_batch.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

struct RoutedBatch {
  std::shared_ptr<const EventBatch> batch;
  std::uint32_t partition = 0;
  std::uint64_t first_place = 0;      // of the batch's first event in its partition
  std::vector<std::uint32_t> events;  // indices into the batch
};

// Which of `shards` the slot belongs to: slots are dealt to shards in ranges.
[[nodiscard]] constexpr std::size_t shard_of_slot(std::uint8_t slot, std::size_t shards) {
  return slot * shards / slot_count;
}
// And a key with this hash.
[[nodiscard]] constexpr std::size_t shard_of(std::uint64_t key_hash, std::size_t shards) {
  return shard_of_slot(slot_of(key_hash), shards);
}

}  // namespace recmeter
