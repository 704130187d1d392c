#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "app/generate/click_model.h"
#include "app/generate/daily_rhythm.h"
#include "app/generate/item_popularity.h"
#include "app/generate/option_text.h"
#include "app/generate/portable_math.h"
#include "app/generate/random_stream.h"

namespace recmeter::generate {
namespace {

TEST(PortableMath, agrees_with_the_library) {
  for (double x = -30; x < 30; x += 0.0371) EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-15) << x;
  for (double x = 1e-9; x < 1e9; x *= 1.37) {
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-15 * std::max(1.0, std::abs(std::log(x)))) << x;
  }
}

TEST(PortableMath, knows_exact_cases) {
  EXPECT_EQ(portable_log(1.0), 0.0);
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_pow(1.0, -0.7), 1.0);
}

TEST(RandomStream, has_the_moments_of_its_distributions) {
  RandomStream random(7, Purpose::list, 1);
  constexpr int draws = 200'000;
  double uniform = 0;
  double normal = 0;
  double squares = 0;
  for (int i = 0; i < draws; ++i) {
    uniform += random.uniform();
    const double z = random.normal();
    normal += z;
    squares += z * z;
  }
  const double root = std::sqrt(draws);
  EXPECT_NEAR(uniform / draws, 0.5, 4 * 0.2887 / root);
  EXPECT_NEAR(normal / draws, 0.0, 4 / root);
  EXPECT_NEAR(squares / draws, 1.0, 4 * 1.4143 / root);
}

TEST(RandomStream, differs_by_seed_purpose_and_number) {
  const std::uint64_t first = RandomStream(1, Purpose::list, 1).next();
  EXPECT_NE(first, RandomStream(2, Purpose::list, 1).next());
  EXPECT_NE(first, RandomStream(1, Purpose::user, 1).next());
  EXPECT_NE(first, RandomStream(1, Purpose::list, 2).next());
}

TEST(ItemPopularity, follows_zipf) {
  constexpr std::size_t items = 50;
  constexpr double draws = 400'000;
  const ItemPopularity popularity(items, 1.2);
  RandomStream random(3, Purpose::list, 0);
  std::vector<double> counts(items);
  for (int i = 0; i < draws; ++i) ++counts[popularity.draw(random)];
  double total = 0;
  for (std::size_t i = 0; i < items; ++i) total += std::pow(static_cast<double>(i + 1), -1.2);
  for (std::size_t i = 0; i < items; ++i) {
    const double p = std::pow(static_cast<double>(i + 1), -1.2) / total;
    EXPECT_NEAR(counts[i] / draws, p, 4.5 * std::sqrt(p * (1 - p) / draws)) << i;
  }
}

TEST(DailyRhythm, never_goes_back_and_stays_in_its_span) {
  const EventTime start{1'699'920'000'000 + 5'000'123};
  const Duration span{3LL * 86'400'000 + 77};
  DailyRhythm rhythm(start, span, 0.9);
  EventTime last = start;
  for (int i = 0; i < 100'000; ++i) {
    const EventTime now = rhythm.at(i / 100'000.0);
    ASSERT_GE(now, last);
    ASSERT_LT(now, start + span);
    last = now;
  }
  EXPECT_GT(last, start + span - Duration{60'000});
}

TEST(DailyRhythm, is_busiest_in_the_evening) {
  const EventTime midnight{1'699'920'000'000};
  DailyRhythm rhythm(midnight, {86'400'000}, 0.6);
  std::vector<double> by_hour(24);
  for (int i = 0; i < 240'000; ++i) {
    ++by_hour[static_cast<std::size_t>((rhythm.at(i / 240'000.0) - midnight).ms / 3'600'000)];
  }
  EXPECT_NEAR(by_hour[8] / 10'000, 0.4, 0.01);  // 08:00 to 09:00, beside the lowest point
  EXPECT_NEAR(by_hour[20] / 10'000, 1.6, 0.01);
  EXPECT_NEAR(by_hour[14] / 10'000, 1.0, 0.12);
}

TEST(ClickModel, shares_of_lists_sum_to_one) {
  TrafficSpec spec;
  spec.users = 1234;
  spec.heavy_user = 0.3;
  spec.placeholder_users = 0.2;
  for (const std::uint32_t values : {1U, 2U, 3U, 400U}) {
    spec.segment_values = values;
    const ClickModel model(spec);
    double sum = 0;
    for (std::size_t c = 0; c < quality_classes; ++c) {
      for (std::size_t e = 0; e < engagements.size(); ++e) sum += model.weight(c, e);
    }
    EXPECT_NEAR(sum, 1, 1e-12) << values;
  }
}

TEST(OptionText, reads_durations) {
  EXPECT_EQ(parse_duration("250ms")->ms, 250);
  EXPECT_EQ(parse_duration("7d")->ms, 7LL * 86'400'000);
  EXPECT_EQ(parse_duration("0s")->ms, 0);
  for (const char* bad : {"", "5", "s", "-1s", "1.5h", "1w", "1 s", "99999999999999d"})
    EXPECT_FALSE(parse_duration(bad)) << bad;
  EXPECT_EQ(duration_text({90'000}), "90s");
  EXPECT_EQ(duration_text({3'600'000}), "1h");
}

TEST(OptionText, reads_times) {
  EXPECT_EQ(parse_start("2023-11-14T00:00:00Z")->ms, 1'699'920'000'000);
  EXPECT_EQ(parse_start("2024-02-29T23:59:59Z")->ms, 1'709'251'199'000);
  EXPECT_EQ(parse_start("1699920000000")->ms, 1'699'920'000'000);
  for (const char* bad : {"2023-02-29T00:00:00Z", "2023-11-14", "2023-13-01T00:00:00Z", "2023-11-14T24:00:00Z", "yesterday",
                          "2023-11-14T00:00:00+01:00", "20-3-11-14T00:00:00Z"}) {
    EXPECT_FALSE(parse_start(bad)) << bad;
  }
}

}  // namespace
}  // namespace recmeter::generate
