#include "recmeter/evaluation/key_sample.h"

#include <algorithm>

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

std::optional<std::pair<KeySample::Key, KeySample::Key>> KeySample::in_two_parts(const KeySample& other) const {
  std::optional<std::pair<Key, Key>> found;
  for (const auto& [hash, key] : keys_) {
    const auto there = other.keys_.find(hash);
    const bool is_in_two = there != other.keys_.end() && there->second.part != key.part;
    if (is_in_two && (!found || hash < found->first.hash)) found = {key, there->second};
  }
  return found;
}

std::vector<KeySample::Key> KeySample::keys() const {
  std::vector<Key> keys;
  keys.reserve(keys_.size());
  for (const auto& [hash, key] : keys_) keys.push_back(key);
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.hash < b.hash; });
  return keys;
}

}  // namespace recmeter
