// What is refused before it can cost anything.
#include <gtest/gtest.h>

#include "loading.h"

namespace recmeter::testing {
namespace {

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

void expect_refused(const std::string& yaml, std::string_view words) {
  const auto config = load(yaml);
  ASSERT_FALSE(config.has_value());
  EXPECT_NE(all_text(config.error()).find(words), std::string::npos) << all_text(config.error());
}

TEST(Document, of_more_than_a_mebibyte_is_refused) {
  expect_refused("name: a\n" + repeated("# a comment\n", 100'000), "longer than 1 MiB");
}

TEST(Document, nested_deeply_is_refused_in_every_style) {
  for (const std::size_t depth : {33U, 400U, 600U, 100'000U}) {
    expect_refused("a: " + repeated("[", depth) + repeated("]", depth), "nested deeper than 32");
    expect_refused("a: " + repeated("[", depth), "");
    expect_refused("a: " + repeated("{b: ", depth) + repeated("}", depth), "nested deeper than 32");
    expect_refused("a: " + repeated("{b: ", depth), "");
    expect_refused(repeated("- ", depth) + "a", "nested deeper than 32");
    expect_refused(repeated("? ", depth) + "a", "");
  }
  std::string indented;
  for (std::size_t i = 0; i < 1000; ++i) indented += repeated(" ", i) + "a:\n";
  expect_refused(indented, "nested deeper than 32");
}

TEST(Document, of_31_levels_is_read) {
  const auto config = load("a: " + repeated("[", 31) + repeated("]", 31));
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(all_text(config.error()).find("nested"), std::string::npos) << all_text(config.error());
}

TEST(Document, of_aliases_of_aliases_is_refused_at_the_first) {
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + "]\n";
  }
  expect_refused(bomb, "test.yaml:1:5: anchors");
}

TEST(Document, in_utf16_is_refused) {
  expect_refused(std::string("\xFF\xFEn\0a\0", 6), "not UTF-8");
}

TEST(Document, with_bom_and_crlf_is_read) {
  const auto config = load("\xEF\xBB\xBFthreads: 3\r\nname: shop\r\n");
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  EXPECT_EQ(config->threads, 3U);
  EXPECT_EQ(config->spec.name, "shop");
}

TEST(Document, of_growing_variables_is_refused) {
  ConfigContext context = test_context();
  context.environment = [](const std::string&) { return std::optional(std::string(100'000, 'x')); };
  const auto config = load_config("name: " + repeated("${X}", 10'000), "test.yaml", context);
  ASSERT_FALSE(config.has_value());
  EXPECT_NE(all_text(config.error()).find("longer than 1 MiB"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::testing
