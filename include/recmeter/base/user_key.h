// UserKey: tells users apart where their ids are not kept: XXH3-128 of the id's bytes. That two users of one evaluator share
// a key is less likely than a memory fault by many orders of magnitude.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace recmeter {

struct UserKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const UserKey&, const UserKey&) = default;
};

[[nodiscard]] UserKey user_key(std::string_view id) noexcept;

}  // namespace recmeter
