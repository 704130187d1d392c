// From logs of two arms, in the form in which people have them, to true values of each arm by what infer writes, unedited.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "app/infer/proposal.h"
#include "infer/raw_logs.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

// Names that the replay gives the arms of the log.
SumsByArm with_names(const SumsByArm& truth, const SumsByArm& replayed) {
  std::vector<std::string> names;
  for (const auto& [name, sums] : replayed) {
    if (!name.empty()) names.push_back(name);
  }
  SumsByArm named{{"", truth.at("")}};
  if (names.size() == 2) {
    named[names[0]] = truth.at("A");
    named[names[1]] = truth.at("B");
  }
  return named;
}

class RawLogs : public testing::TestWithParam<std::string> {};

TEST_P(RawLogs, give_the_values_of_each_arm) {
  const auto lists = make_arm_lists(31, 500);
  const RawLog log = raw_log(GetParam(), lists);
  const Scratch scratch;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < log.files.size(); ++i) paths.push_back(scratch.put("log" + std::to_string(i), log.files[i]));
  const auto proposal = infer_configuration(paths, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  // MIND does not say of what clock its times are, nor whether the day or the month comes first.
  for (const Doubt& doubt : proposal->doubts) {
    const bool is_open =
        doubt.sentence.find("zone") != std::string::npos || doubt.sentence.find("month") != std::string::npos;
    EXPECT_TRUE(is_open) << doubt.about << ": " << doubt.sentence;
  }
  EXPECT_EQ(proposal->doubts.empty(), GetParam() != "parquet" && GetParam() != "mind");
  EXPECT_EQ(proposal->report.events.invalid, 0U) << proposal->config;
  ASSERT_FALSE(proposal->arms.empty()) << proposal->config;
  EXPECT_EQ(proposal->arms.front().key, log.arm);
  EXPECT_EQ(proposal->arms.front().values.size(), 2U);
  const SumsByArm truth = sums_of(lists, log.has_purchases);
  const auto windows = replayed_by_arm(proposal->config, paths, log.arm);
  EXPECT_FALSE(windows.empty());
  for (const auto& [window, sums] : windows) {
    EXPECT_EQ(sums.size(), 3U) << "all, and two arms";
    expect_same(sums, with_names(truth, sums), proposal->config);
  }
}

INSTANTIATE_TEST_SUITE_P(Infer, RawLogs, testing::ValuesIn(raw_log_names()), [](const auto& each) { return each.param; });

}  // namespace
}  // namespace recmeter::test
