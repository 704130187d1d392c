#include "recmeter/join/credit_book.h"

#include <cmath>
#include <limits>

namespace recmeter {

HorizonMask CreditBook::credited(std::uint32_t head, Interner::Id item, std::uint8_t action) const {
  HorizonMask mask = 0;
  for (std::uint32_t at = head; at != 0; at = credits_[at - 1].next) {
    const Assignment& credit = credits_[at - 1];
    if (credit.item == item && credit.action == action && credit.repeats == 0) mask |= credit.mask;
  }
  return mask;
}

std::optional<double> CreditBook::value(std::uint32_t index_plus_one) const {
  if (index_plus_one > values_.size() || std::isnan(values_[index_plus_one - 1])) return std::nullopt;
  return values_[index_plus_one - 1];
}

std::uint32_t CreditBook::counting(std::uint32_t head, Interner::Id item, std::uint8_t action) const {
  for (std::uint32_t at = head; at != 0; at = credits_[at - 1].next) {
    const Assignment& credit = credits_[at - 1];
    if (credit.item == item && credit.action == action && credit.repeats == 0 && !value(at)) return at;
  }
  return 0;
}

HorizonMask CreditBook::assign(std::uint32_t& head, Interner::Id item, std::uint8_t action, HorizonMask mask,
                               std::optional<double> value) {
  const HorizonMask before = credited(head, item, action);
  const HorizonMask fresh = mask & ~before;
  const HorizonMask repeated = mask & before;
  const std::uint32_t shared = value || before == 0 ? 0 : counting(head, item, action);
  if (shared != 0) {
    credits_[shared - 1].mask |= fresh;
  } else if (fresh != 0) {
    head = make({.next = head, .item = item, .mask = fresh, .action = action});
    if (value) {
      values_.resize(credits_.size(), std::numeric_limits<double>::quiet_NaN());
      values_[head - 1] = *value;
    }
  }
  if (repeated == 0) return fresh;
  for (std::uint32_t at = head; at != 0; at = credits_[at - 1].next) {
    Assignment& credit = credits_[at - 1];
    if (credit.item == item && credit.action == action && credit.repeats > 0 && credit.mask == repeated) {
      ++credit.repeats;
      return fresh;
    }
  }
  head = make({.next = head, .item = item, .mask = repeated, .repeats = 1, .action = action});
  return fresh;
}

std::uint32_t CreditBook::make(const Assignment& credit) {
  if (free_.empty()) {
    credits_.push_back(credit);
    return static_cast<std::uint32_t>(credits_.size());
  }
  const std::uint32_t at = free_.back();
  free_.pop_back();
  credits_[at - 1] = credit;
  if (at <= values_.size()) values_[at - 1] = std::numeric_limits<double>::quiet_NaN();
  return at;
}

void CreditBook::forget(std::uint32_t head) {
  for (std::uint32_t at = head; at != 0; at = credits_[at - 1].next) free_.push_back(at);
}

}  // namespace recmeter
