#include "recmeter/evaluation/key_sample.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace recmeter {

void KeySample::add(Key key) {
  if (!lacks(key.hash)) return;
  keys_.emplace(key.hash, std::move(key));
  while (keys_.size() > keys_max) raise(mask_ << 1 | 1);
}

void KeySample::add(const KeySample& other) {
  raise(other.mask_);
  for (const auto& [hash, key] : other.keys_) add(key);
}

void KeySample::raise(std::uint64_t mask) {
  mask_ |= mask;
  std::erase_if(keys_, [this](const auto& known) { return (known.first & mask_) != 0; });
}

std::vector<KeySample::Key> KeySample::keys() const {
  std::vector<Key> keys;
  keys.reserve(keys_.size());
  for (const auto& [hash, key] : keys_) keys.push_back(key);
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.hash < b.hash; });
  return keys;
}

std::optional<SplitKey> find_split(std::span<const KeySample* const> samples) {
  std::unordered_map<std::uint64_t, std::uint32_t> part_of;  // the smallest
  std::optional<SplitKey> found;
  for (const KeySample* sample : samples) {
    for (const auto& [hash, key] : sample->by_hash()) {
      const auto [at, is_new] = part_of.try_emplace(hash, key.part);
      if (is_new || at->second == key.part) continue;
      const std::uint32_t first = std::min(at->second, key.part);
      const std::uint32_t second = std::max(at->second, key.part);
      at->second = first;
      const auto is_before = [&](const SplitKey& known) {
        return std::tuple(hash, first, second) < std::tuple(known.key.hash, known.key.part, known.other_part);
      };
      if (!found || is_before(*found)) found = {{.hash = hash, .part = first, .id = key.id}, second};
    }
  }
  return found;
}

}  // namespace recmeter
