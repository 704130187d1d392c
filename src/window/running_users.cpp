#include "recmeter/window/running_users.h"

#include <algorithm>

#include "recmeter/base/check.h"

namespace recmeter {

UserSums& RunningUsers::Table::changeable() {
  if (shared) {
    own = *shared;
    shared.reset();
  }
  return own;
}

std::vector<RunningUsers::Table>::iterator RunningUsers::find(UserDomain domain) {
  return std::find_if(tables_.begin(), tables_.end(), [domain](const Table& table) { return table.domain == domain; });
}

void RunningUsers::add(UserDomain domain, const UserSums& sums) {
  auto at = find(domain);
  if (at == tables_.end()) {
    RECMETER_CHECK(tables_.empty() || (domain != any_domain && tables_.front().domain != any_domain),
                   "users of any domain are alone");
    at = tables_.insert(at, {.domain = domain, .shared = nullptr, .own = {}});
  }
  at->changeable().merge(sums);
}

void RunningUsers::subtract(UserDomain domain, const UserSums& sums) {
  const auto at = find(domain);
  at->changeable().subtract(sums);
  if (at->own.users() == 0) tables_.erase(at);
}

void RunningUsers::share(UserDomain domain, const std::shared_ptr<const UserSums>& sums) {
  const bool is_new = find(domain) == tables_.end();
  add(domain, is_new ? UserSums() : *sums);
  if (is_new) tables_.back().shared = sums;
}

void RunningUsers::enter(const UserParts& pane) {
  if (pane.own().users() > 0) add(any_domain, pane.own());
  for (const UserParts::Part& part : pane.merged()) share(part.domain, part.sums);
}

void RunningUsers::leave(const UserParts& pane) {
  if (pane.own().users() > 0) subtract(any_domain, pane.own());
  for (const UserParts::Part& part : pane.merged()) subtract(part.domain, *part.sums);
}

void RunningUsers::add(const RunningUsers& other) {
  for (const Table& table : other.tables_) {
    table.shared ? share(table.domain, table.shared) : add(table.domain, table.own);
  }
}

UserSums::Means RunningUsers::means(const PlannedMetric& metric) const {
  UserSums::Means means;
  for (const Table& table : tables_) {
    const UserSums::Means some = table.sums().means(metric);
    means.sums += some.sums;
    means.evidence += some.evidence;
    means.shown += some.shown;
  }
  return means;
}

GroupSums RunningUsers::totals(const UserForm& form, std::size_t column) const {
  GroupSums totals;
  for (const Table& table : tables_) totals += table.sums().totals(form, column);
  return totals;
}

UserWeights RunningUsers::weights(std::size_t column) const {
  UserWeights weights;
  for (const Table& table : tables_) weights += table.sums().weights(column);
  return weights;
}

GroupSums RunningUsers::coverage() const {
  GroupSums coverage;
  for (const Table& table : tables_) coverage += table.sums().coverage();
  return coverage;
}

std::size_t RunningUsers::memory_bytes() const {
  std::size_t bytes = tables_.capacity() * sizeof(Table);
  for (const Table& table : tables_) bytes += table.own.memory_bytes();
  return bytes;
}

}  // namespace recmeter
