// Sample: lists and actions of users, and of list ids, chosen by the hash of their ids, in a bounded memory.
//
// Everything is kept until it takes more than was allowed, or there are more than users_max users; then half of the users and
// half of the list ids are dropped, and so on. An event is kept where its user or its list id is chosen, so that users are
// whole, and so are lists with the actions that name them. Ids are chosen by their form (doctor/id_form.h), so that ids
// written in two ways are kept or dropped together. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace recmeter::doctor {

// XXH3-64 of an id, and of its form; 0: absent.
struct SeenId {
  std::uint64_t raw = 0;
  std::uint64_t form = 0;
};

// An impression, whole or one row. Times in milliseconds.
struct SeenList {
  SeenId id, user;
  std::uint64_t content = 0;  // of everything but the time and the ids of list and user
  std::int64_t ts = 0;
  std::uint32_t first_item = 0;
  std::uint32_t item_count = 0;
  std::uint32_t position = 0;  // of a row
  std::uint32_t file = 0;
  std::int32_t arm = -1;
  bool by_row = false;
  bool nobody = false;
  bool stands_for_many = false;  // its user is one of join.not_users
  bool duplicate = false;        // its fate
  bool id_ordered = false;       // its items stand in the order of their ids
};

struct SeenAction {
  SeenId list, user;
  std::uint64_t event_id = 0;  // XXH3-64; 0: absent
  std::int64_t ts = 0;
  std::uint32_t item = 0;
  std::uint32_t file = 0;
  std::uint8_t action = 0;
  bool has_value = false;
  bool nobody = false;
  bool duplicate = false;
  bool again = false;  // a duplicate for the reason that it equals another
};

// Where feedback says that its item stood.
struct FeedbackPosition {
  std::uint64_t list = 0;  // raw
  std::uint64_t item = 0;
  std::uint32_t position = 0;
};

// An item of a record that the configuration ignores, though it has a user and an item.
struct IgnoredItem {
  SeenAction action;  // without an item and an action
  std::uint64_t item = 0;
  std::uint32_t type = 0;  // index into the types that were met
  bool is_first = false;   // of its record
};

class Sample {
 public:
  static constexpr std::uint32_t no_item = 0;  // a rank that no row reported
  static constexpr std::size_t users_max = 2'000'000;

  explicit Sample(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Whether an event of these ids would be kept.
  [[nodiscard]] bool takes(const SeenId& user, const SeenId& list) const {
    return mask_ == 0 || has(user.form) || has(list.form);
  }
  [[nodiscard]] bool has(std::uint64_t form) const { return mask_ == 0 || (form != 0 && (form & mask_) == 0); }

  void add(SeenList list, std::span<const SeenId> items);
  void add(SeenAction action, SeenId item);

  // One in so many users, and one in so many list ids, is kept.
  [[nodiscard]] std::uint64_t one_in() const { return mask_ + 1; }
  [[nodiscard]] const std::vector<SeenList>& lists() const { return lists_; }
  [[nodiscard]] const std::vector<SeenAction>& actions() const { return actions_; }
  // Numbers of items, as lists and actions have them.
  [[nodiscard]] std::span<const std::uint32_t> items(const SeenList& list) const {
    return std::span(list_items_).subspan(list.first_item, list.item_count);
  }
  [[nodiscard]] std::uint64_t form_of(std::uint32_t item) const { return items_[item].form; }
  // no_item: it is in no list and no action.
  [[nodiscard]] std::uint32_t find_item(std::uint64_t raw) const {
    const auto at = item_numbers_.find(raw);
    return at == item_numbers_.end() ? no_item : at->second;
  }
  [[nodiscard]] std::size_t item_count() const { return items_.size(); }

 private:
  [[nodiscard]] std::uint32_t number_of(SeenId item);
  [[nodiscard]] std::size_t bytes() const;
  void halve_while_full();

  std::size_t bytes_max_;
  std::uint64_t mask_ = 0;
  std::vector<SeenList> lists_;
  std::vector<SeenAction> actions_;
  std::vector<std::uint32_t> list_items_;
  std::vector<SeenId> items_{1};  // by number; the first is no_item
  std::unordered_map<std::uint64_t, std::uint32_t> item_numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> users_;  // their events
};

}  // namespace recmeter::doctor
