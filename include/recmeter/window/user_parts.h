// UserParts: UserSums of one cell in parts: what is merged is put beside what is there, until parts are many, for the window
// adds users up anyway. Copies share what was merged. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "recmeter/window/user_sums.h"

namespace recmeter {

// Users of different domains are different, so that their sums add up without being compared. With those of `any_domain`
// nothing else is in a cell.
using UserDomain = std::uint16_t;
inline constexpr UserDomain any_domain = 0;

class UserParts {
 public:
  struct Part {
    UserDomain domain = any_domain;
    std::shared_ptr<const UserSums> sums;
  };

  // Not shared yet; of any domain.
  [[nodiscard]] UserSums& own() { return own_; }
  [[nodiscard]] const UserSums& own() const { return own_; }
  // A user may be in several.
  [[nodiscard]] const std::vector<Part>& merged() const { return merged_; }
  // Makes copies share what has been added and merged so far, all of it of users of the domain. Nothing is added by own()
  // from now on.
  void share(UserDomain domain);
  void merge(const UserParts& other);
  void merge(UserParts&& other);

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void take(const std::vector<Part>& parts);
  void add_up();

  UserSums own_;
  std::vector<Part> merged_;
  std::size_t merged_users_ = 0;  // in all parts
  std::size_t added_up_ = 0;      // of them, when they were added up last
};

}  // namespace recmeter
