// ListPieces: the impressions of one (user, list id), whole lists and rows, and the list that was opened last: which of them
// open a list, which join or continue it, and which are duplicates. [S3.19], [S3.20], [S3.22], [S3.31], [S3.35].
//
// The rule is stated here alone: the join, the places of lanes and the doctor's view of a log ask it. Items are numbers:
// equal ones mean equal items for as long as `same_list` after they were last given. Thread safety: none. Invariants:
//   (1) what is decided depends on impressions less than JoinRule::pieces_reach() before, and on nothing else;
//   (2) memory is bounded by the pieces of the last `same_list`, and by the items of one list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/wide_hash.h"
#include "recmeter/event/duplicate_reason.h"
#include "recmeter/join/join_rule.h"

namespace recmeter {

// The part of the configuration that decides about pieces.
struct PieceRule {
  Duration same_list;
  Duration assemble;
  std::size_t list_items_max;

  PieceRule(const JoinRule& rule, std::size_t list_items)
      : same_list(rule.same_list), assemble(rule.assemble), list_items_max(list_items) {}
};

// The step by which uses of an id are cut off, rounded up: [S3.35].
[[nodiscard]] inline Duration half_of(Duration same_list) {
  return {(same_list.ms + 1) / 2};
}
// ListEntry::twin of a list that opens at the very time of the one before it under its id.
[[nodiscard]] inline std::uint16_t twin_after(std::uint16_t twin) {
  return twin == 0xffff ? twin : static_cast<std::uint16_t>(twin + 1);
}

// When each piece was seen last, of those seen within `same_list`. Pieces are told apart by their prints, wide hashes.
class SeenPieces {
 public:
  // `position`: of a row; 0 of a whole list.
  [[nodiscard]] static WideHash print(std::span<const std::uint32_t> items, std::uint32_t position);

  // Notes that it is seen at `ts`. Whether it was less than `same_list` before.
  bool see(const WideHash& piece, EventTime ts, Duration same_list);
  void clear() { seen_.clear(), used_ = 0; }

 private:
  struct Seen {
    WideHash piece;
    EventTime last = minus_infinity;  // of a free slot
  };
  Seen& slot(const WideHash& piece);
  void make_room(EventTime ts, Duration same_list);

  std::vector<Seen> seen_;  // open addressing, linear probing, at most three quarters full; its size is a power of two
  std::size_t used_ = 0;
};

class ListPieces {
 public:
  using Item = std::uint32_t;
  static constexpr Item none = 0xffffffff;

  struct Piece {
    EventTime ts;
    std::span<const Item> items;  // by rank, `none` where there is none; of a row its item alone
    std::uint32_t position = 0;   // of a row; 0: a whole list
    bool opens_its_own = false;   // a whole list may not continue another; of a row nothing
  };
  struct Place {
    Item item = none;
    std::uint32_t delay_ms = 0;  // from the opening until it came
  };
  enum class Step : std::uint8_t { opens, extends, repeats };
  struct Decision {
    Step step = Step::opens;
    DuplicateReason reason = DuplicateReason::again;  // of what repeats
  };

  // For an id that is not in use.
  ListPieces() = default;
  // An id that came into use with this whole list, which was seen last at `last`, and with nothing else.
  static ListPieces of_whole(const PieceRule& rule, EventTime opened, EventTime last, std::span<const Item> items);
  // An id that came into use with a list of rows, each of which came once: items by rank, and how long after `opened`.
  static ListPieces of_rows(const PieceRule& rule, EventTime opened, std::span<const Item> items,
                            std::span<const std::uint32_t> delays_ms);

  // Pieces come in the order of [S2.26]. Of one that extends the list, `ranks` gets for each of its items the rank to which
  // the item came, or 0.
  Decision take(const PieceRule& rule, const Piece& piece, std::vector<std::uint32_t>& ranks);

  // The list opened last, by rank up to the highest that is taken.
  [[nodiscard]] std::span<const Place> places() const { return places_; }
  // The list before it, once take() has opened another.
  [[nodiscard]] std::span<const Place> places_before() const { return places_before_; }
  [[nodiscard]] EventTime opened() const { return opened_; }
  // When a piece came last, duplicates included.
  [[nodiscard]] EventTime last() const { return last_; }
  // Says whether of_rows(), or of_whole(), of the places would be the same.
  [[nodiscard]] bool is_plain() const { return is_plain_; }

 private:
  void open(const Piece& piece);
  [[nodiscard]] bool looks_at_list(const PieceRule& rule, EventTime ts) const;
  [[nodiscard]] bool is_shown_by_whole(const Piece& row) const;
  [[nodiscard]] bool is_held_by_another(const Piece& row) const;
  std::optional<DuplicateReason> join(const Piece& row);
  std::optional<DuplicateReason> go_on(const PieceRule& rule, const Piece& whole, std::vector<std::uint32_t>& ranks);

  EventTime opened_ = minus_infinity;
  EventTime began_ = minus_infinity;  // since when the id is in use without a break of same_list
  EventTime last_ = minus_infinity;
  std::vector<Place> places_;
  std::vector<Place> places_before_;
  SeenPieces seen_;
  bool is_of_rows_ = false;  // a row opened the list
  bool is_plain_ = true;
};

// Says whether a whole list of this user, "" where it has none, may not continue one that `opened_by` opened. [S3.20].
[[nodiscard]] bool opens_its_own(const JoinRule& rule, std::string_view opened_by, std::string_view user_id);
// The same, where it is known already whether the user is one of JoinKey::not_users, and whether another opened the list.
[[nodiscard]] inline bool stands_apart(const JoinRule& rule, bool is_of_many, bool is_of_another) {
  return rule.whole_lists == WholeLists::own || is_of_many || (rule.key.by == JoinKey::By::list && is_of_another);
}

}  // namespace recmeter
