#include "recmeter/base/text_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace recmeter {
namespace {

TEST(IsAscii, sees_one_byte_that_is_not_anywhere_and_none_beyond_the_end) {
  for (std::size_t size = 0; size < 200; ++size) {
    for (const std::size_t behind : {0U, 7U, 64U}) {
      const auto bytes = std::make_unique<char[]>(size + behind);  // on the heap, where a sanitizer sees its end
      std::fill_n(bytes.get(), size, 'a');
      std::fill_n(bytes.get() + size, behind, '\xFF');
      ASSERT_TRUE(is_ascii({bytes.get(), size}, size + behind)) << size << " and " << behind;
      for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = '\x80';
        ASSERT_FALSE(is_ascii({bytes.get(), size}, size + behind)) << i << " of " << size << " and " << behind;
        bytes[i] = 'a';
      }
    }
  }
}

}  // namespace
}  // namespace recmeter
