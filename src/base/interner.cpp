#include "recmeter/base/interner.h"

#include <xxhash.h>

#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {
constexpr std::size_t slots_min = 1024;
}

Interner::Interner() : slots_(slots_min) {}

Interner::Id Interner::intern(std::string_view text, EventTime now) {
  return intern_hashed(text, XXH3_64bits(text.data(), text.size()), now);
}

void Interner::intern_all(std::span<const std::string_view> texts, EventTime now, std::span<Id> ids) {
  RECMETER_CHECK(texts.size() == ids.size(), "as many ids as texts");
  hashes_.resize(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    hashes_[i] = XXH3_64bits(texts[i].data(), texts[i].size());
    __builtin_prefetch(&slots_[hashes_[i] & (slots_.size() - 1)]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (const Slot& slot = slots_[hashes_[i] & (slots_.size() - 1)]; slot.id != none) __builtin_prefetch(&entries_[slot.id]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) ids[i] = intern_hashed(texts[i], hashes_[i], now);
}

Interner::Id Interner::intern_hashed(std::string_view text, std::uint64_t hash, EventTime now) {
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at].id != none; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash != tag) continue;
    Entry& entry = entries_[slots_[at].id];
    if (entry.text != text) continue;
    if (entry.last_use < now) entry.last_use = now;
    return slots_[at].id;
  }
  Id id;
  if (free_.empty()) {
    id = static_cast<Id>(entries_.size());
    entries_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  entries_[id] = {std::string(text), now, true};
  made_.push_back(id);
  slots_[at] = {tag, id};
  ++live_;
  if (live_ * 2 > slots_.size()) rebuild(slots_.size() * 2);
  return id;
}

std::vector<Interner::Id> Interner::take_new() {
  return std::exchange(made_, {});
}

std::vector<Interner::Id> Interner::forget_before(EventTime time) {
  std::vector<Id> forgotten;
  for (Id id = 0; id < entries_.size(); ++id) {
    Entry& entry = entries_[id];
    if (!entry.live || entry.last_use >= time) continue;
    drop(id);
    forgotten.push_back(id);
  }
  if (!forgotten.empty()) {
    std::size_t slots = slots_min;
    while (slots < live_ * 4) slots *= 2;
    rebuild(slots);
  }
  return forgotten;
}

void Interner::drop(Id id) {
  entries_[id] = {};
  free_.push_back(id);
  --live_;
}

void Interner::forget(Id id) {
  const auto mask = slots_.size() - 1;
  const auto home_of = [&](Id of) { return XXH3_64bits(entries_[of].text.data(), entries_[of].text.size()) & mask; };
  std::size_t at = home_of(id);
  while (slots_[at].id != id) at = (at + 1) & mask;
  // Closes the gap, as in TimelineTable::erase: no tombstones.
  for (std::size_t next = (at + 1) & mask; slots_[next].id != none; next = (next + 1) & mask) {
    if (((next - home_of(slots_[next].id)) & mask) >= ((next - at) & mask)) {
      slots_[at] = slots_[next];
      at = next;
    }
  }
  slots_[at] = {};
  drop(id);
}

void Interner::rebuild(std::size_t slots) {
  slots_.assign(slots, Slot{});
  for (Id id = 0; id < entries_.size(); ++id) {
    const Entry& entry = entries_[id];
    if (!entry.live) continue;
    const std::uint64_t hash = XXH3_64bits(entry.text.data(), entry.text.size());
    std::size_t at = hash & (slots - 1);
    while (slots_[at].id != none) at = (at + 1) & (slots - 1);
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32), id};
  }
}

}  // namespace recmeter
