#include "recmeter/evaluation/first_acts.h"

namespace recmeter {

bool FirstActs::is_before(const UserKey& user, std::string_view item, EventTime ts) {
  const auto first = first_.find(key_of(user, item));
  return first != first_.end() && first->second < ts;
}

// The user's key has always as many bytes: no two pairs have the same.
const UserKey& FirstActs::key_of(const UserKey& user, std::string_view item) {
  bytes_.resize(sizeof user.high + sizeof user.low);
  for (std::size_t i = 0; i < sizeof user.high; ++i) {
    bytes_[i] = static_cast<char>(user.high >> (8 * i));
    bytes_[sizeof user.high + i] = static_cast<char>(user.low >> (8 * i));
  }
  bytes_ += item;
  key_ = user_key(bytes_);
  return key_;
}

}  // namespace recmeter
