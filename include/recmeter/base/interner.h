// Interner: strings as small numbers, for as long as they are in use.
//
// Thread safety: none; owned by one shard. Invariants:
//   (1) equal strings have equal ids and different strings different ids, always: bytes are compared, a hash never decides;
//   (2) an id stays valid until forget_before() with a time later than its last use; then it may come to mean another string.
// Ids depend on arrival order and must not reach any output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"

namespace recmeter {

class Interner {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = 0xffffffff;

  Interner();

  // The id of `text`, a new one if need be; `now` becomes its last use if later.
  Id intern(std::string_view text, EventTime now);
  // Several at once, which hides the memory latency of the look-ups. Requires: ids.size() == texts.size().
  void intern_all(std::span<const std::string_view> texts, EventTime now, std::span<Id> ids);
  // The ids made since the last call, in order.
  [[nodiscard]] std::vector<Id> take_new();
  // Requires: id is valid.
  [[nodiscard]] std::string_view text(Id id) const { return entries_[id].text; }
  // Upper bound of all ids.
  [[nodiscard]] std::size_t capacity() const { return entries_.size(); }
  [[nodiscard]] std::size_t size() const { return live_; }

  // Requires: id is valid.
  void forget(Id id);
  // Forgets every string last used before `time` and returns their ids.
  std::vector<Id> forget_before(EventTime time);

 private:
  // A cache line, into which short texts fit: looking one up is one miss that was prefetched.
  struct alignas(64) Entry {
    std::string text;
    EventTime last_use;
    bool live = false;
  };
  struct Slot {
    std::uint32_t hash = 0;
    Id id = none;
  };

  Id intern_hashed(std::string_view text, std::uint64_t hash, EventTime now);
  void rebuild(std::size_t slots);
  void drop(Id id);

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // open addressing, linear probing, at most half full
  std::vector<Id> free_;
  std::vector<Id> made_;
  std::vector<std::uint64_t> hashes_;  // scratch of intern_all
  std::size_t live_ = 0;
};

}  // namespace recmeter
