// UserParts: UserSums of one cell in parts: what is merged is put beside what is there, until parts are many, for the window
// adds users up anyway. Copies share what was merged. Thread safety: none.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "recmeter/window/user_sums.h"

namespace recmeter {

class UserParts {
 public:
  [[nodiscard]] UserSums& own() { return own_; }
  [[nodiscard]] const UserSums& own() const { return own_; }
  // Makes copies share what has been added so far. Nothing is added by own() from now on.
  void share();
  void merge(const UserParts& other);
  void merge(UserParts&& other);

  // visit(part); a user may be in several.
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (own_.users() > 0) visit(own_);
    for (const auto& part : merged_) visit(*part);
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void take(const std::vector<std::shared_ptr<const UserSums>>& parts);

  UserSums own_;
  std::vector<std::shared_ptr<const UserSums>> merged_;
  std::size_t merged_users_ = 0;
};

}  // namespace recmeter
