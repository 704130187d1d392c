// ListLog: the lists a shard still holds, in the order of their times.
//
// Thread safety: none; owned by one Joiner. Invariants:
//   (1) sequence numbers follow (ts, canonical bytes) of the opening impressions;
//   (2) a list that a row opened has its items once it is assembled, `items_at` is 0 until then: see ListPieces;
//   (3) scores and teams are kept for the lists that have some, when they are kept at all.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>

#include "recmeter/base/byte_log.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/interner.h"
#include "recmeter/base/ring.h"

namespace recmeter {

// A cache line.
struct alignas(64) ListEntry {
  EventTime ts;
  EventTime last_seen;         // of the latest impression of this (user, list id), duplicates included
  std::uint64_t older = 0;     // sequence + 1 of the timeline's list before it; 0: none, or forgotten by now
  std::uint64_t head_at = 0;   // labels, list id, user id
  std::uint64_t items_at = 0;  // items, each rank's delay where it has them, then scores, teams; valid when has_items
  std::uint32_t timeline = 0;
  std::uint32_t length = 0;   // n
  std::uint32_t credits = 0;  // first credit + 1; 0: none
  std::uint32_t id_tag = 0;   // low bits of the list id's hash: rejects most others without touching the id
  std::uint16_t list_id_bytes = 0;
  std::uint16_t user_id_bytes = 0;
  std::uint16_t twin = 0;  // how many lists of the id and time opened before it; of very many the most that fits
  std::uint8_t slot = 0;   // of the user of [S6.11], [S6.12]
  bool has_items : 1 = false;
  bool has_delays : 1 = false;  // it came in pieces
  bool has_scores : 1 = false;
  bool has_teams : 1 = false;
  bool has_pieces : 1 = false;   // what is known of its pieces is kept beside it
  bool is_growing : 1 = false;   // and says of its items what the log does not say yet
  bool is_followed : 1 = false;  // another list of the id opened while the id was in use
};
static_assert(sizeof(ListEntry) == 64);

class ListLog {
 public:
  // `memory` outlives the log.
  ListLog(std::size_t labels_per_list, std::size_t list_items_max, std::size_t id_bytes_max,
          std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  [[nodiscard]] const Ring<ListEntry>& entries() const { return entries_; }
  [[nodiscard]] ListEntry& at(std::uint64_t sequence) { return entries_.at(sequence); }
  [[nodiscard]] const ListEntry& at(std::uint64_t sequence) const { return entries_.at(sequence); }

  // Appends a list without items; the rest of its entry, and its labels, are the caller's to fill.
  std::uint64_t open(EventTime ts, std::string_view list_id, std::string_view user_id);
  // What is kept by rank besides the items; empty: it is not.
  struct RankFacts {
    std::span<const double> scores = {};       // NaN where there is none
    std::span<const std::uint8_t> teams = {};  // ScoredList::teams
  };
  // Room for the items, and the delays after them, of a list that has none yet or is growing.
  std::span<Interner::Id> make_items(std::uint64_t sequence, std::size_t length, bool has_delays, const RankFacts& facts);

  [[nodiscard]] std::span<std::uint32_t> labels(const ListEntry& entry);
  // Requires: has_items. `Interner::none` at ranks that no row reported.
  [[nodiscard]] std::span<const Interner::Id> items(const ListEntry& entry) const;
  // Requires: has_items and has_delays. Milliseconds from the opening until each rank's item came.
  [[nodiscard]] std::span<const std::uint32_t> delays(const ListEntry& entry) const;
  // What the item at this rank, from 1, was shown with. Requires: has_items.
  [[nodiscard]] std::optional<double> score(const ListEntry& entry, std::uint32_t rank) const;
  // By rank; empty where the list has none. Requires: has_items.
  [[nodiscard]] std::span<const std::uint8_t> teams(const ListEntry& entry) const;
  [[nodiscard]] std::string_view list_id(const ListEntry& entry) const;
  [[nodiscard]] std::string_view user_id(const ListEntry& entry) const;

  // Its ids, and most often its items, which lie behind them.
  void prefetch_ids(const ListEntry& entry) const {
    fetch_ahead(bytes_.at(entry.head_at));
    fetch_ahead(bytes_.at(entry.head_at) + 64);
  }

  // Requires: not empty.
  void forget_oldest();

 private:
  // Where what is kept by rank besides items and delays begins.
  [[nodiscard]] const std::byte* facts_of(const ListEntry& entry) const;

  Ring<ListEntry> entries_;
  ByteLog bytes_;
  std::size_t labels_per_list_;
};

}  // namespace recmeter
