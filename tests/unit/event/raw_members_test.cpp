#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "event/raw_members.h"

namespace recmeter {
namespace {

TEST(RawMembers, gives_each_member_as_it_stands) {
  std::string json = R"({"x":{"s":1},"\u0073":{"a":-0 ,"b": 1.50e+3)"
                     "\t"
                     R"(,"c":[1,2],"d":"t","e":true}})";
  const std::size_t size = json.size();
  json.resize(size + 64);
  RawMembers raw;
  const std::vector<std::string> path{"s"};
  const auto members = raw.read(std::string_view(json).substr(0, size), path);
  ASSERT_EQ(members.size(), 5U);
  EXPECT_EQ(members[0], "-0");
  EXPECT_EQ(members[1], "1.50e+3");
  EXPECT_EQ(members[4], "true");
}

}  // namespace
}  // namespace recmeter
