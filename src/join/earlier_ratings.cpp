#include "recmeter/join/earlier_ratings.h"

namespace recmeter {

bool EarlierRatings::add(const UserKey& user, double value) {
  const Int128 rating = to_q32(value);
  Ratings& before = by_user_[user];
  // A rating has at most 62 bits, so that neither side overflows.
  const bool is_above = before.count > 0 && rating * static_cast<Int128>(before.count) > before.sum;
  before.sum += rating;
  ++before.count;
  return is_above;
}

}  // namespace recmeter
