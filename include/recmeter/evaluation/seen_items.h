// SeenItems: what a lane says of its lists beside those that were shown: which of their items the user saw around then, and
// where the list that was shown in their place has them. [S13].
//
// Thread safety: none; owned by one shard.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/distinct_ranks.h"
#include "recmeter/evaluation/place_log.h"
#include "recmeter/join/joiner.h"
#include "recmeter/join/scored_list.h"

namespace recmeter {

class SeenItems {
 public:
  // `places`: of a lane whose lists were not shown; null: of what was. Outlives this.
  explicit SeenItems(PlaceLog* places) : places_(places) {}

  // Finds it out for a list at a horizon; what follows is of that list until the next call.
  void look(const ListView& list, const JoinKey& key, Duration horizon);
  // Adds it to the list.
  void add_to(ScoredList& score) const;
  // Without the items that the user did not see, the others in their order: a condensed list (Sakai, SIGIR 2007). What
  // add_to() adds stays that of the whole list.
  [[nodiscard]] ListView condensed(const ListView& list);
  [[nodiscard]] ScoredList condensed(const ScoredList& score);

 private:
  [[nodiscard]] std::uint32_t rank_after(std::uint32_t rank) const { return new_ranks_[rank - 1]; }
  void move(std::span<const Hit>& hits, std::vector<Hit>& to) const;
  void move_delays(ActionPart& part, std::vector<std::int64_t>& to) const;

  PlaceLog* places_;
  std::vector<std::uint8_t> seen_;           // by rank
  std::vector<std::uint32_t> logged_ranks_;  // by rank; 0: it is not there
  bool has_place_ = false;
  DistinctRanks distinct_;
  std::vector<std::uint32_t> new_ranks_;  // by rank, in the condensed list; 0: it is not in it
  // What the condensed list shows.
  std::vector<Interner::Id> items_;
  std::vector<std::uint8_t> teams_;
  std::vector<Hit> hits_;
  std::vector<Rating> ratings_;
  std::vector<Retest> retests_;
  std::vector<std::uint32_t> judged_;
  std::vector<ActionPart> by_action_;
  std::vector<std::vector<Hit>> action_hits_;
  std::vector<std::vector<Hit>> action_worth_;
  std::vector<std::vector<std::int64_t>> action_delays_ms_;
};

}  // namespace recmeter
