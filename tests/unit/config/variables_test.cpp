#include "config/variables.h"

#include <gtest/gtest.h>

#include "loading.h"

namespace recmeter::testing {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* expected;
};
void PrintTo(const Case& test, std::ostream* out) {
  *out << test.name;
}

class Variables : public ::testing::TestWithParam<Case> {};

TEST_P(Variables, are_replaced) {
  const auto result = config::replace_variables(GetParam().text, test_context().environment, 1000);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(*result, GetParam().expected);
}

const Case cases[] = {
    {"none", "plain", "plain"},
    {"one", "${THREADS}", "4"},
    {"within_text", "a-${THREADS}-b${THREADS}", "a-4-b4"},
    {"dollars_are_written_twice", "$$5 $${THREADS}", "$5 ${THREADS}"},
    {"lone_dollar_stays", "a$ $b$", "a$ $b$"},
    {"default_of_unset", "${NOWHERE:-here}", "here"},
    {"default_of_empty", "${EMPTY:-here}", "here"},
    {"empty_default", "${NOWHERE:-}", ""},
    {"default_unused", "${THREADS:-9}", "4"},
    {"default_with_colon", "${NOWHERE:-a:b}", "a:b"},
    {"empty_is_set", "${EMPTY}", ""},
    {"message_unused", "${THREADS:?needed}", "4"},
    {"values_are_not_looked_at_again", "${COSTS}", "$5 ${THREADS}"},
};
INSTANTIATE_TEST_SUITE_P(All, Variables, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace recmeter::testing
