#include "recmeter/window/user_parts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace recmeter {

void UserParts::share(UserDomain domain) {
  for (Part& part : merged_) part.domain = domain;
  if (own_.users() == 0) return;
  merged_users_ += own_.users();
  merged_.push_back({domain, std::make_shared<const UserSums>(std::exchange(own_, {}))});
}

void UserParts::merge(const UserParts& other) {
  if (other.own_.users() > 0) take({{any_domain, std::make_shared<const UserSums>(other.own_)}});
  take(other.merged_);
}

// What nobody shares yet stays own(): its lists may still be corrected.
void UserParts::merge(UserParts&& other) {
  if (own_.users() == 0) {
    own_ = std::exchange(other.own_, {});
  } else if (other.own_.users() > 0) {
    own_.merge(std::exchange(other.own_, {}));
  }
  take(std::exchange(other.merged_, {}));
}

// Parts that hold the same users again and again are added up: they would otherwise cost memory for each list.
void UserParts::take(const std::vector<Part>& parts) {
  constexpr std::size_t few = 65'536;
  for (const Part& part : parts) {
    merged_users_ += part.sums->users();
    merged_.push_back(part);
  }
  if (merged_users_ >= std::max(few, 4 * added_up_)) add_up();
}

void UserParts::add_up() {
  std::map<UserDomain, UserSums> sums;
  for (const Part& part : merged_) sums[part.domain].merge(*part.sums);
  merged_.clear();
  merged_users_ = 0;
  for (auto& [domain, users] : sums) {
    merged_users_ += users.users();
    merged_.push_back({domain, std::make_shared<const UserSums>(std::move(users))});
  }
  added_up_ = merged_users_;
}

std::size_t UserParts::memory_bytes() const {
  std::size_t bytes = own_.memory_bytes();
  for (const Part& part : merged_) bytes += part.sums->memory_bytes();
  return bytes;
}

}  // namespace recmeter
