// How arms are called: by the program, and by the page.
#include "recmeter/experiment/arm_names.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

namespace recmeter {
namespace {

using Names = std::vector<std::string>;

TEST(ArmNames, choose_the_control_that_is_asked_for_else_the_one_that_is_called_so) {
  EXPECT_EQ(named_control(Names{"new", "old"}), "old");
  EXPECT_EQ(named_control(Names{"A", "B", "Control"}), "Control") << "the better name, in any case";
  EXPECT_EQ(named_control(Names{"v1", "v2"}), std::nullopt);
  const auto asked = choose_control(Names{"new", "old"}, "new");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->value, "new");
  EXPECT_TRUE(asked->is_known);
  const auto unknown = choose_control(Names{"v1", "v2"}, "");
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->value, "v1");
  EXPECT_FALSE(unknown->is_known);
  EXPECT_FALSE(choose_control(Names{"v1", "v2"}, "v3"));
  EXPECT_FALSE(choose_control(Names{}, ""));
}

// Words in quotes behind `name` in a source of the page, up to the end of the list.
Names page_words(const std::string& source, const std::string& name) {
  std::ifstream file(RECMETER_SOURCE_DIR "/web/src/model/" + source);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  std::size_t at = all.find("const " + name + ":");
  EXPECT_NE(at, std::string::npos) << source;
  Names out;
  for (const std::size_t end = all.find(';', at); at < end;) {
    const std::size_t begin = all.find('"', at) + 1;
    if (begin == 0 || begin >= end) break;
    at = all.find('"', begin);
    out.push_back(all.substr(begin, at++ - begin));
  }
  return out;
}

TEST(ArmNames, are_those_of_the_page) {
  EXPECT_EQ(page_words("control.ts", "NAMES"), Names(control_names.begin(), control_names.end()));
  EXPECT_EQ(page_words("arm_name.ts", "ARMS"), Names(arm_words.begin(), arm_words.end()));
  EXPECT_EQ(page_words("arm_name.ts", "OTHERS"), Names(words_of_others.begin(), words_of_others.end()));
}

}  // namespace
}  // namespace recmeter
