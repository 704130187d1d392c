#include "recmeter/evaluation/member_table.h"

#include <algorithm>
#include <utility>

namespace recmeter {

namespace {

constexpr std::size_t entries_min = 16;

std::array<std::uint32_t, 4> words_of(const UserKey& user) {
  return {static_cast<std::uint32_t>(user.low), static_cast<std::uint32_t>(user.low >> 32U),
          static_cast<std::uint32_t>(user.high), static_cast<std::uint32_t>(user.high >> 32U)};
}

}  // namespace

Member* MemberTable::find(const UserKey& user) {
  if (used_ == 0) return nullptr;
  Entry& entry = at(words_of(user), home(user));
  return entry.is_used() ? &entry.member : nullptr;
}

Member& MemberTable::add(const UserKey& user, const Member& member) {
  if ((used_ + 1) * 3 > entries_.size() * 2) rebuild(std::max(entries_min, entries_.size() * 2), 0);
  const auto key = words_of(user);
  Entry& entry = at(key, home(user));
  entry = {.key = key, .member = member};
  ++used_;
  return entry.member;
}

void MemberTable::keep_from(std::uint8_t zeros) {
  const auto stays = [zeros](const Entry& entry) { return entry.is_used() && entry.member.zeros >= zeros; };
  const auto kept = static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), stays));
  rebuild(std::bit_ceil(std::max(entries_min, kept * 3 / 2 + 1)), zeros);
}

MemberTable::Entry& MemberTable::at(const std::array<std::uint32_t, 4>& key, std::size_t home) {
  const std::size_t mask = entries_.size() - 1;
  std::size_t i = home;
  while (entries_[i].is_used() && entries_[i].key != key) i = (i + 1) & mask;
  return entries_[i];
}

void MemberTable::rebuild(std::size_t entries, std::uint8_t zeros) {
  const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(entries));
  used_ = 0;
  for (const Entry& entry : old) {
    if (!entry.is_used() || entry.member.zeros < zeros) continue;
    at(entry.key, entry.key[0] & (entries_.size() - 1)) = entry;
    ++used_;
  }
}

}  // namespace recmeter
