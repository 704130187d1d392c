// The hash of a rule as rows have it in `config`: 16 hexadecimal digits. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recmeter/event/join_key.h"

namespace recmeter {

[[nodiscard]] inline std::string rule_hash(std::string_view rule) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::uint64_t hash = hash_id(rule);
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += digits[hash >> static_cast<unsigned>(shift) & 15U];
  return out;
}

}  // namespace recmeter
