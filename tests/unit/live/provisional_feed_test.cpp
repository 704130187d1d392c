#include "live/provisional_feed.h"

#include <gtest/gtest.h>

#include "recmeter/memory/memory_store.h"
#include "support/random_spec.h"

namespace recmeter {
namespace {

constexpr EventTime now{1'000'000};

// That has read an empty journal.
class ProvisionalFeedTest : public testing::Test {
 protected:
  ProvisionalFeedTest()
      : plan_(*EvaluatorPlan::make(spec_, Duration{0}, false)), feed_(plan_, store_, {.every = Duration{5000}}) {
    const EventTime w{1'700'000'000'000};
    feed_.keep_up(Duration{0});
    for (int round = 0; round < 2; ++round) {
      EXPECT_TRUE(feed_.kept(w));
      std::vector<std::function<void()>> tasks;
      feed_.begin(w, w, tasks);
      for (const auto& task : tasks) task();
      EXPECT_TRUE(feed_.complete());
    }
  }
  void give(Duration took) {
    feed_.revise();
    static_cast<void>(feed_.rows(now, {}));
    feed_.gave(now, now + took);
  }

  EvaluatorSpec spec_ = support::random_spec(1);
  EvaluatorPlan plan_;
  memory::MemoryStore store_;
  ProvisionalFeed feed_;
};

TEST_F(ProvisionalFeedTest, gives_rows_each_time_it_is_due) {
  ASSERT_TRUE(feed_.is_due(now));
  give(Duration{0});
  EXPECT_FALSE(feed_.is_due(now + Duration{4999}));
  EXPECT_TRUE(feed_.is_due(now + Duration{5000}));
  give(Duration{1000});
  EXPECT_TRUE(feed_.is_due(now + Duration{10'000})) << "a fifth of the time is its own";
}

// Hundreds of thousands of rows take longer than the time from one publication to the next. [I6.15]
TEST_F(ProvisionalFeedTest, takes_a_fifth_of_the_time_at_most) {
  ASSERT_TRUE(feed_.is_due(now));
  give(Duration{20'000});
  EXPECT_FALSE(feed_.is_due(now + Duration{20'000 + 4 * 20'000 - 1}));
  EXPECT_TRUE(feed_.is_due(now + Duration{20'000 + 4 * 20'000}));
}

}  // namespace
}  // namespace recmeter
