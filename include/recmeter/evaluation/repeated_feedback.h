// RepeatedFeedback: finds feedback that is a duplicate of other feedback before it: equal in every field but `value`
// ([S3.24]), or with the event id of an action that counts once ([S3.33]). Equal fields mean equal times, so for the first
// only events of the same timeline and time have to be compared, and they come in one run. Thread safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recmeter/evaluation/once_ids.h"
#include "recmeter/evaluation/reorder_buffer.h"
#include "recmeter/event/duplicate_reason.h"

namespace recmeter {

class RepeatedFeedback {
 public:
  // `rule` outlives it.
  explicit RepeatedFeedback(const JoinRule& rule) : once_(rule) {}

  // Why it is a duplicate, where it is one. `rest`: the event, as ReorderBuffer hands it over, and those that follow.
  [[nodiscard]] std::optional<DuplicateReason> duplicate(const EventBatch& batch, const Event& event,
                                                         std::span<const ReorderBuffer::Pending> rest) {
    const bool is_once = once_.repeats(batch, event);
    if (is_again(batch, event, rest)) return DuplicateReason::again;
    return is_once ? std::optional(DuplicateReason::once) : std::nullopt;
  }

 private:
  bool is_again(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest);

  OnceIds once_;
  std::vector<std::string> identities_;  // of the feedback of one timeline and time seen so far
  EventTime ts_ = minus_infinity;
  std::uint64_t hash_ = 0;
};

}  // namespace recmeter
