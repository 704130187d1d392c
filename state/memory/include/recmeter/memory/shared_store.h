// SharedStore: a MemoryStore that one thread writes while others read.
//
// Thread safety: every member by any thread; visit() of a scan may not write to it. A scan sees the batches written before it
// began; scans and writes wait for each other.
#pragma once

#include <mutex>

#include "recmeter/memory/memory_store.h"

namespace recmeter::memory {

class SharedStore final : public StateStore {
 public:
  [[nodiscard]] Result<void> write(const StateBatch& batch, Durability durability) override;
  [[nodiscard]] Result<std::optional<std::string>> get(std::string_view key) const override;
  [[nodiscard]] Result<void> scan(std::string_view from, std::string_view to, const Visit& visit) const override;

 private:
  mutable std::mutex mutex_;  // not a shared one: readers without a pause would keep the writer out
  MemoryStore store_;
};

}  // namespace recmeter::memory
