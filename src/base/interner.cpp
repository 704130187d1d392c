#include "recmeter/base/interner.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace recmeter {

namespace {

constexpr std::size_t slots_min = 1024;

template <class Word>
bool same_word(const char* a, const char* b) {
  Word left;
  Word right;
  std::memcpy(&left, a, sizeof(Word));
  std::memcpy(&right, b, sizeof(Word));
  return left == right;
}

// std::memcmp, without the call: most texts are a word or two.
bool same_bytes(const char* a, const char* b, std::size_t size) {
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8) {
      if (!same_word<std::uint64_t>(a + i, b + i)) return false;
    }
    return same_word<std::uint64_t>(a + size - 8, b + size - 8);
  }
  if (size >= 4) return same_word<std::uint32_t>(a, b) && same_word<std::uint32_t>(a + size - 4, b + size - 4);
  return std::equal(a, a + size, b);
}

}  // namespace

Interner::Entry::Entry(std::string_view text, EventTime now)
    : last_use(now), live(true), size_(static_cast<std::uint32_t>(text.size())) {
  if (text.size() > near_.size()) far_ = std::make_unique<char[]>(text.size());
  std::copy(text.begin(), text.end(), far_ ? far_.get() : near_.data());
}

bool Interner::Entry::is(std::string_view text) const {
  return size_ == text.size() && same_bytes(far_ ? far_.get() : near_.data(), text.data(), text.size());
}

Interner::Interner() : slots_(slots_min) {}

Interner::Id Interner::intern(const HashedText& text, EventTime now) {
  std::size_t at = text.hash & mask();
  for (; slots_[at].id != none; at = (at + 1) & mask()) {
    if (slots_[at].hash != text.hash) continue;
    Entry& entry = entries_[slots_[at].id];
    if (!entry.is(text.text)) continue;
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
  entries_[id] = Entry(text.text, now);
  made_.push_back(id);
  slots_[at] = {text.hash, id};
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
  entries_[id] = Entry();
  free_.push_back(id);
  --live_;
}

void Interner::forget(Id id) {
  std::size_t at = hash_text(entries_[id].text()) & mask();
  while (slots_[at].id != id) at = (at + 1) & mask();
  // Closes the gap, as in TimelineTable::erase: no tombstones.
  for (std::size_t next = (at + 1) & mask(); slots_[next].id != none; next = (next + 1) & mask()) {
    const std::size_t home = slots_[next].hash & mask();
    if (((next - home) & mask()) >= ((next - at) & mask())) {
      slots_[at] = slots_[next];
      at = next;
    }
  }
  slots_[at] = {};
  drop(id);
}

// Leaves out what is no longer live.
void Interner::rebuild(std::size_t slots) {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
  for (const Slot& slot : old) {
    if (slot.id == none || !entries_[slot.id].live) continue;
    std::size_t at = slot.hash & mask();
    while (slots_[at].id != none) at = (at + 1) & mask();
    slots_[at] = slot;
  }
}

}  // namespace recmeter
