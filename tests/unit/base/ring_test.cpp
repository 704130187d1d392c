#include "recmeter/base/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "support/dice.h"

namespace recmeter {
namespace {

TEST(Ring, is_empty_at_first) {
  const Ring<int> ring;
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.begin(), ring.end());
}

TEST(Ring, gives_out_sequences_from_zero_and_never_again) {
  Ring<int> ring;
  EXPECT_EQ(ring.push_back(7), 0U);
  ring.pop_front();
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.push_back(8), 1U);
  EXPECT_EQ(ring.at(1), 8);
}

TEST(Ring, keeps_elements_when_it_grows_with_its_front_in_the_middle) {
  Ring<std::string> ring;
  for (int i = 0; i < 16; ++i) ring.push_back(std::to_string(i));
  for (int i = 0; i < 10; ++i) ring.pop_front();
  for (int i = 16; i < 27; ++i) ring.push_back(std::to_string(i));  // one more than 16 fit
  for (std::uint64_t s = ring.begin(); s != ring.end(); ++s) EXPECT_EQ(ring.at(s), std::to_string(s));
  EXPECT_EQ(ring.begin(), 10U);
  EXPECT_EQ(ring.end(), 27U);
}

TEST(Ring, agrees_with_a_deque_under_random_use) {
  Ring<int> ring;
  std::deque<int> model;
  support::Dice dice(1);
  for (int step = 0; step < 50'000; ++step) {
    if (!model.empty() && dice.percent(step % 2000 < 1000 ? 40 : 60)) {
      ring.pop_front();
      model.pop_front();
    } else {
      ring.push_back(step);
      model.push_back(step);
    }
    ASSERT_EQ(ring.end() - ring.begin(), model.size());
    if (model.empty()) continue;
    const std::size_t i = dice.below(model.size());
    ASSERT_EQ(ring.at(ring.begin() + i), model[i]);
  }
}

}  // namespace
}  // namespace recmeter
