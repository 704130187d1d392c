#include "recmeter/memory/shared_store.h"

namespace recmeter::memory {

Result<void> SharedStore::write(const StateBatch& batch, Durability durability) {
  const std::scoped_lock lock(mutex_);
  return store_.write(batch, durability);
}

Result<std::optional<std::string>> SharedStore::get(std::string_view key) const {
  const std::scoped_lock lock(mutex_);
  return store_.get(key);
}

Result<void> SharedStore::scan(std::string_view from, std::string_view to, const Visit& visit) const {
  const std::scoped_lock lock(mutex_);
  return store_.scan(from, to, visit);
}

}  // namespace recmeter::memory
