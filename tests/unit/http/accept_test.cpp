#include "recmeter/http/accept.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace recmeter::http {
namespace {

constexpr std::array<std::string_view, 3> offered{"text/plain; version=0.0.4", "application/openmetrics-text; version=1.0.0",
                                                  "application/json"};

struct Case {
  std::string name;
  std::string accept;
  std::optional<std::size_t> expected;
};

class Preferred : public testing::TestWithParam<Case> {};

TEST_P(Preferred, is_what_the_client_likes_best) {
  EXPECT_EQ(preferred(GetParam().accept, offered), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Accept, Preferred,
    testing::Values(Case{"nothing_said_is_anything", "", 0}, Case{"anything_is_the_first", "*/*", 0},
                    Case{"named", "application/json", 2}, Case{"case_does_not_matter", "Application/JSON", 2},
                    Case{"type_range", "application/*", 1},
                    Case{"weights_decide", "text/plain;q=0.5, application/json;q=0.9", 2},
                    Case{"equal_weights_are_the_first", "application/json, text/plain", 0},
                    Case{"the_closest_range_decides", "*/*, text/plain;q=0.1, application/*;q=0.2", 1},
                    Case{"weight_0_is_not_wanted", "text/plain;q=0, */*;q=0.1", 1},
                    Case{"none_is_wanted", "image/png", std::nullopt}, Case{"anything_at_0", "*/*;q=0", std::nullopt},
                    Case{"another_version_is_another_type", "text/plain;version=1.0.0", std::nullopt},
                    Case{"unknown_parameters_do_not_matter", "application/json;profile=x", 2},
                    Case{"a_quoted_parameter", "text/plain;version=\"0.0.4\"", 0},
                    Case{"weight_out_of_range", "text/plain;q=7", std::nullopt},
                    Case{"weight_of_four_digits", "text/plain;q=0.1234, application/json;q=0.1", 2},
                    Case{"noise", ",;;=,q=1;,\xff/*", std::nullopt},
                    Case{"prometheus_2",
                         "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                         "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                         1},
                    Case{"prometheus_3",
                         "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/"
                         "openmetrics-text;version=0.0.1;"
                         "q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
                         1},
                    Case{"prometheus_text_only", "text/plain;version=0.0.4;q=1,*/*;q=0.1", 0},
                    Case{"browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 0}),
    [](const auto& param) { return param.param.name; });

TEST(Accept, a_coding_is_taken_only_where_it_is_said) {
  EXPECT_TRUE(takes_coding("gzip", "gzip"));
  EXPECT_TRUE(takes_coding("deflate, GZip;q=0.5", "gzip"));
  EXPECT_TRUE(takes_coding("*", "gzip"));
  EXPECT_FALSE(takes_coding("", "gzip"));
  EXPECT_FALSE(takes_coding("br, deflate", "gzip"));
  EXPECT_FALSE(takes_coding("gzip;q=0", "gzip"));
  EXPECT_FALSE(takes_coding("gzip;q=0, *", "gzip"));
  EXPECT_FALSE(takes_coding("*, gzip;q=0", "gzip"));
  EXPECT_FALSE(takes_coding("*;q=0", "gzip"));
}

}  // namespace
}  // namespace recmeter::http
