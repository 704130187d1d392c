#include "recmeter/experiment/arm_users.h"

#include <algorithm>

namespace recmeter {

void ArmUsers::add(std::uint64_t user, std::string_view arm) {
  if (is_sampled(user)) add(user, arm, false);
}

void ArmUsers::add(std::uint64_t user, std::string_view arm, bool is_mixed) {
  const auto [place, is_new] = users_.try_emplace(user, std::string(arm), is_mixed);
  if (!is_new) place->second.is_mixed |= is_mixed || place->second.arm != arm;
  if (users_.size() > users_max) sample(zeros_ + 1);
}

void ArmUsers::sample(unsigned zeros) {
  zeros_ = zeros;
  std::erase_if(users_, [this](const auto& user) { return !is_sampled(user.first); });
}

ArmUsers& ArmUsers::operator+=(const ArmUsers& other) {
  if (other.zeros_ > zeros_) sample(other.zeros_);
  for (const auto& [user, kept] : other.users_) {
    if (is_sampled(user)) add(user, kept.arm, kept.is_mixed);
  }
  return *this;
}

ArmsOfUsers ArmUsers::arms() const {
  if (users_.empty()) return ArmsOfUsers::unknown;
  const bool is_mixed = std::ranges::any_of(users_, [](const auto& user) { return user.second.is_mixed; });
  return is_mixed ? ArmsOfUsers::several : ArmsOfUsers::one_each;
}

}  // namespace recmeter
