#include "recmeter/evaluation/seen_items.h"

#include <algorithm>

namespace recmeter {

void SeenItems::look(const ListView& list, const JoinKey& key, Duration horizon) {
  const std::size_t length = list.items.size();
  has_place_ = places_ == nullptr;
  seen_.assign(length, places_ == nullptr ? 1 : 0);
  logged_ranks_.assign(length, 0);
  distinct_.count(list.items);
  for (std::size_t rank = 0; places_ == nullptr && rank < length; ++rank) {
    const auto first = std::find(list.items.begin(), list.items.end(), list.items[rank]);
    logged_ranks_[rank] = static_cast<std::uint32_t>(first - list.items.begin()) + 1;
  }
  if (places_ == nullptr) return;
  const bool is_nobody = key.is_nobody(list.user_id);
  const std::string_view user = is_nobody ? list.list_id : list.user_id;
  const ListPlace* const own = places_->place_of(is_nobody, user, list.ts, list.list_id);
  has_place_ = own != nullptr;
  const Duration around = horizon - Duration{1};
  places_->visit(is_nobody, user, list.ts - around, list.ts + horizon, [&](const ListPlace& place) {
    for (std::size_t rank = 0; rank < length; ++rank) {
      if (list.items[rank] == Interner::none) continue;
      const auto at = std::find(place.items.begin(), place.items.end(), list.items[rank]);
      if (at == place.items.end()) continue;
      seen_[rank] = 1;
      if (&place == own) logged_ranks_[rank] = static_cast<std::uint32_t>(at - place.items.begin()) + 1;
    }
  });
}

void SeenItems::add_to(ScoredList& score) const {
  score.beside_shown = {.distinct = distinct_.counts(), .seen = seen_};
  if (has_place_) score.beside_shown.logged_ranks = logged_ranks_;
}

ListView SeenItems::condensed(const ListView& list) {
  items_.clear();
  new_ranks_.assign(seen_.size(), 0);
  for (std::size_t rank = 0; rank < seen_.size(); ++rank) {
    if (seen_[rank] == 0) continue;
    items_.push_back(list.items[rank]);
    new_ranks_[rank] = static_cast<std::uint32_t>(items_.size());
  }
  ListView shorter = list;
  shorter.items = items_;
  return shorter;
}

void SeenItems::move(std::span<const Hit>& hits, std::vector<Hit>& to) const {
  to.clear();
  for (const Hit& hit : hits) {
    if (rank_after(hit.rank) != 0) to.push_back({.rank = rank_after(hit.rank), .grade = hit.grade});
  }
  hits = to;
}

// When the action was done, on the hits that are left. Requires: `part` has the hits of the whole list.
void SeenItems::move_delays(ActionPart& part, std::vector<std::int64_t>& to) const {
  to.clear();
  part.first_ms = part.reach_ms;
  for (std::size_t hit = 0; hit < part.delays_ms.size(); ++hit) {
    if (rank_after(part.hits[hit].rank) == 0) continue;
    to.push_back(part.delays_ms[hit]);
    part.first_ms = std::min(part.first_ms, part.delays_ms[hit]);
  }
  part.delays_ms = to;
}

// Users act on what they see in other lists, too: a hit may be on an item that only this list has.
ScoredList SeenItems::condensed(const ScoredList& score) {
  ScoredList shorter = score;
  shorter.length = static_cast<std::uint32_t>(items_.size());
  move(shorter.hits, hits_);
  teams_.clear();
  for (std::size_t rank = 0; rank < score.teams.size(); ++rank) {
    if (new_ranks_[rank] != 0) teams_.push_back(score.teams[rank]);
  }
  shorter.teams = teams_;
  ratings_.clear();
  for (Rating rating : score.ratings) {
    if (rank_after(rating.rank) == 0) continue;
    rating.rank = rank_after(rating.rank);
    ratings_.push_back(rating);
  }
  shorter.ratings = ratings_;
  retests_.clear();
  for (Retest retest : score.retests) {
    if (rank_after(retest.rank) == 0) continue;
    retest.rank = rank_after(retest.rank);
    retests_.push_back(retest);
  }
  shorter.retests = retests_;
  judged_.clear();
  for (const std::uint32_t rank : score.judged) {
    if (rank_after(rank) != 0) judged_.push_back(rank_after(rank));
  }
  shorter.judged = judged_;
  by_action_.assign(score.by_action.begin(), score.by_action.end());
  action_hits_.resize(by_action_.size());
  action_worth_.resize(by_action_.size());
  action_delays_ms_.resize(by_action_.size());
  for (std::size_t part = 0; part < by_action_.size(); ++part) {
    move_delays(by_action_[part], action_delays_ms_[part]);
    move(by_action_[part].hits, action_hits_[part]);
    move(by_action_[part].worth, action_worth_[part]);
  }
  shorter.by_action = by_action_;
  return shorter;
}

}  // namespace recmeter
