// JoinedLog: the sample's lists and actions brought together, as far apart as they may be: what the join would do if no
// horizon, no user and no form of an id kept them apart. Immutable after construction; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "doctor/sample.h"
#include "recmeter/base/event_time.h"
#include "recmeter/join/join_rule.h"

namespace recmeter::doctor {

// A list as it was shown, of all its pieces.
struct ShownList {
  const SeenList* first = nullptr;
  std::vector<std::uint32_t> items;  // by rank; Sample::no_item where nothing came in time
  bool has_clash = false;            // two rows of one position with different items
  bool was_continued = false;        // by a whole list
  // From the first of the lists under its id each of which begins with the one before it and goes on; 0: it does not.
  Duration grown_for{};
  [[nodiscard]] bool has_hole() const;
};

struct JoinedAction {
  const SeenAction* action = nullptr;
  bool is_known = false;        // it names a list that is there
  bool is_of_user = true;       // and that is its user's
  bool id_form_known = false;   // it names none that is there, but one in another form
  bool in_list = false;         // the item is in `list`
  bool form_in_list = false;    // in another form
  bool came_late = false;       // it is not, since its row came when the list was assembled
  std::int64_t list = -1;       // index into lists: the one it names, or the user's that holds the item
  std::int64_t elsewhere = -1;  // the item is not in `list` but in this one of the user
  std::uint32_t rank = 0;       // from 1; 0: none
  Duration delay;               // from `list`
  [[nodiscard]] bool is_named() const { return action->list.raw != 0; }
};

class JoinedLog {
 public:
  // `sample` outlives the log.
  JoinedLog(const Sample& sample, const JoinRule& rule);

  [[nodiscard]] const Sample& sample() const { return sample_; }
  [[nodiscard]] const std::vector<ShownList>& lists() const { return lists_; }  // by time; no duplicates but copies of rows
  [[nodiscard]] const std::vector<JoinedAction>& actions() const { return actions_; }  // by time; no duplicates
  [[nodiscard]] bool is_list_user(std::uint64_t raw) const;
  [[nodiscard]] bool is_list_user_form(std::uint64_t form) const;
  // How long after their list opened those rows came that it was assembled before.
  [[nodiscard]] const std::vector<Duration>& late_rows() const { return late_rows_; }
  // Indexes of the lists of a user, by time.
  [[nodiscard]] std::span<const std::uint32_t> lists_of(std::uint64_t user) const;
  // The user's first list after the action that holds its item, as far as one is looked for; -1: none, or nobody acted.
  [[nodiscard]] std::int64_t next_list_with(const SeenAction& action) const;
  // Tells whether a list shows an item until then, less than `reach` before: the one that is named, or one of the user. The
  // action's own item is not looked at.
  [[nodiscard]] bool was_shown(const SeenAction& action, std::uint64_t item, Duration reach) const;
  // visit(list, rank of the item there or 0, position) for those whose list is there.
  template <class Visit>
  void for_each_position(std::span<const FeedbackPosition> positions, const Visit& visit) const {
    for (const FeedbackPosition& position : positions) {
      const auto lists = lists_with_id(position.list);
      if (lists.empty()) continue;
      const ShownList& list = lists_[lists.front()];
      const auto at = std::find(list.items.begin(), list.items.end(), sample_.find_item(position.item));
      visit(list, at == list.items.end() ? 0 : static_cast<std::uint32_t>(at - list.items.begin()) + 1, position.position);
    }
  }

 private:
  [[nodiscard]] std::span<const std::uint32_t> lists_with_id(std::uint64_t id) const;
  void add_lists();
  void add_pieces(std::span<const SeenList* const> pieces);
  void join(const SeenAction& action);
  void join_named(JoinedAction& joined) const;
  void join_by_user(JoinedAction& joined) const;
  [[nodiscard]] std::int64_t list_with(std::uint64_t user, std::uint32_t item, std::int64_t ts) const;

  const Sample& sample_;
  const JoinRule& rule_;
  std::vector<ShownList> lists_;
  std::vector<Duration> late_rows_;
  std::vector<std::pair<const SeenList*, std::uint32_t>> late_items_;  // the first of the list, and the item; sorted
  std::vector<std::uint32_t> by_id_;                                   // by (id, time)
  std::vector<std::uint32_t> by_user_;                                 // by (user, time)
  std::vector<std::uint64_t> id_forms_, users_, user_forms_;           // sorted
  std::vector<JoinedAction> actions_;
};

}  // namespace recmeter::doctor
