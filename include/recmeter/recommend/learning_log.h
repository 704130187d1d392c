// LearningLog: what recommenders learn from and are asked for, in event time: ids as numbers, in the order of a log.
//
// A value; any thread once it is made. Invariants: events and requests are sorted by time; events of one time by canonical
// bytes, requests of one time by user and list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"

namespace recmeter {

// Texts by number, in the order in which they came.
class Names {
 public:
  Names() = default;
  Names(Names&&) = default;  // a copy would point into the other one
  Names& operator=(Names&&) = default;

  std::uint32_t number(std::string_view text) {
    const auto [at, is_new] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(&at->first);
    return at->second;
  }
  // Absent: it never came.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text) const {
    const auto found = numbers_.find(std::string(text));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] const std::string& text(std::uint32_t number) const { return *texts_[number]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;
};

// The user of feedback that a placeholder stands for: it says something of items, and nothing of a user.
inline constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

struct LearnedEvent {
  EventTime ts;
  std::uint32_t user = 0;  // or nobody
  std::uint32_t item = 0;
  std::uint8_t action = 0;           // as a place in the configured ones
  std::optional<double> value = {};  // of a rating: the rating
};

// A list is wanted for this user at this time.
struct ListRequest {
  EventTime ts;
  std::uint32_t user = 0;
  std::vector<std::uint32_t> targets;                         // at: feedback: the distinct items that the user acts on then
  std::vector<std::uint32_t> shown;                           // at: impressions: the items of the logged list, by rank
  std::vector<std::uint32_t> ranks = {};                      // of these, from 1; empty: no rank lacks its item
  std::vector<std::pair<std::string, std::string>> segments;  // and its segments
  std::vector<std::pair<std::string, std::string>> context = {};  // what is named of it, by name; what it has not is missing
};

struct LearningLog {
  Names users;
  Names items;
  std::vector<std::uint32_t> catalog;  // Candidates::catalog: its items
  std::vector<LearnedEvent> events;
  std::vector<ListRequest> requests;
};

}  // namespace recmeter
