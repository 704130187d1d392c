#include "recmeter/memory/memory_store.h"

namespace recmeter::memory {

Result<void> MemoryStore::write(const StateBatch& batch, Durability /*durability*/) {
  using Kind = StateBatch::Change::Kind;
  for (const StateBatch::Change& change : batch.changes()) {
    switch (change.kind) {
      case Kind::put: values_[change.key] = change.value; break;
      case Kind::erase: values_.erase(change.key); break;
      case Kind::erase_range:
        if (change.key < change.value) values_.erase(values_.lower_bound(change.key), values_.lower_bound(change.value));
        break;
    }
  }
  return {};
}

Result<std::optional<std::string>> MemoryStore::get(std::string_view key) const {
  const auto at = values_.find(key);
  return at == values_.end() ? std::nullopt : std::optional(at->second);
}

Result<void> MemoryStore::scan(std::string_view from, std::string_view to, const Visit& visit) const {
  for (auto at = values_.lower_bound(from); at != values_.end() && at->first < to; ++at) {
    if (!visit(at->first, at->second)) break;
  }
  return {};
}

}  // namespace recmeter::memory
