// KeySample: whose events some partitions of a log hold, so that a user whose events are in partitions of several parts is
// found. [S11.9].
//
// Of all join keys those whose hash ends with so many zero bits that at most keys_max are left: a sample that depends on the
// keys alone, whatever the order and grouping. Memory is bounded by that number. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
  // By hash.
  [[nodiscard]] std::vector<Key> keys() const;
  [[nodiscard]] const std::unordered_map<std::uint64_t, Key>& by_hash() const { return keys_; }
  // All keys are in the sample whose hash has none of these bits.
  [[nodiscard]] std::uint64_t mask() const { return mask_; }
  void raise(std::uint64_t mask);

 private:
  std::uint64_t mask_ = 0;
  std::unordered_map<std::uint64_t, Key> keys_;
};

// A key of which two of these samples say that another part has its events; of several that of the smallest hash, in the
// smallest of its parts. The order of the samples does not matter.
struct SplitKey {
  KeySample::Key key;
  std::uint32_t other_part = 0;  // above key.part
};
[[nodiscard]] std::optional<SplitKey> find_split(std::span<const KeySample* const> samples);

}  // namespace recmeter
