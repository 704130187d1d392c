#include "http/head_scanner.h"

#include <gtest/gtest.h>

#include <string>

namespace recmeter::http {
namespace {

using namespace std::string_literals;

constexpr std::size_t bytes_max = 200;
constexpr std::size_t fields_max = 4;

// Fed at once, and byte by byte: it must not matter.
Judged<std::optional<std::size_t>> scan(const std::string& text) {
  HeadScanner at_once(bytes_max, fields_max);
  const auto whole = at_once.scan(text);
  HeadScanner by_byte(bytes_max, fields_max);
  Judged<std::optional<std::size_t>> last{std::nullopt};
  for (std::size_t bytes = 1; bytes <= text.size() && last && !*last; ++bytes) last = by_byte.scan(text.substr(0, bytes));
  EXPECT_EQ(whole.has_value(), last.has_value());
  if (whole && last) {
    EXPECT_EQ(*whole, *last);
  } else if (!whole && !last) {
    EXPECT_EQ(whole.error().detail, last.error().detail);
  }
  return whole;
}

TEST(HeadScanner, finds_the_end_of_a_head) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_EQ(scan(head).value(), head.size());
  EXPECT_EQ(scan(head + "GET /next").value(), head.size());
  EXPECT_EQ(scan("\r\n" + head).value(), head.size() + 2);
  EXPECT_EQ(scan("GET / HTTP/1.1\r\n\r\n").value(), 18U);
  EXPECT_EQ(scan("GET / HTTP/1.1\r\nA:\r\nB: \xc3\xa9\t\r\n\r\n").value(), 30U);
}

TEST(HeadScanner, waits_for_the_end) {
  for (const std::string text : {"", "\r\n", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r"}) {
    EXPECT_EQ(scan(text).value(), std::nullopt) << text;
  }
}

TEST(HeadScanner, goes_on_with_the_next_head) {
  const std::string head = "GET / HTTP/1.1\r\n\r\n";
  HeadScanner scanner(bytes_max, fields_max);
  EXPECT_FALSE(scanner.has_begun());
  EXPECT_EQ(scanner.scan(head).value(), head.size());
  EXPECT_TRUE(scanner.has_begun());
  scanner.restart();
  EXPECT_FALSE(scanner.has_begun());
  EXPECT_EQ(scanner.scan(head).value(), head.size());
}

struct Case {
  std::string name;
  std::string text;
  int status = 400;
};

class HeadIsRefused : public testing::TestWithParam<Case> {};

TEST_P(HeadIsRefused, at_the_first_wrong_byte) {
  const auto judged = scan(GetParam().text);
  ASSERT_FALSE(judged);
  EXPECT_EQ(judged.error().status, GetParam().status);
}

INSTANTIATE_TEST_SUITE_P(
    HeadScanner, HeadIsRefused,
    testing::Values(
        Case{"bare_line_feed_after_the_request_line", "GET / HTTP/1.1\n"},
        Case{"bare_line_feed_after_a_field", "GET / HTTP/1.1\r\nA: b\n"},
        Case{"bare_line_feed_at_the_end", "GET / HTTP/1.1\r\nA: b\r\n\n"}, Case{"bare_line_feed_first", "\n"},
        Case{"bare_carriage_return", "GET / HTTP/1.1\r\nA: b\rc"}, Case{"two_carriage_returns", "GET / HTTP/1.1\r\r\n"},
        Case{"folded_field", "GET / HTTP/1.1\r\nA: b\r\n c"}, Case{"folded_by_a_tab", "GET / HTTP/1.1\r\nA: b\r\n\tc"},
        Case{"blank_before_the_first_field", "GET / HTTP/1.1\r\n A: b"},
        Case{"blank_before_a_colon", "GET / HTTP/1.1\r\nContent-Length : 1"}, Case{"no_name", "GET / HTTP/1.1\r\n: b"},
        Case{"no_colon", "GET / HTTP/1.1\r\nab\r\n"}, Case{"nul_in_a_value", "GET / HTTP/1.1\r\nA: \0"s},
        Case{"nul_in_the_target", "GET /\0"s}, Case{"escape_in_a_value", "GET / HTTP/1.1\r\nA: \x1b[2J"},
        Case{"delete_in_a_value", "GET / HTTP/1.1\r\nA: \x7f"}, Case{"utf8_in_the_target", "GET /\xc3\xa9"},
        Case{"tab_in_the_request_line", "GET\t/"}, Case{"tls_where_none_is", "\x16\x03\x01\x02"},
        Case{"blank_first", " GET / HTTP/1.1"}, Case{"two_empty_lines_first", "\r\n\r\n"},
        Case{"target_too_long", "GET /" + std::string(300, 'a'), 414},
        Case{"fields_too_long", "GET / HTTP/1.1\r\nA: " + std::string(300, 'a'), 431},
        Case{"name_too_long", "GET / HTTP/1.1\r\n" + std::string(300, 'a'), 431},
        Case{"too_many_fields", "GET / HTTP/1.1\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\n\r\n", 431}),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace recmeter::http
