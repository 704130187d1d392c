// OutcomeCounts: what became of accepted feedback; [S4] and [S9].
#pragma once

#include <array>
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

// The first six are of all accepted feedback, each event in one; the others of some of it.
struct OutcomeCounts {
  std::uint64_t credited = 0;
  std::uint64_t repeated = 0;
  std::uint64_t organic = 0;
  std::uint64_t not_in_list = 0;
  std::uint64_t unmatched = 0;
  std::uint64_t pending = 0;
  std::uint64_t returned_late = 0;  // of an action that undoes: neither credited nor repeated, at the longest horizon
  std::uint64_t without_value = 0;  // credited or repeated without a value, where metrics ask for it

  // Accepted feedback.
  [[nodiscard]] std::uint64_t events() const { return credited + repeated + organic + not_in_list + unmatched + pending; }

  // visit(this count of the first, of the second, ...) for every count, in the order above.
  template <class Visit, class... Counts>
  static void for_each(Visit&& visit, Counts&... counts) {
    constexpr std::array every{&OutcomeCounts::credited,      &OutcomeCounts::repeated,     &OutcomeCounts::organic,
                               &OutcomeCounts::not_in_list,   &OutcomeCounts::unmatched,    &OutcomeCounts::pending,
                               &OutcomeCounts::returned_late, &OutcomeCounts::without_value};
    static_assert(sizeof(OutcomeCounts) == every.size() * sizeof(std::uint64_t), "every count is visited");
    for (const auto count : every) visit(counts.*count...);
  }

  OutcomeCounts& operator+=(const OutcomeCounts& other) {
    for_each([](std::uint64_t& count, std::uint64_t more) { count += more; }, *this, other);
    return *this;
  }
  OutcomeCounts& operator-=(const OutcomeCounts& other) {
    for_each([](std::uint64_t& count, std::uint64_t less) { count -= less; }, *this, other);
    return *this;
  }
  friend bool operator==(const OutcomeCounts&, const OutcomeCounts&) = default;
};

}  // namespace recmeter
