// MemoryStore: a StateStore that lives as long as its object; the reference for engines that are durable, and for tests.
#pragma once

#include <map>
#include <string>

#include "recmeter/port/state_store.h"

namespace recmeter::memory {

class MemoryStore final : public StateStore {
 public:
  [[nodiscard]] Result<void> write(const StateBatch& batch, Durability durability) override;
  [[nodiscard]] Result<std::optional<std::string>> get(std::string_view key) const override;
  [[nodiscard]] Result<void> scan(std::string_view from, std::string_view to, const Visit& visit) const override;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace recmeter::memory
