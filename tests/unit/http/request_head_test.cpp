#include "http/request_head.h"

#include <gtest/gtest.h>

#include <string>

namespace recmeter::http {
namespace {

TEST(RequestHead, has_what_is_asked_and_how) {
  const auto head = parse_head(
      "GET /a?b=c HTTP/1.1\r\nHost: localhost:1\r\nACCEPT: a/b\r\naccept: c/d\r\nAccept-Encoding: gzip\r\n"
      "If-None-Match: W/\"x\"\r\nLast-Event-ID: 5-6\r\nAuthorization: Bearer t\r\n\r\n");
  ASSERT_TRUE(head) << head.error().detail;
  EXPECT_EQ(head->method, "GET");
  EXPECT_EQ(head->target, "/a?b=c");
  EXPECT_EQ(head->host, "localhost:1");
  EXPECT_EQ(head->accept, "a/b, c/d");
  EXPECT_EQ(head->accept_encoding, "gzip");
  EXPECT_EQ(head->if_none_match, "W/\"x\"");
  EXPECT_EQ(head->last_event_id, "5-6");
  EXPECT_EQ(head->authorization, "Bearer t");
  EXPECT_EQ(head->content_length, 0U);
  EXPECT_FALSE(head->is_chunked);
  EXPECT_TRUE(head->keeps_alive);
}

TEST(RequestHead, says_whether_the_connection_stays) {
  EXPECT_FALSE(parse_head("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")->keeps_alive);
  EXPECT_FALSE(parse_head("GET / HTTP/1.0\r\n\r\n")->keeps_alive);
  EXPECT_TRUE(parse_head("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")->keeps_alive);
}

TEST(RequestHead, may_follow_an_empty_line) {
  EXPECT_TRUE(parse_head("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"));
}

TEST(RequestHead, notes_framing_without_judging_the_method) {
  EXPECT_EQ(parse_head("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n")->content_length, 7U);
  EXPECT_TRUE(parse_head("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")->is_chunked);
  EXPECT_TRUE(parse_head("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n")->is_chunked);
  EXPECT_TRUE(parse_head("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")->has_expectation);
}

struct Case {
  std::string name;
  std::string text;
  int status = 400;
};

class RequestHeadIsRefused : public testing::TestWithParam<Case> {};

TEST_P(RequestHeadIsRefused, with_its_status) {
  const auto head = parse_head(GetParam().text + "\r\n\r\n");
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().status, GetParam().status);
}

INSTANTIATE_TEST_SUITE_P(
    RequestHead, RequestHeadIsRefused,
    testing::Values(Case{"no_host", "GET / HTTP/1.1"}, Case{"two_hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b"},
                    Case{"length_and_coding", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked"},
                    Case{"coding_and_length", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3"},
                    Case{"unknown_coding_and_length",
                         "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\nContent-Length: 3"},
                    Case{"two_lengths", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4"},
                    Case{"two_equal_lengths", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3"},
                    Case{"a_list_of_lengths", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3"},
                    Case{"signed_length", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +3"},
                    Case{"negative_length", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -3"},
                    Case{"hexadecimal_length", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3"},
                    Case{"empty_length", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: "},
                    Case{"length_beyond_64_bits", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551616"},
                    Case{"coding_of_1_0", "GET / HTTP/1.0\r\nTransfer-Encoding: chunked"},
                    Case{"no_target", "GET HTTP/1.1\r\nHost: a"}, Case{"two_blanks", "GET  / HTTP/1.1\r\nHost: a"},
                    Case{"no_version", "GET /\r\nHost: a"}, Case{"small_letters", "GET / http/1.1\r\nHost: a", 505},
                    Case{"http_2", "PRI * HTTP/2.0", 505}, Case{"http_0_9", "GET / HTTP/0.9", 505},
                    Case{"http_1_2", "GET / HTTP/1.2\r\nHost: a", 505},
                    Case{"version_of_two_digits", "GET / HTTP/1.10\r\nHost: a", 505}),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace recmeter::http
