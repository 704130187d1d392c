#include "http/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "recmeter/base/utf8.h"

namespace recmeter::http {
namespace {

using Parameters = std::vector<Query::Parameter>;

struct Read {
  std::string name;
  std::string target;
  std::string path;
  Parameters parameters = {};
};

class TargetIsRead : public testing::TestWithParam<Read> {};

TEST_P(TargetIsRead, as_path_and_query) {
  const auto target = parse_target(GetParam().target);
  ASSERT_TRUE(target) << target.error().detail;
  EXPECT_EQ(target->path, GetParam().path);
  EXPECT_EQ(target->query.parameters(), GetParam().parameters);
}

INSTANTIATE_TEST_SUITE_P(
    Target, TargetIsRead,
    testing::Values(Read{"root", "/", "/"}, Read{"path", "/api/v1/status", "/api/v1/status"},
                    Read{"slashes_are_one", "//api///v1", "/api/v1"}, Read{"a_last_slash_stays", "/api//", "/api/"},
                    Read{"decoded", "/a%20b/%C3%A9", "/a b/\xc3\xa9"}, Read{"plus_is_itself_in_a_path", "/a+b", "/a+b"},
                    Read{"dots_in_names", "/.well-known/a..b", "/.well-known/a..b"},
                    Read{"query", "/x?metric=precision@10&a=1", "/x", {{"metric", "precision@10"}, {"a", "1"}}},
                    Read{"order_and_repetition_stay", "/x?b=2&a=1&b=3", "/x", {{"b", "2"}, {"a", "1"}, {"b", "3"}}},
                    Read{"plus_is_a_blank_in_a_query", "/x?a+b=c%2B+d", "/x", {{"a b", "c+ d"}}},
                    Read{"empty_value_and_none", "/x?a=&b", "/x", {{"a", ""}, {"b", ""}}},
                    Read{"equals_in_a_value", "/x?a=b=c", "/x", {{"a", "b=c"}}},
                    Read{"empty_pieces_are_nothing", "/x?&&a=1&", "/x", {{"a", "1"}}},
                    Read{"decoded_once", "/x?a=%2526", "/x", {{"a", "%26"}}},
                    Read{"encoded_separators_do_not_separate", "/x?a=1%262%3D3", "/x", {{"a", "1&2=3"}}},
                    Read{"question_mark_in_a_query", "/x?a=?", "/x", {{"a", "?"}}},
                    Read{"a_slash_in_a_query", "/x?a=../b", "/x", {{"a", "../b"}}},
                    Read{"a_nul_in_a_query", "/x?a=b%00c", "/x", {{"a", std::string("b\0c", 3)}}},
                    Read{"absolute", "http://host:80/a?b=1", "/a", {{"b", "1"}}},
                    Read{"absolute_in_capitals", "HTTPS://HOST/a", "/a"}, Read{"absolute_without_path", "http://host", "/"},
                    Read{"absolute_with_query_only", "http://host?a=1", "/", {{"a", "1"}}}),
    [](const auto& param) { return param.param.name; });

struct Refused {
  std::string name;
  std::string target;
};

class TargetIsRefused : public testing::TestWithParam<Refused> {};

TEST_P(TargetIsRefused, with_400) {
  const auto target = parse_target(GetParam().target);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().status, 400);
}

INSTANTIATE_TEST_SUITE_P(
    Target, TargetIsRefused,
    testing::Values(Refused{"empty", ""}, Refused{"asterisk", "*"}, Refused{"authority", "host:80"},
                    Refused{"relative", "api"}, Refused{"only_a_query", "?a=1"}, Refused{"other_scheme", "ftp://host/a"},
                    Refused{"fragment", "/a#b"}, Refused{"blank", "/a b"}, Refused{"raw_utf8", "/\xc3\xa9"},
                    Refused{"control", "/a\x01"}, Refused{"dot", "/a/./b"}, Refused{"dot_dot", "/a/../b"},
                    Refused{"dot_dot_at_the_end", "/a/.."}, Refused{"encoded_dot_dot", "/%2e%2E/etc/passwd"},
                    Refused{"encoded_slash", "/a%2Fb"}, Refused{"encoded_dot_dot_slash", "/..%2fetc"},
                    Refused{"backslash", "/a%5c..%5cb"}, Refused{"raw_backslash", "/a\\b"}, Refused{"cut_escape", "/a%4"},
                    Refused{"lone_percent", "/x?a=%"}, Refused{"no_hex", "/x?a=%zz"}, Refused{"nul_in_path", "/a%00.html"},
                    Refused{"bad_utf8", "/x?a=%ff"}, Refused{"cut_utf8", "/x?a=%c3"}, Refused{"overlong", "/%c0%ae%c0%ae/"},
                    Refused{"surrogate", "/x?a=%ed%a0%80"}, Refused{"beyond_unicode", "/x?a=%f4%90%80%80"},
                    Refused{"nameless", "/x?=1"}),
    [](const auto& param) { return param.param.name; });

TEST(Target, has_a_bound_on_parameters) {
  std::string target = "/x?";
  for (std::size_t i = 0; i < query_parameters_max; ++i) target += "a=1&";
  EXPECT_TRUE(parse_target(target));
  EXPECT_FALSE(parse_target(target + "a=1"));
}

TEST(Query, gives_the_first_of_a_name_and_how_many_there_are) {
  const auto target = parse_target("/x?a=1&b=2&a=3");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->query.first("a"), "1");
  EXPECT_EQ(target->query.count("a"), 2U);
  EXPECT_EQ(target->query.first("c"), std::nullopt);
  EXPECT_EQ(target->query.count("c"), 0U);
}

// Against the table of Unicode, written the other way round: every code point encoded, and nothing else of its length.
TEST(Utf8, knows_every_code_point_and_no_surrogate) {
  const auto encode = [](unsigned code) {
    std::string text;
    if (code < 0x80) return std::string(1, static_cast<char>(code));
    if (code < 0x800) {
      text.push_back(static_cast<char>(0xc0 | code >> 6));
    } else if (code < 0x10000) {
      text.push_back(static_cast<char>(0xe0 | code >> 12));
      text.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    } else {
      text.push_back(static_cast<char>(0xf0 | code >> 18));
      text.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3f)));
      text.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    }
    text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
    return text;
  };
  for (unsigned code = 0; code < 0x120000; ++code) {
    const bool is_scalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    const std::string text = encode(code);
    ASSERT_EQ(is_utf8(text), is_scalar) << code;
    if (text.size() > 1) {
      ASSERT_FALSE(is_utf8(text.substr(0, text.size() - 1))) << code;
      ASSERT_FALSE(is_utf8(text.substr(1))) << code;
    }
  }
  EXPECT_FALSE(is_utf8("\xc0\xaf"));
  EXPECT_FALSE(is_utf8("\xe0\x80\xaf"));
  EXPECT_FALSE(is_utf8("\xf0\x80\x80\xaf"));
}

}  // namespace
}  // namespace recmeter::http
