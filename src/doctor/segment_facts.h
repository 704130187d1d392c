// SegmentFacts: how often lists have each segment key and each of its values. Memory is bounded: keys and values beyond the
// bounds are counted together. Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "recmeter/event/event_batch.h"

namespace recmeter::doctor {

class SegmentFacts {
 public:
  static constexpr std::size_t keys_max = 64;
  static constexpr std::size_t values_max = 20'000;  // of a key

  struct Key {
    std::uint64_t lists = 0;  // that have it
    std::uint64_t other = 0;  // of them with a value beyond values_max
    std::map<std::string, std::uint64_t, std::less<>> values;
  };

  void add(const EventBatch& batch, const Event& list);

  [[nodiscard]] std::uint64_t lists() const { return lists_; }
  [[nodiscard]] const std::map<std::string, Key, std::less<>>& keys() const { return keys_; }

 private:
  std::uint64_t lists_ = 0;
  std::map<std::string, Key, std::less<>> keys_;
};

// Keys that name what a user was given: variant, arm, experiment, policy, bucket.
[[nodiscard]] bool is_arm_key(std::string_view key);

}  // namespace recmeter::doctor
