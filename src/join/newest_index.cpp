#include "recmeter/join/newest_index.h"

namespace recmeter {

namespace {
constexpr std::size_t index_slots_min = 64;
}

NewestIndex::NewestIndex() : slots_(index_slots_min) {}

// Fibonacci hashing: keys are small dense numbers or hashes.
std::size_t NewestIndex::home(std::uint64_t key) const {
  return key * 0x9e3779b97f4a7c15U >> 20 & (slots_.size() - 1);
}

std::size_t NewestIndex::find(std::uint64_t key) const {
  std::size_t at = home(key);
  while (slots_[at].newest != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  return at;
}

void NewestIndex::add(std::uint64_t key, std::uint64_t sequence) {
  std::size_t at = find(key);
  if (slots_[at].newest == 0) {
    if ((used_ + 1) * 2 > slots_.size()) {
      rebuild();
      at = find(key);
    }
    slots_[at].key = key;
    ++used_;
  }
  Place newer = 0;
  Place older = known(slots_[at].newest);
  while (older != 0 && this->sequence(older) > sequence) {
    newer = older;
    older = this->older(older);
  }
  if (older != 0 && this->sequence(older) == sequence) return;
  const Place place = postings_.push_back({.sequence = sequence, .older = older}) + 1;
  (newer == 0 ? slots_[at].newest : postings_.at(newer - 1).older) = place;
}

void NewestIndex::forget_before(std::uint64_t sequence) {
  begin_ = sequence;
  while (!postings_.empty() && postings_.at(postings_.begin()).sequence < begin_) postings_.pop_front();
}

// Leaves out keys all of whose postings are forgotten.
void NewestIndex::rebuild() {
  std::vector<Slot> old;
  old.swap(slots_);
  used_ = 0;
  for (const Slot& slot : old) used_ += known(slot.newest) == 0 ? 0U : 1U;
  std::size_t slots = index_slots_min;
  while (slots < (used_ + 1) * 4) slots *= 2;
  slots_.resize(slots);
  for (const Slot& slot : old) {
    if (known(slot.newest) != 0) slots_[find(slot.key)] = slot;
  }
}

}  // namespace recmeter
