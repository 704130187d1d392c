// JoinRule: how feedback is credited to lists. [S4]; the configuration's `join` in checked form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

enum class Credit : std::uint8_t { last_touch, first_touch, every_touch };

// A whole list that comes shortly after another of its id and shows other items continues that list, or is one of its own.
// [S3.20].
enum class WholeLists : std::uint8_t { go_on, own };

struct Action {
  std::string name;
  double gain = 1;                   // in [0, 1e6]; 0: counted, never relevant
  std::optional<std::size_t> after;  // index of the action that must have been credited before
  bool undoes = false;               // it takes back what it comes after; of gain 0
  std::optional<Duration> horizon;   // its own, at most the longest of JoinRule::horizons
  bool once = false;                 // it counts once an event id; [S3.33]
  bool on_list = false;              // it is done to a whole list, and names no item; of gain 0; [S4.29]
  std::optional<double> from = {};   // of `rating`: the smallest value that is relevant; [S4.26]
  bool is_from_mean = false;         // in its place: values above the mean of the user's earlier ones are; [S4.27]

  // Whether its value makes it relevant or not.
  [[nodiscard]] bool goes_by_value() const { return from.has_value() || is_from_mean; }
};

// The action whose values are explicit feedback: [S5], "Ratings".
inline constexpr std::string_view rating_action = "rating";

struct JoinRule {
  JoinKey key;
  Credit credit = Credit::last_touch;
  std::vector<Duration> horizons;  // distinct, in configured order, at least one
  std::vector<Action> actions;     // in configured order; what comes `after` one is followed by what undoes it at most
  Duration skew{0};
  Duration same_list{30 * 60 * 1000};
  Duration assemble{10 * 1000};
  WholeLists whole_lists = WholeLists::go_on;

  // How long before it impressions decide whether one opens a list: [S3.35].
  [[nodiscard]] Duration pieces_reach() const;
  [[nodiscard]] Duration longest_horizon() const;
  // Of the action named `rating`.
  [[nodiscard]] std::optional<std::size_t> rating() const;
  // How many actions must have come before it: 0, 1, or 2 for what undoes an action with an `after`.
  [[nodiscard]] std::size_t depth(std::size_t action) const;
  // For how long an event id of an action that counts `once` is remembered.
  [[nodiscard]] Duration once_memory() const { return longest_horizon() + skew; }
  [[nodiscard]] bool counts_once() const;
  // min(horizon, the action's own horizon)
  [[nodiscard]] Duration reach(std::size_t action, Duration horizon) const;
};

// At most this many horizons: one bit each in a credit (join/timeline.h).
inline constexpr std::size_t horizons_max = 32;
inline constexpr std::size_t actions_max = 64;

}  // namespace recmeter
