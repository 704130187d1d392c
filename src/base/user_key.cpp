#include "recmeter/base/user_key.h"

#include <xxhash.h>

namespace recmeter {

UserKey user_key(std::string_view id) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(id.data(), id.size());
  return {.high = hash.high64, .low = hash.low64};
}

}  // namespace recmeter
