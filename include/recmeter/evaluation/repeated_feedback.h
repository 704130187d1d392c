// RepeatedFeedback: finds feedback equal in every field but `value` to one before it. Equal fields mean equal times, so only
// events of the same timeline and time have to be compared, and they come in one run. Thread safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recmeter/evaluation/reorder_buffer.h"
#include "recmeter/event/duplicate_reason.h"

namespace recmeter {

class RepeatedFeedback {
 public:
  // Why it is a duplicate, where it is one. `rest`: the event, as ReorderBuffer hands it over, and those that follow.
  [[nodiscard]] std::optional<DuplicateReason> duplicate(const EventBatch& batch, const Event& event,
                                                         std::span<const ReorderBuffer::Pending> rest) {
    return is_again(batch, event, rest) ? std::optional(DuplicateReason::again) : std::nullopt;
  }

 private:
  bool is_again(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest);

  std::vector<std::string> identities_;  // of the feedback of one timeline and time seen so far
  EventTime ts_ = minus_infinity;
  std::uint64_t hash_ = 0;
};

}  // namespace recmeter
