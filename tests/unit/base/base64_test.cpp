#include "recmeter/base/base64.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace recmeter {
namespace {

std::string base64(std::string_view bytes) {
  std::string text;
  add_base64(text, bytes);
  return text;
}

// RFC 4648, section 10.
TEST(Base64, has_the_vectors_of_its_rfc) {
  const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64(bytes), text);
    std::string back = "x";
    EXPECT_TRUE(read_base64(text, back));
    EXPECT_EQ(back, "x" + bytes);
  }
}

TEST(Base64, gives_every_byte_back) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
    std::string back;
    EXPECT_TRUE(read_base64(base64(bytes), back));
    EXPECT_EQ(back, bytes);
  }
}

TEST(Base64, reads_nothing_that_it_does_not_write) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "=Zg=", "Zg==Zg==", "Z===", "====", "Zm 8", "Zm8-", "Zm\n8"}) {
    std::string back;
    EXPECT_FALSE(read_base64(text, back)) << text;
  }
}

}  // namespace
}  // namespace recmeter
