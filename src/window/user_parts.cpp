#include "recmeter/window/user_parts.h"

#include <algorithm>
#include <utility>

namespace recmeter {

void UserParts::share() {
  if (own_.users() == 0) return;
  merged_users_ += own_.users();
  merged_.push_back(std::make_shared<const UserSums>(std::exchange(own_, {})));
}

void UserParts::merge(const UserParts& other) {
  if (other.own_.users() > 0) take({std::make_shared<const UserSums>(other.own_)});
  take(other.merged_);
}

void UserParts::merge(UserParts&& other) {
  if (other.own_.users() > 0) take({std::make_shared<const UserSums>(std::exchange(other.own_, {}))});
  take(std::exchange(other.merged_, {}));
}

// Parts that hold the same users again and again are added up: they would otherwise cost memory for each list.
void UserParts::take(const std::vector<std::shared_ptr<const UserSums>>& parts) {
  constexpr std::size_t few = 65'536;
  for (const auto& part : parts) {
    merged_users_ += part->users();
    merged_.push_back(part);
  }
  if (merged_users_ < std::max(few, 4 * own_.users())) return;
  for (const auto& part : merged_) own_.merge(*part);
  merged_.clear();
  merged_users_ = 0;
}

std::size_t UserParts::memory_bytes() const {
  std::size_t bytes = own_.memory_bytes();
  for (const auto& part : merged_) bytes += part->memory_bytes();
  return bytes;
}

}  // namespace recmeter
