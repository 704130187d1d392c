// KeySample: whose events some partitions of a log hold, so that a user whose events are in partitions of several parts is
// found. [S11.9].
//
// Of all join keys those whose hash ends with so many zero bits that at most keys_max are left: a sample that depends on the
// keys alone, whatever the order and grouping. Memory is bounded by that number. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace recmeter {

class KeySample {
 public:
  static constexpr std::size_t keys_max = 4096;

  struct Key {
    std::uint64_t hash = 0;
    std::uint32_t part = 0;  // that has its events
    std::string id;          // of the user, or of the list of nobody
  };

  // Whether the key belongs to the sample and is not there yet.
  [[nodiscard]] bool lacks(std::uint64_t hash) const { return (hash & mask_) == 0 && !keys_.contains(hash); }
  void add(Key key);
  // Requires: no key is in two parts.
  void add(const KeySample& other);
  // The key of the smallest hash that here is in one part and there in another.
  [[nodiscard]] std::optional<std::pair<Key, Key>> in_two_parts(const KeySample& other) const;

  // By hash.
  [[nodiscard]] std::vector<Key> keys() const;
  // All keys are in the sample whose hash has none of these bits.
  [[nodiscard]] std::uint64_t mask() const { return mask_; }
  void raise(std::uint64_t mask);

 private:
  std::uint64_t mask_ = 0;
  std::unordered_map<std::uint64_t, Key> keys_;
};

}  // namespace recmeter
