// Interner: strings as small numbers, for as long as they are in use.
//
// Thread safety: none; owned by one shard. Invariants:
//   (1) equal strings have equal ids and different strings different ids, always: bytes are compared, a hash never decides;
//   (2) an id stays valid until forget_before() with a time later than its last use; then it may come to mean another string.
// Ids depend on arrival order and must not reach any output.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/hashed_text.h"

namespace recmeter {

class Interner {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = 0xffffffff;

  Interner();

  // The id of `text`, a new one if need be; `now` becomes its last use if later.
  Id intern(const HashedText& text, EventTime now);
  Id intern(std::string_view text, EventTime now) { return intern({text, hash_text(text)}, now); }
  // Hide the latency of interning what follows soon: first the one, a little later the other.
  void prefetch_slot(std::uint32_t hash) const { fetch_ahead(&slots_[hash & mask()]); }
  void prefetch_text(std::uint32_t hash) const {
    std::size_t at = hash & mask();
    while (slots_[at].id != none && slots_[at].hash != hash) at = (at + 1) & mask();
    if (slots_[at].id != none) fetch_ahead(&entries_[slots_[at].id]);
  }
  // The ids made since the last call, in order.
  [[nodiscard]] std::vector<Id> take_new();
  // Requires: id is valid.
  [[nodiscard]] std::string_view text(Id id) const { return entries_[id].text(); }
  // Upper bound of all ids.
  [[nodiscard]] std::size_t capacity() const { return entries_.size(); }
  [[nodiscard]] std::size_t size() const { return live_; }

  // Requires: id is valid.
  void forget(Id id);
  // Forgets every string last used before `time` and returns their ids.
  std::vector<Id> forget_before(EventTime time);

 private:
  // A cache line, in which texts of usual length lie: looking one up is one miss, and that was prefetched.
  class alignas(64) Entry {
   public:
    Entry() = default;
    Entry(std::string_view text, EventTime now);
    [[nodiscard]] std::string_view text() const { return {far_ ? far_.get() : near_.data(), size_}; }
    [[nodiscard]] bool is(std::string_view text) const;

    EventTime last_use;
    bool live = false;

   private:
    std::array<char, 43> near_{};
    std::uint32_t size_ = 0;
    std::unique_ptr<char[]> far_;
  };
  static_assert(sizeof(Entry) == 64);
  struct Slot {
    std::uint32_t hash = 0;
    Id id = none;
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  void rebuild(std::size_t slots);
  void drop(Id id);

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // open addressing, linear probing, at most half full
  std::vector<Id> free_;
  std::vector<Id> made_;
  std::size_t live_ = 0;
};

}  // namespace recmeter
