// OutcomeCounts: what became of accepted feedback; SEMANTICS §4 and §9.
#pragma once

#include <cstdint>
#include <string_view>

namespace recmeter {

enum class FeedbackOutcome : std::uint8_t { credited, repeated, organic, not_in_list, unmatched };
[[nodiscard]] constexpr std::string_view to_string(FeedbackOutcome outcome) noexcept {
  switch (outcome) {
    case FeedbackOutcome::credited: return "credited";
    case FeedbackOutcome::repeated: return "repeated";
    case FeedbackOutcome::organic: return "organic";
    case FeedbackOutcome::not_in_list: return "not_in_list";
    case FeedbackOutcome::unmatched: return "unmatched";
  }
  return "";
}

// Invariant: their sum is the number of accepted feedback events.
struct OutcomeCounts {
  std::uint64_t credited = 0;
  std::uint64_t repeated = 0;
  std::uint64_t organic = 0;
  std::uint64_t not_in_list = 0;
  std::uint64_t unmatched = 0;
  std::uint64_t pending = 0;

  OutcomeCounts& operator+=(const OutcomeCounts& other) {
    credited += other.credited;
    repeated += other.repeated;
    organic += other.organic;
    not_in_list += other.not_in_list;
    unmatched += other.unmatched;
    pending += other.pending;
    return *this;
  }
  OutcomeCounts& operator-=(const OutcomeCounts& other) {
    credited -= other.credited;
    repeated -= other.repeated;
    organic -= other.organic;
    not_in_list -= other.not_in_list;
    unmatched -= other.unmatched;
    pending -= other.pending;
    return *this;
  }
  friend bool operator==(const OutcomeCounts&, const OutcomeCounts&) = default;
};

}  // namespace recmeter
