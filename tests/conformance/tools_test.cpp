// Other tools, fed the same lists: their values as recorded in tools/recorded.json, with versions and command, by
// tools/compare.py. scripts/test computes them anew where the tools can be installed.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "chance_lists.h"
#include "gzip_file.h"

namespace recmeter::conformance {
namespace {

using Json = nlohmann::json;

class OtherTools : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    recorded_ = Json::parse(whole_file(RECMETER_SOURCE_DIR "/tests/conformance/tools/recorded.json").value());
    ours_ = chance_values(chance_lists(recorded_.at("lists").get<std::size_t>()));
  }
  inline static Json recorded_;
  inline static std::map<std::string, ChanceValues> ours_;
};

TEST_F(OtherTools, are_equal_list_by_list) {
  ASSERT_GE(recorded_.at("lists").get<std::size_t>(), 10'000U);
  for (const auto& [key, theirs] : recorded_.at("values").items()) {
    ASSERT_TRUE(ours_.contains(key)) << key;
    const double tolerance = recorded_.at("tolerance").get<double>();
    const Json& first = theirs.at("first");
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] == "skipped") continue;  // a list the tool cannot be given
      const auto& value = ours_[key].lists[i];
      ASSERT_EQ(value.has_value(), !first[i].is_null()) << key << " of list " << i;
      if (!value) continue;
      ASSERT_NEAR(*value, first[i].get<double>(), tolerance) << key << " of list " << i;
    }
  }
}

// The rest of the lists by their sum: recmeter rounds each to 2^-32.
TEST_F(OtherTools, are_equal_in_the_sum_of_all_lists) {
  for (const auto& [key, theirs] : recorded_.at("values").items()) {
    if (theirs.at("skipped").get<std::size_t>() > 0) continue;
    double sum = 0;
    std::size_t in_mean = 0;
    for (const auto& value : ours_.at(key).lists) {
      sum += value.value_or(0);
      in_mean += value ? 1U : 0U;
    }
    EXPECT_EQ(in_mean, theirs.at("in_mean").get<std::size_t>()) << key;
    EXPECT_NEAR(sum, theirs.at("sum").get<double>(), 1e-9 * static_cast<double>(in_mean)) << key;
  }
}

// Every name of every preset is compared with something.
TEST_F(OtherTools, cover_every_name_of_every_preset) {
  for (const auto& [key, values] : ours_) {
    EXPECT_TRUE(key.starts_with("own.") || recorded_.at("values").contains(key)) << key;
  }
}

}  // namespace
}  // namespace recmeter::conformance
