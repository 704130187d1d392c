#include "recmeter/base/hashed_text.h"

#define XXH_INLINE_ALL  // short texts: a call would cost as much as the hash
#include <xxhash.h>

namespace recmeter {

std::uint32_t hash_text(std::string_view text) noexcept {
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
}

}  // namespace recmeter
