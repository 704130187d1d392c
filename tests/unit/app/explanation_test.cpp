// Words of explanations. Whole explanations: tests/integration/cli/explain_test.cpp.
#include "app/explain/explanation.h"

#include <gtest/gtest.h>

namespace recmeter::explain {
namespace {

TEST(Explanation, tells_times_in_two_units_at_most) {
  const std::pair<std::int64_t, const char*> told[] = {
      {0, "+0ms"},           {250, "+250ms"},     {1000, "+1s"},      {8859, "+8.8s"},      {60'000, "+1m"},
      {96'370, "+1m36s"},    {599'999, "+9m59s"}, {3'600'000, "+1h"}, {7'499'999, "+2h4m"}, {86'400'000, "+1d"},
      {90'000'000, "+1d1h"}, {-20, "-20ms"},      {-61'000, "-1m1s"}};
  for (const auto& [ms, text] : told) EXPECT_EQ(delay_text(Duration{ms}), text);
}

}  // namespace
}  // namespace recmeter::explain
