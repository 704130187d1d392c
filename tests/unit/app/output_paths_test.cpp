#include "app/run/output_paths.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "unit/file/scratch.h"

namespace recmeter {
namespace {

TEST(OutputPaths, different_files_are_distinct) {
  const test::Scratch scratch;
  const std::string log = scratch.put("log", "x");
  EXPECT_TRUE(check_inputs_distinct({log, scratch.put("other", "x")}));
  EXPECT_TRUE(
      check_outputs_distinct({{scratch.path("a"), "--output"}, {scratch.path("b"), "--report"}}, {{log, "an input"}}));
}

TEST(OutputPaths, what_is_not_there_is_compared_by_name) {
  const test::Scratch scratch;
  const auto same = check_outputs_distinct({{scratch.path("new"), "--output"}, {scratch.path("./x/../new"), "--report"}}, {});
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().code, Errc::config_invalid);
}

TEST(OutputPaths, links_of_either_kind_lead_to_the_same_file) {
  const test::Scratch scratch;
  const std::string log = scratch.put("log", "x");
  std::filesystem::create_symlink(log, scratch.path("soft"));
  std::filesystem::create_hard_link(log, scratch.path("hard"));
  for (const char* link : {"soft", "hard"}) {
    EXPECT_FALSE(check_inputs_distinct({log, scratch.path(link)})) << link;
    EXPECT_FALSE(check_outputs_distinct({{scratch.path(link), "--output"}}, {{log, "an input"}})) << link;
  }
}

TEST(OutputPaths, devices_but_standard_output_may_be_shared) {
  EXPECT_TRUE(check_outputs_distinct({{"/dev/null", "--output"}, {"/dev/null", "--report"}}, {{"/dev/null", "an input"}}));
  EXPECT_FALSE(check_outputs_distinct({{"-", "--output"}, {"/dev/stdout", "--report"}}, {}));
}

}  // namespace
}  // namespace recmeter
