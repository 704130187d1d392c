// LaneFeed: the events of one lane on their way to its join: which list stands where is known a little after its time, so
// what comes in is held back for as long (`join.assemble`) and goes on in the order of the lists' times. [S13].
//
// Thread safety: none; owned by one shard.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"
#include "recmeter/evaluation/place_log.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/result/report.h"

namespace recmeter {

class LaneFeed {
 public:
  // An event on its way. `place`: the impression that a candidate's list stands for; of others the event itself.
  struct Entry {
    std::shared_ptr<const EventBatch> batch;
    std::uint32_t event = 0;
    std::shared_ptr<const EventBatch> place_batch = nullptr;
    std::uint32_t place = 0;
    std::uint32_t partition = 0;

    [[nodiscard]] const Event& what() const { return batch->events()[event]; }
  };

  enum class Kind : std::uint8_t { shown, candidates, policies };

  // `recommender`: the number of the one whose candidates or policies these are; of what was shown it plays no part.
  LaneFeed(Kind kind, std::uint8_t recommender, Duration assemble, PlaceLog places)
      : kind_(kind), recommender_(recommender), assemble_(assemble), places_(std::move(places)) {}

  // Requires: events come in the order of the join, each once but for candidates.
  void add(Entry entry, Interner& items);
  // Every event before some time has been added: visit(entry) for those of lists and of feedback before `w`, in the order of
  // the times of lists and feedback. decided(entry, is_accepted) for each candidate or policy that the lane counts.
  template <class Visit, class Decided>
  void release_before(EventTime w, Interner& items, Visit&& visit, Decided&& decided) {
    place_moment();
    settle_policies(w, items);
    for (const auto& [entry, is_accepted] : decided_) decided(entry, is_accepted);
    decided_.clear();
    for (std::optional<Entry> next = take_before(w); next; next = take_before(w)) visit(*next);
  }

  [[nodiscard]] PlaceLog& places() { return places_; }
  // Policies are counted here only where they are of no list.
  [[nodiscard]] const CandidateCounts& counts() const { return counts_; }

 private:
  void place_moment();
  void place(Entry entry, ListPlace* at);
  void note_policy(Entry entry, ListPlace* at);
  void settle_policies(EventTime w, Interner& items);
  void settle_policy(const Entry& entry, ListPlace& place, Interner& items);
  [[nodiscard]] std::optional<Entry> take_before(EventTime w);

  Kind kind_;
  std::uint8_t recommender_;
  Duration assemble_;
  PlaceLog places_;
  std::deque<Entry> feedback_;
  std::map<EventTime, std::deque<Entry>> lists_;  // by the time they are shown at, or would be
  // Candidates and policies of the time that events are at now: a list of that time may come after them.
  std::vector<Entry> moment_;
  std::set<std::tuple<std::uint8_t, bool, std::string>> seen_;  // lane and user of those that name no list
  // Policies, and candidates that may be some, of lists that are not assembled yet, by the times of these.
  std::map<std::pair<EventTime, ListPlace*>, std::vector<Entry>> policies_;
  std::vector<std::pair<Entry, bool>> decided_;
  CandidateCounts counts_;
};

}  // namespace recmeter
