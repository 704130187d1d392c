#include "recmeter/base/text_buffer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace recmeter {
namespace {

std::string text_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + (i * 7 + size) % 26);
  return text;
}

TEST(TextBuffer, keeps_texts_of_every_length_while_it_grows) {
  TextBuffer buffer;
  std::vector<std::pair<std::size_t, std::string>> kept;
  for (std::size_t round = 0; round < 20; ++round) {
    for (std::size_t size = 0; size <= 70; ++size) {
      kept.emplace_back(buffer.append(text_of(size)), text_of(size));
      for (const auto& [offset, text] : {kept.front(), kept.back()}) {
        ASSERT_EQ(std::string(buffer.data() + offset, text.size()), text);
      }
    }
  }
  for (const auto& [offset, text] : kept) ASSERT_EQ(std::string(buffer.data() + offset, text.size()), text);
}

TEST(TextBuffer, takes_texts_back) {
  TextBuffer buffer;
  buffer.reserve(100);
  buffer.append("kept");
  const std::size_t size = buffer.size();
  buffer.append("taken back");
  buffer.shrink(size);
  EXPECT_EQ(buffer.append("after"), size);
  EXPECT_EQ(std::string(buffer.data(), buffer.size()), "keptafter");
  EXPECT_GE(buffer.capacity(), 100U);
}

TEST(TextBuffer, is_copied_with_its_texts_and_moved_without_a_trace) {
  TextBuffer buffer;
  buffer.append("first");
  TextBuffer copy = buffer;
  buffer.append(" and more");
  EXPECT_EQ(std::string(copy.data(), copy.size()), "first");
  copy = std::move(buffer);
  EXPECT_EQ(std::string(copy.data(), copy.size()), "first and more");
  EXPECT_EQ(TextBuffer(std::move(copy)).size(), 14U);
}

}  // namespace
}  // namespace recmeter
