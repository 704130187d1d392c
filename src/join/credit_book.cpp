#include "recmeter/join/credit_book.h"

namespace recmeter {

HorizonMask CreditBook::credited(std::uint32_t head, Interner::Id item, std::uint8_t action) const {
  HorizonMask mask = 0;
  for (std::uint32_t at = head; at != 0; at = credits_[at - 1].next) {
    const Assignment& credit = credits_[at - 1];
    if (credit.item == item && credit.action == action && credit.repeats == 0) mask |= credit.mask;
  }
  return mask;
}

std::optional<KeptFeedback> CreditBook::kept(std::uint32_t index_plus_one) const {
  return index_plus_one <= kept_.size() ? kept_[index_plus_one - 1] : std::nullopt;
}

std::uint32_t CreditBook::counting(std::uint32_t head, Interner::Id item, std::uint8_t action) const {
  for (std::uint32_t at = head; at != 0; at = credits_[at - 1].next) {
    const Assignment& credit = credits_[at - 1];
    if (credit.item == item && credit.action == action && credit.repeats == 0 && !kept(at)) return at;
  }
  return 0;
}

HorizonMask CreditBook::assign(std::uint32_t& head, Interner::Id item, std::uint8_t action, HorizonMask mask,
                               const KeptFeedback* kept, bool kept_each) {
  const HorizonMask before = credited(head, item, action);
  const HorizonMask fresh = mask & ~before;
  const HorizonMask repeated = mask & before;
  const std::uint32_t shared = kept != nullptr || before == 0 ? 0 : counting(head, item, action);
  if (shared != 0) {
    credits_[shared - 1].mask |= fresh;
  } else if (fresh != 0) {
    head = make({.next = head, .item = item, .mask = fresh, .action = action}, kept);
  }
  if (repeated == 0) return fresh;
  for (std::uint32_t at = kept_each ? 0 : head; at != 0; at = credits_[at - 1].next) {
    Assignment& credit = credits_[at - 1];
    if (credit.item == item && credit.action == action && credit.repeats > 0 && credit.mask == repeated) {
      ++credit.repeats;
      return fresh;
    }
  }
  const Assignment repeat{.next = head, .item = item, .mask = repeated, .repeats = 1, .action = action};
  head = make(repeat, kept_each ? kept : nullptr);
  return fresh;
}

std::uint32_t CreditBook::make(const Assignment& credit, const KeptFeedback* kept) {
  std::uint32_t at = 0;
  if (free_.empty()) {
    credits_.push_back(credit);
    at = static_cast<std::uint32_t>(credits_.size());
  } else {
    at = free_.back();
    free_.pop_back();
    credits_[at - 1] = credit;
  }
  if (kept != nullptr && kept_.size() < credits_.size()) kept_.resize(credits_.size());
  if (at > kept_.size()) return at;
  kept_[at - 1].reset();
  if (kept != nullptr) kept_[at - 1] = *kept;
  return at;
}

void CreditBook::forget(std::uint32_t head) {
  for (std::uint32_t at = head; at != 0; at = credits_[at - 1].next) free_.push_back(at);
}

}  // namespace recmeter
