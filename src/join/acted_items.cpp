#include "recmeter/join/acted_items.h"

#include <algorithm>

#include "recmeter/base/check.h"
#include "recmeter/join/balance.h"
#include "recmeter/join/credit_rule.h"

namespace recmeter {

ActedItems::ActedItems(const JoinRule& rule, Duration horizon, std::span<const double> gains)
    : skew_(rule.skew), undone_(credit_rule::undone_actions(rule)), enter_(rule.actions.size(), 0) {
  for (const double gain : gains) {
    if (gain > 0) gains_.push_back(gain);
  }
  std::sort(gains_.begin(), gains_.end());
  gains_.erase(std::unique(gains_.begin(), gains_.end()), gains_.end());
  for (std::size_t a = 0; a < rule.actions.size(); ++a) {
    reach_.push_back(rule.reach(a, horizon));
    const auto at = std::lower_bound(gains_.begin(), gains_.end(), gains[a]) - gains_.begin();
    level_.push_back(gains[a] > 0 ? static_cast<int>(at) : -1);
  }
  items_at_level_.resize(gains_.size(), 0);
}

int ActedItems::top_level(const Levels& levels) {
  for (std::size_t level = levels.size(); level > 0; --level) {
    if (levels[level - 1] > 0) return static_cast<int>(level - 1);
  }
  return -1;
}

bool ActedItems::looks_at(std::size_t action) const {
  return level_[undone_[action] == AskedAction::none ? action : undone_[action]] >= 0;
}

void ActedItems::count(Interner::Id item, std::size_t action, int change) {
  const auto [at, is_new] = items_.try_emplace(item, gains_.size(), 0U);
  Levels& levels = at->second;
  const int before = top_level(levels);
  auto& counter = levels[static_cast<std::size_t>(level_[action])];
  RECMETER_CHECK(change > 0 || counter > 0, "feedback leaves that never entered");
  counter = static_cast<std::uint32_t>(static_cast<int>(counter) + change);
  const int after = top_level(levels);
  if (before >= 0) --items_at_level_[static_cast<std::size_t>(before)];
  if (after >= 0) ++items_at_level_[static_cast<std::size_t>(after)];
  if (after < 0) items_.erase(at);
}

void ActedItems::enter(const ActedItem& acted, std::uint64_t number) {
  const std::size_t undone = undone_[acted.action];
  if (undone == AskedAction::none) {
    if (acted.is_relevant) count(acted.item, acted.action, +1);
    return;
  }
  const AccountKey key{acted.item, static_cast<std::uint8_t>(undone)};
  std::deque<Act>& acts = accounts_[key].acts;
  const Act act{.ts = acted.ts,
                .takes_back = acted.action != undone,
                .number = number,
                .is_relevant = acted.is_relevant,
                .value = acted.value};
  acts.insert(std::upper_bound(acts.begin(), acts.end(), act), act);
  unsettled_.insert(key);
}

void ActedItems::leave(const ActedItem& acted, std::uint64_t number) {
  const std::size_t undone = undone_[acted.action];
  if (undone == AskedAction::none) {
    if (acted.is_relevant) count(acted.item, acted.action, -1);
    return;
  }
  const AccountKey key{acted.item, static_cast<std::uint8_t>(undone)};
  const auto account = accounts_.find(key);
  RECMETER_CHECK(account != accounts_.end(), "feedback leaves that never entered");
  std::deque<Act>& acts = account->second.acts;
  const auto act = std::ranges::find(acts, number, &Act::number);
  RECMETER_CHECK(act != acts.end(), "feedback leaves that never entered");
  acts.erase(act);
  unsettled_.insert(key);
  if (!acts.empty()) return;
  settle(key);
  unsettled_.erase(key);
  accounts_.erase(account);
}

bool ActedItems::Account::is_act_left() const {
  Balance balance;
  for (const Act& act : acts) act.takes_back ? balance.take_back(act.value) : balance.pay(act.value);
  const auto is_hit = [](const Act& act) { return !act.takes_back && act.is_relevant; };
  return !balance.is_undone() && std::ranges::any_of(acts, is_hit);
}

void ActedItems::settle(const AccountKey& key) {
  Account& account = accounts_.find(key)->second;
  if (const bool counted = std::exchange(account.counts, account.is_act_left()); counted != account.counts) {
    count(key.first, key.second, account.counts ? +1 : -1);
  }
}

void ActedItems::slide_to(EventTime ts, std::span<const ActedItem> acted, std::uint64_t first) {
  const std::uint64_t end = first + acted.size();
  for (std::size_t action = 0; action < enter_.size(); ++action) {
    if (!looks_at(action)) continue;
    std::uint64_t& next = enter_[action];
    next = std::max(next, first);
    for (; next < end && acted[next - first].ts - ts < reach_[action]; ++next) {
      if (acted[next - first].action == action) enter(acted[next - first], next);
    }
  }
  leave_ = std::max(leave_, first);
  for (; leave_ < end && acted[leave_ - first].ts < ts - skew_; ++leave_) {
    const ActedItem& gone = acted[leave_ - first];
    // It has entered: its time lies before the span's end for this list, or it never will for a later one.
    if (looks_at(gone.action) && leave_ < enter_[gone.action]) leave(gone, leave_);
  }
  for (std::size_t action = 0; action < enter_.size(); ++action) enter_[action] = std::max(enter_[action], leave_);
}

std::uint64_t ActedItems::missed(std::span<const Interner::Id> distinct_items, std::vector<GradeCount>& grades) {
  for (const AccountKey& key : unsettled_) settle(key);
  unsettled_.clear();
  std::vector<std::uint64_t> counts = items_at_level_;
  for (const Interner::Id item : distinct_items) {
    const auto at = items_.find(item);
    if (at != items_.end()) --counts[static_cast<std::size_t>(top_level(at->second))];
  }
  grades.clear();
  std::uint64_t total = 0;
  for (std::size_t level = counts.size(); level > 0; --level) {
    if (counts[level - 1] == 0) continue;
    grades.push_back({gains_[level - 1], counts[level - 1]});
    total += counts[level - 1];
  }
  return total;
}

}  // namespace recmeter
