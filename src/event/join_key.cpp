#include "recmeter/event/join_key.h"

#define XXH_INLINE_ALL  // short texts: a call would cost as much as the hash
#include <xxhash.h>

namespace recmeter {

[[gnu::noinline]] std::uint64_t hash_id(std::string_view id) noexcept {
  return XXH3_64bits(id.data(), id.size());
}

std::uint64_t hash_list(std::string_view list_id, EventTime ts) noexcept {
  return XXH3_64bits_withSeed(list_id.data(), list_id.size(), static_cast<std::uint64_t>(ts.ms));
}

std::uint64_t hash_to_sample(std::string_view user_id) noexcept {
  return XXH3_64bits_withSeed(user_id.data(), user_id.size(), 1);
}

}  // namespace recmeter
