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

TEST(ArmNames, are_those_of_the_page) {
  std::ifstream file(RECMETER_SOURCE_DIR "/web/src/model/control.ts");
  std::ostringstream text;
  text << file.rdbuf();
  std::string names;
  for (const std::string_view name : control_names) names += (names.empty() ? "" : ", ") + ('"' + std::string(name) + '"');
  EXPECT_NE(text.str().find("NAMES: readonly string[] = [" + names + "];"), std::string::npos) << names;
}

}  // namespace
}  // namespace recmeter
