#include "live/journal_writer.h"

#include <algorithm>

namespace recmeter {

JournalWriter::JournalWriter(std::size_t shards, const std::vector<UnitNumber>& units) : waiting_(shards) {
  for (std::size_t s = 0; s < shards; ++s) parts_.emplace_back(static_cast<std::uint32_t>(s), units);
}

void JournalWriter::add(const std::vector<std::vector<RoutedBatch>>& routed) {
  for (std::size_t s = 0; s < routed.size(); ++s) waiting_[s].insert(waiting_[s].end(), routed[s].begin(), routed[s].end());
}

void JournalWriter::begin(std::vector<std::function<void()>>& tasks) {
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    if (waiting_[s].empty()) continue;
    tasks.emplace_back([this, s] {
      for (const RoutedBatch& routed : waiting_[s]) parts_[s].add(routed);
      waiting_[s].clear();
    });
  }
}

std::size_t JournalWriter::bytes() const {
  std::size_t bytes = 0;
  for (const Journal& part : parts_) bytes += part.noted_bytes();
  return bytes;
}

void JournalWriter::save(StateBatch& batch, std::uint64_t checkpoint) {
  std::size_t at = batch.changes().size();
  for (Journal& part : parts_) part.save(batch, checkpoint);
  for (const std::size_t end = batch.changes().size(); at < end; ++at) {
    digest_.add(batch.changes()[at].key, batch.changes()[at].value);
  }
  digest_.save(batch, checkpoint);
}

bool JournalWriter::drop_before(EventTime keep_from, EventTime first_event, StateBatch& batch) {
  if (keep_from < std::max(from_, first_event) + one_minute) return false;
  from_ = keep_from;
  Journal::drop(batch, from_);
  digest_.drop(batch, from_);
  return true;
}

}  // namespace recmeter
