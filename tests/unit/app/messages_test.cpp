#include "app/console/messages.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

struct Case {
  const char* name;
  std::string_view text;
  std::string_view shown;
};

class Harmless : public testing::TestWithParam<Case> {};

TEST_P(Harmless, text_is_one_line_that_steers_no_terminal) {
  EXPECT_EQ(harmless(GetParam().text), GetParam().shown);
}

using namespace std::string_view_literals;
const Case cases[] = {
    {"plain", "log.jsonl: 50 %", "log.jsonl: 50 %"},
    {"line_feed", "a\nb\r", "a\\x0ab\\x0d"},
    {"nul", "a\0b"sv, "a\\x00b"},
    {"escape", "\x1b[31m", "\\x1b[31m"},
    {"delete_character", "\x7f", "\\x7f"},
    {"umlaut",
     "gr\xc3\xbc\xc3\x9f"
     "e",
     "gr\xc3\xbc\xc3\x9f"
     "e"},
    {"kanji_and_emoji", "\xe6\x97\xa5 \xf0\x9f\x8e\xb5", "\xe6\x97\xa5 \xf0\x9f\x8e\xb5"},
    {"c1_control",
     "\xc2\x9b"
     "2J",
     "\\xc2\\x9b2J"},
    {"no_break_space_stays", "\xc2\xa0", "\xc2\xa0"},
    {"stray_byte",
     "a\x9b"
     "b\xff",
     "a\\x9bb\\xff"},
    {"cut_character", "\xe6\x97", "\\xe6\\x97"},
    {"overlong", "\xc0\x9b\xe0\x82\x9b", "\\xc0\\x9b\\xe0\\x82\\x9b"},
    {"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
    {"beyond_unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
    {"line_separator", "\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
    {"right_to_left_override", "\xe2\x80\xae", "\\xe2\\x80\\xae"},
    {"isolate", "\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"},
    {"neighbours_of_those_stay", "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
     "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"},
};
INSTANTIATE_TEST_SUITE_P(Every, Harmless, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& of) { return of.param.name; });

}  // namespace
}  // namespace recmeter
