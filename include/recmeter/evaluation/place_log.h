// PlaceLog: the lists that were shown, as the lanes of other recommenders know them: in whose place a list of theirs can
// stand, and what the user was shown around it. [S13].
//
// Thread safety: none; owned by one shard. Invariants:
//   (1) an impression opens a place exactly where it opens a list in the join of what was shown, by the same rule;
//   (2) a place has its items and propensities by rank as that list has them once it is assembled, where they are wanted.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/join/list_pieces.h"

namespace recmeter {

// As EventBatch::Policy.
struct PlacePolicy {
  std::vector<double> propensities;
  std::vector<double> predicted;
  std::vector<double> expected;
};

struct ListPlace {
  EventTime ts;
  std::string list_id;
  std::uint16_t twin = 0;            // ListEntry::twin
  std::vector<Interner::Id> items;   // by rank; Interner::none where nothing came
  std::vector<double> propensities;  // by rank; not a number where there is none; or empty
  // Which lanes, a bit each, have a list in its stead; and which have one of the user at its time that names no list.
  std::uint64_t stood_in = 0;
  std::uint64_t at_moment = 0;
  // How likely the lane's recommender would have shown the items; and what it would have shown, if it said so.
  std::optional<PlacePolicy> policy;
  std::optional<std::vector<Interner::Id>> candidate;
  // The impression that opened it, for as long as a list can be put in its stead.
  std::shared_ptr<const EventBatch> batch;
  std::uint32_t event = 0;
};

class PlaceLog {
 public:
  struct Wants {
    bool items = false;
    bool propensities = false;
  };

  // `rule` outlives the log. Places are kept for `memory`.
  PlaceLog(const JoinRule& rule, std::size_t list_items_max, Wants wants, Duration memory)
      : rule_(rule), piece_rule_(rule, list_items_max), wants_(wants), memory_(memory) {}

  // Requires: impressions come in the order of the join.
  void add(const std::shared_ptr<const EventBatch>& batch, std::uint32_t event, Interner& items);
  // The place of the event's user and list id that opened last, if a list can still be put in its stead at the event's time.
  [[nodiscard]] ListPlace* find(const EventBatch& batch, const Event& event);
  // visit(place) for those of the user with from <= ts < to. `user`: the list id of one who is nobody.
  template <class Visit>
  void visit(bool is_nobody, std::string_view user, EventTime from, EventTime to, Visit&& visit) {
    const auto of_user = by_user_.find({is_nobody, std::string(user)});
    if (of_user == by_user_.end()) return;
    for (auto at = of_user->second.rbegin(); at != of_user->second.rend() && (*at)->ts >= from; ++at) {
      if ((*at)->ts < to) visit(**at);
    }
  }
  // In whose stead a list of the user at this very time is: of the places of the id this one or, without `twin`, that which
  // opened last; without an id that which opened first; null: nothing was shown there.
  [[nodiscard]] ListPlace* place_of(bool is_nobody, std::string_view user, EventTime ts, std::string_view list_id,
                                    std::optional<std::uint16_t> twin = std::nullopt);
  // Of what `w` has passed: places that nothing asks for any more.
  void forget(EventTime w);
  [[nodiscard]] std::size_t size() const { return places_.size(); }

 private:
  using User = std::pair<bool, std::string>;  // whether it is nobody, and the user id or, then, the list id
  struct Known {
    ListPlace* place = nullptr;  // that opened last; null: it is forgotten
    ListPieces pieces = {};
  };
  struct Entry {
    ListPlace place;
    User user;
  };
  [[nodiscard]] static User user_of(const EventBatch& batch, const Event& event);
  [[nodiscard]] ListPieces::Decision decide(Known& known, const EventBatch& batch, const Event& event, Interner& items);
  void put(ListPlace& place, const EventBatch& batch, const Event& event);

  const JoinRule& rule_;
  PieceRule piece_rule_;
  Wants wants_;
  Duration memory_;
  std::deque<std::unique_ptr<Entry>> places_;  // in the order of their times
  std::size_t fillable_from_ = 0;              // those before it have no impression any more
  std::map<User, std::deque<ListPlace*>> by_user_;
  std::map<std::pair<User, std::string>, Known> by_id_;
  EventTime next_sweep_ = minus_infinity;
  std::vector<Interner::Id> piece_items_;
  std::vector<std::uint32_t> ranks_;  // of these: where they stand in the place, or 0
};

}  // namespace recmeter
