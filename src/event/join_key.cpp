#include "recmeter/event/join_key.h"

#include <xxhash.h>

namespace recmeter {

std::uint64_t hash_id(std::string_view id) noexcept {
  return XXH3_64bits(id.data(), id.size());
}

}  // namespace recmeter
