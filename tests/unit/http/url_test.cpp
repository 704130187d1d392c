#include "recmeter/http/url.h"

#include <gtest/gtest.h>

#include <string>

namespace recmeter::http {
namespace {

struct Case {
  const char* name;
  const char* text;
  bool is_tls;
  const char* authority;
  const char* target;
};

class UrlParts : public testing::TestWithParam<Case> {};

TEST_P(UrlParts, are_taken_apart) {
  const auto url = parse_url(GetParam().text);
  ASSERT_TRUE(url) << url.error().context;
  EXPECT_EQ(url->is_tls, GetParam().is_tls);
  EXPECT_EQ(url->authority(), GetParam().authority);
  EXPECT_EQ(url->target, GetParam().target);
}

const Case cases[] = {
    {"whole", "http://127.0.0.1:8080/api?a=b", false, "127.0.0.1:8080", "/api?a=b"},
    {"without_scheme", "localhost:8080", false, "localhost:8080", "/"},
    {"without_port", "http://eval.example/x", false, "eval.example:80", "/x"},
    {"tls", "https://eval.example", true, "eval.example:443", "/"},
    {"query_without_path", "http://h?a", false, "h:80", "/?a"},
    {"ipv6", "https://[::1]:8443/", true, "[::1]:8443", "/"},
    {"ipv6_without_port", "http://[fe80::1%25]", false, "[fe80::1%25]:80", "/"},
    {"at_sign_in_path", "http://h/a@b", false, "h:80", "/a@b"},
};
INSTANTIATE_TEST_SUITE_P(Url, UrlParts, testing::ValuesIn(cases), [](const auto& chosen) { return chosen.param.name; });

TEST(Url, that_cannot_be_asked_is_refused_with_an_example) {
  for (const std::string wrong : {"", "http://", "ftp://h", "http://user:secret@h", "http://h:0", "http://h:65536",
                                  "http://h:8x", "http://h:", "http://[::1", "http://[::1]8080", "http://h/ x",
                                  "http://h/\r\nX: y", "http://h/#part", "http://h\x80", "http:///x", "http://[x]:1"}) {
    const auto url = parse_url(wrong);
    ASSERT_FALSE(url) << wrong;
    EXPECT_EQ(url.error().code, Errc::config_invalid);
    EXPECT_NE(url.error().context.find("Write it like http://127.0.0.1:8080"), std::string::npos);
  }
}

TEST(Url, parameters_are_escaped) {
  EXPECT_EQ(percent_encoded("precision@10"), "precision%4010");
  EXPECT_EQ(percent_encoded("a:\\b,c&d=\xc3\xa9 -._~"), "a%3A%5Cb%2Cc%26d%3D%C3%A9%20-._~");
}

}  // namespace
}  // namespace recmeter::http
