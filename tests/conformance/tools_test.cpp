// Other tools, fed the same lists: their values as recorded in tools/recorded.json, with versions and command, by
// tools/compare.py. scripts/conformance asks the tools themselves where they can be installed.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

  // Which lists the tool could not be given: a string of 0 and 1, in hexadecimal digits of four lists each.
  static std::vector<bool> skipped(const Json& theirs) {
    std::vector<bool> out(recorded_.at("lists").get<std::size_t>(), false);
    if (theirs.at("skipped").is_null()) return out;
    const auto digits = recorded_.at("skipped").at(theirs.at("skipped").get<std::size_t>()).get<std::string>();
    EXPECT_EQ(digits.size(), (out.size() + 3) / 4);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const int digit = std::stoi(digits.substr(i / 4, 1), nullptr, 16);
      out[i] = ((digit >> (3 - i % 4)) & 1) != 0;
    }
    return out;
  }

  inline static Json recorded_;
  inline static std::map<std::string, ChanceValues> ours_;
};

// The first lists one by one, the others by their sum. recmeter rounds each value to 2^-32.
TEST_F(OtherTools, are_equal_list_by_list_and_in_the_sum) {
  ASSERT_GE(recorded_.at("lists").get<std::size_t>(), 10'000U);
  for (const auto& [key, theirs] : recorded_.at("values").items()) {
    ASSERT_TRUE(ours_.contains(key)) << key;
    if (!theirs.contains("first")) continue;  // of all lists together only
    const auto tolerance = theirs.at("tolerance").get<double>();
    const std::vector<bool> is_skipped = skipped(theirs);
    const Json& first = theirs.at("first");
    ASSERT_GE(first.size(), 200U) << key;
    double sum = 0;
    std::size_t in_mean = 0;
    for (std::size_t i = 0; i < is_skipped.size(); ++i) {
      if (is_skipped[i]) continue;
      const std::optional<double>& value = ours_.at(key).lists.at(i);
      sum += value.value_or(0);
      in_mean += value ? 1U : 0U;
      if (i >= first.size()) continue;
      ASSERT_EQ(value.has_value(), !first[i].is_null()) << key << " of list " << i;
      if (!value) continue;
      ASSERT_NEAR(*value, first[i].get<double>(), tolerance) << key << " of list " << i;
    }
    EXPECT_GE(in_mean, 1000U) << key << " is compared on too few lists";
    EXPECT_EQ(in_mean, theirs.at("in_mean").get<std::size_t>()) << key;
    EXPECT_NEAR(sum, theirs.at("sum").get<double>(), tolerance * static_cast<double>(in_mean)) << key;
  }
}

TEST_F(OtherTools, are_equal_in_what_all_lists_give_together) {
  std::size_t compared = 0;
  for (const auto& [key, theirs] : recorded_.at("values").items()) {
    if (!theirs.contains("all")) continue;
    const std::optional<double>& all = ours_.at(key).all;
    ASSERT_TRUE(all) << key;
    EXPECT_NEAR(*all, theirs.at("all").get<double>(), 1e-9) << key;
    ++compared;
  }
  EXPECT_GE(compared, 200U);
}

// Nothing that recmeter makes of the lists goes without another computation of it: every name of every preset, every metric.
TEST_F(OtherTools, cover_everything) {
  EXPECT_GE(ours_.size(), 200U);
  for (const auto& [key, values] : ours_) EXPECT_TRUE(recorded_.at("values").contains(key)) << key;
  EXPECT_EQ(recorded_.at("values").size(), ours_.size());
}

}  // namespace
}  // namespace recmeter::conformance
