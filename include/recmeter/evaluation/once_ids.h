// OnceIds: finds feedback of an action that counts once an event id, where that id came before. [S3.33].
//
// Memory: the ids of the last one to two spans of JoinRule::once_memory(). Thread safety: none.
#pragma once

#include <string>
#include <unordered_map>

#include "recmeter/event/event_batch.h"
#include "recmeter/join/join_rule.h"

namespace recmeter {

class OnceIds {
 public:
  // `rule` outlives it.
  explicit OnceIds(const JoinRule& rule) : rule_(rule), is_asked_(rule.counts_once()) {}

  // Says whether other feedback like it came before; notes it. To be told all feedback in the order of [S2.26], duplicates
  // too. Feedback out of order, as provisional rows take it, repeats what lies less than the span behind it as well.
  [[nodiscard]] bool repeats(const EventBatch& batch, const Event& event) {
    return is_asked_ && rule_.actions[event.action].once && !batch.event_id(event).empty() && note(batch, event);
  }

 private:
  bool note(const EventBatch& batch, const Event& event);
  void turn_over(EventTime now);

  using Times = std::unordered_map<std::string, EventTime>;

  const JoinRule& rule_;
  bool is_asked_;
  // When each was there last: of the span that began at since_, and of the one before.
  EventTime since_ = minus_infinity;
  Times newer_;
  Times older_;
};

}  // namespace recmeter
