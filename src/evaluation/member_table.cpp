#include "recmeter/evaluation/member_table.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

constexpr std::size_t lines_min = 4;

// That hold so many users and are at most three quarters full.
std::size_t lines_for(std::size_t users) {
  return std::bit_ceil(std::max(lines_min, (users * 4 + 8) / 9));
}

std::array<std::uint32_t, 4> words_of(const UserKey& user) {
  return {static_cast<std::uint32_t>(user.low), static_cast<std::uint32_t>(user.low >> 32U),
          static_cast<std::uint32_t>(user.high), static_cast<std::uint32_t>(user.high >> 32U)};
}

}  // namespace

MemberTable::Number MemberTable::find(const UserKey& user) {
  return used_ == 0 ? none : entry(user).number;
}

MemberTable::Number MemberTable::add(const UserKey& user, const Member& member) {
  RECMETER_CHECK(members_.size() < numbers_max, "a shard's users are numbered in 32 bits");
  if (const std::size_t lines = lines_for(used_ + 1); lines > lines_.size()) rebuild(lines, 0);
  const auto number = static_cast<Number>(members_.size());
  entry(user) = {.key = words_of(user), .number = number};
  members_.push_back(member);
  ++used_;
  return number;
}

void MemberTable::keep_from(std::uint8_t zeros) {
  std::size_t kept = 0;
  for (const Line& line : lines_) {
    for (const Entry& entry : line.entries) kept += entry.is_used() && at(entry.number).zeros >= zeros ? 1U : 0U;
  }
  rebuild(lines_for(kept), zeros);
  for (Member& member : members_) {
    if (member.zeros < zeros) member.arm = Member::no_arm;
  }
}

MemberTable::Entry& MemberTable::entry(const UserKey& user) {
  for (std::size_t i = home(user);; i = (i + 1) & (lines_.size() - 1)) {
    std::array<Entry, 3>& entries = lines_[i].entries;
    // Which of them it is cannot be foreseen, so no branch depends on it.
    std::uint32_t same = 0;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const UserKey other = entries[e].user();
      same |= std::uint32_t{((other.low ^ user.low) | (other.high ^ user.high)) == 0} << e;
    }
    if (same != 0) return entries[static_cast<std::size_t>(std::countr_zero(same))];
    const auto free = std::ranges::find_if_not(entries, &Entry::is_used);
    if (free != entries.end()) return *free;
  }
}

void MemberTable::rebuild(std::size_t lines, std::uint8_t zeros) {
  const std::vector<Line> old = std::exchange(lines_, std::vector<Line>(lines));
  used_ = 0;
  for (const Line& line : old) {
    for (const Entry& entry : line.entries) {
      if (!entry.is_used() || at(entry.number).zeros < zeros) continue;
      this->entry(entry.user()) = entry;
      ++used_;
    }
  }
}

}  // namespace recmeter
