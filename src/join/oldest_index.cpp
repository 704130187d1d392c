#include "recmeter/join/oldest_index.h"

namespace recmeter {

OldestIndex::OldestIndex() : slots_(64), postings_(1) {}

// Fibonacci hashing: keys are small dense numbers or hashes.
std::size_t OldestIndex::home(std::uint64_t key) const {
  return key * 0x9e3779b97f4a7c15U >> 20 & (slots_.size() - 1);
}

std::size_t OldestIndex::find(std::uint64_t key) const {
  std::size_t at = home(key);
  while (slots_[at].oldest != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  return at;
}

void OldestIndex::add(std::uint64_t key, std::uint64_t sequence) {
  std::size_t at = find(key);
  if (slots_[at].oldest == 0) {
    if ((used_ + 1) * 2 > slots_.size()) {
      grow();
      at = find(key);
    }
    const Place only = make({.sequence = sequence});
    slots_[at] = {.key = key, .oldest = only, .newest = only};
    ++used_;
    return;
  }
  Place older = slots_[at].newest;
  while (older != 0 && postings_[older].sequence > sequence) older = postings_[older].older;
  if (older != 0 && postings_[older].sequence == sequence) return;
  const Place newer = older == 0 ? slots_[at].oldest : postings_[older].newer;
  const Place place = make({.sequence = sequence, .older = older, .newer = newer});
  (older == 0 ? slots_[at].oldest : postings_[older].newer) = place;
  (newer == 0 ? slots_[at].newest : postings_[newer].older) = place;
}

void OldestIndex::forget(std::uint64_t key, std::uint64_t sequence) {
  const std::size_t at = find(key);
  const Place first = slots_[at].oldest;
  if (first == 0 || postings_[first].sequence != sequence) return;
  const Place next = postings_[first].newer;
  free_.push_back(first);
  if (next == 0) {
    erase(at);
  } else {
    postings_[next].older = 0;
    slots_[at].oldest = next;
  }
}

OldestIndex::Place OldestIndex::oldest(std::uint64_t key) const {
  return slots_[find(key)].oldest;
}

// Closes the gap, so that no look-up stops early.
void OldestIndex::erase(std::size_t slot) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t next = (slot + 1) & mask; slots_[next].oldest != 0; next = (next + 1) & mask) {
    if (((next - home(slots_[next].key)) & mask) < ((next - slot) & mask)) continue;
    slots_[slot] = slots_[next];
    slot = next;
  }
  slots_[slot] = {};
  --used_;
}

void OldestIndex::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.oldest != 0) slots_[find(slot.key)] = slot;
  }
}

OldestIndex::Place OldestIndex::make(const Posting& posting) {
  if (free_.empty()) {
    postings_.push_back(posting);
    return static_cast<Place>(postings_.size() - 1);
  }
  const Place place = free_.back();
  free_.pop_back();
  postings_[place] = posting;
  return place;
}

}  // namespace recmeter
