// RunningUsers: what each user's lists in a window add up to while the window moves: panes enter and leave.
//
// A table for each domain of users. As long as one part of a pane is all there is of a domain, that part is its table: a
// window of one pane costs nothing but to be looked at. Thread safety: none.
#pragma once

#include <memory>
#include <vector>

#include "recmeter/window/user_parts.h"

namespace recmeter {

class RunningUsers {
 public:
  void enter(const UserParts& pane);
  // Requires: it has entered.
  void leave(const UserParts& pane);
  void add(const RunningUsers& other);

  // As those of UserSums, over all users.
  [[nodiscard]] UserSums::Means means(const PlannedMetric& metric) const;
  [[nodiscard]] GroupSums totals(const UserForm& form, std::size_t column) const;
  [[nodiscard]] GroupSums coverage() const;
  [[nodiscard]] UserWeights weights(std::size_t column) const;
  // What is shared with a pane counts there.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Table {
    UserDomain domain = any_domain;
    std::shared_ptr<const UserSums> shared;  // with a pane; null: `own` holds the users
    UserSums own;

    [[nodiscard]] const UserSums& sums() const { return shared ? *shared : own; }
    UserSums& changeable();
  };
  std::vector<Table>::iterator find(UserDomain domain);
  void add(UserDomain domain, const UserSums& sums);
  // Without a copy, as long as nothing else of the domain is added.
  void share(UserDomain domain, const std::shared_ptr<const UserSums>& sums);
  void subtract(UserDomain domain, const UserSums& sums);

  std::vector<Table> tables_;  // of domains that have users
};

}  // namespace recmeter
