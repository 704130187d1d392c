// UserHistories: which distinct items each user acted on, the latest last. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/recommend/learning_log.h"

namespace recmeter {

struct KnownItem {
  std::uint32_t item = 0;
  EventTime ts;  // of the latest event on it
};

class UserHistories {
 public:
  // Of each user the latest `items_max` are kept.
  explicit UserHistories(std::size_t items_max) : items_max_(items_max) {}

  // What nobody did is in no history. Requires: events come in the order of the log.
  void add(const LearnedEvent& event);
  // The latest last; of equal times, by canonical bytes. Valid until the next add().
  [[nodiscard]] std::span<const KnownItem> of(std::uint32_t user) const {
    return user < users_.size() ? std::span<const KnownItem>(users_[user]) : std::span<const KnownItem>();
  }

 private:
  std::size_t items_max_;
  std::vector<std::vector<KnownItem>> users_;
};

}  // namespace recmeter
