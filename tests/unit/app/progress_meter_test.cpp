#include "app/run/progress_meter.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

TEST(ProgressText, tells_share_speed_and_roughly_the_time_left) {
  EXPECT_EQ(progress_text({.bytes_read = 380, .bytes_total = 1000, .events = 4'120'000}, 10),
            "38 %, 4120000 events, 412 k events/s, about 20 seconds left");
}

TEST(ProgressText, names_what_is_done_now_and_counts_that) {
  EXPECT_EQ(progress_text({.bytes_read = 50, .bytes_total = 100, .events = 50}, 10, {"predicting", "requests"}),
            "predicting: 50 %, 50 requests, 5 requests/s, about 10 seconds left");
}

TEST(ProgressText, tells_no_share_of_what_has_no_known_size) {
  EXPECT_EQ(progress_text({.bytes_read = 380, .bytes_total = 0, .events = 30'000}, 2), "30000 events, 15 k events/s");
}

TEST(ProgressText, tells_slow_speeds_in_events) {
  EXPECT_EQ(progress_text({.bytes_read = 0, .bytes_total = 0, .events = 30}, 3), "30 events, 10 events/s");
  EXPECT_EQ(progress_text({}, 0), "0 events, 0 events/s");
}

TEST(ProgressText, guesses_no_time_at_the_beginning) {
  EXPECT_EQ(progress_text({.bytes_read = 1, .bytes_total = 100, .events = 20}, 2), "1 %, 20 events, 10 events/s");
}

TEST(ProgressText, rounds_the_time_left_by_its_size) {
  const auto left = [](std::uint64_t read, double seconds) {
    const std::string text = progress_text({.bytes_read = read, .bytes_total = 100, .events = 0}, seconds);
    return text.substr(text.rfind(", ") + 2);
  };
  EXPECT_EQ(left(99, 100), "a few seconds left");
  EXPECT_EQ(left(50, 41), "about 50 seconds left");
  EXPECT_EQ(left(50, 300), "about 5 minutes left");
  EXPECT_EQ(left(10, 1200), "about 3 hours left");
  EXPECT_EQ(left(200, 100), "a few seconds left");  // a file that grew
}

TEST(ProgressJson, has_null_for_what_is_unknown) {
  EXPECT_EQ(progress_json({.bytes_read = 25, .bytes_total = 100, .events = 100}, 10),
            R"({"share":0.2500,"events":100,"events_per_second":10,"seconds_left":30})");
  EXPECT_EQ(progress_json({.bytes_read = 25, .bytes_total = 0, .events = 100}, 10),
            R"({"share":null,"events":100,"events_per_second":10,"seconds_left":null})");
  EXPECT_TRUE(progress_json({.events = 1}, 1, {"reading", "events"}).starts_with(R"({"phase":"reading","share":)"));
}

}  // namespace
}  // namespace recmeter
