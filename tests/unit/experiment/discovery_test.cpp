#include "recmeter/experiment/discovery.h"

#include <gtest/gtest.h>

#include <cmath>

namespace recmeter {
namespace {

using Bools = std::vector<bool>;
std::vector<std::optional<double>> of(std::initializer_list<double> e) {
  std::vector<std::optional<double>> out;
  for (const double one : e) out.emplace_back(std::log(one));
  return out;
}

TEST(Discoveries, of_one_need_an_e_value_of_one_over_the_rate) {
  EXPECT_EQ(discoveries(of({10}), 0.1), Bools{true});
  EXPECT_EQ(discoveries(of({9.99}), 0.1), Bools{false});
}

// e_(k) >= m / (fdr k): 40, 20, 13.3, 10 of four.
TEST(Discoveries, of_many_are_the_largest_number_that_holds) {
  EXPECT_EQ(discoveries(of({10, 11, 12, 13}), 0.1), (Bools{true, true, true, true})) << "the fourth holds, and carries all";
  EXPECT_EQ(discoveries(of({1, 21, 2, 25}), 0.1), (Bools{false, true, false, true}));
  EXPECT_EQ(discoveries(of({39, 1, 1, 1}), 0.1), Bools(4, false));
}

TEST(Discoveries, without_a_value_are_none_and_count_among_the_tested) {
  auto tested = of({15});
  EXPECT_EQ(discoveries(tested, 0.1), Bools{true});
  tested.emplace_back(std::nullopt);
  EXPECT_EQ(discoveries(tested, 0.1), Bools(2, false));
  EXPECT_EQ(discoveries({}, 0.1), Bools());
}

}  // namespace
}  // namespace recmeter
