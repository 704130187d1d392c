#include "config/forecast.h"

#include <gtest/gtest.h>

#include "config/load_config.h"

namespace recmeter {
namespace {

Config config_of(const std::string& text) {
  auto loaded = load_config(text, "config.yaml", process_context());
  EXPECT_TRUE(loaded.has_value());
  return std::move(*loaded);
}

Forecast forecast_of(const std::string& text, double rate) {
  auto made = forecast(config_of(text), rate);
  EXPECT_TRUE(made) << (made ? "" : made.error().context);
  return std::move(*made);
}

TEST(Forecast, counts_rows_by_windows_horizons_and_segments) {
  const Forecast of = forecast_of(R"(
windows: [{name: minute, size: 1m}, {name: hour, size: 1h, slide: 5m}]
segments: [[variant], {keys: [surface], keep: [[home], [search]]}]
join: {horizons: [5m, 30m]}
metrics: {names: [precision], cutoffs: [10]}
)",
                                  100);
  EXPECT_EQ(of.segments, 1U + 10 + 3) << "the whole, ten values where none is named, two and (other)";
  ASSERT_EQ(of.windows.size(), 2U);
  EXPECT_EQ(of.windows[0].rows_per_day, 1440.0 * 2 * 14);
  EXPECT_EQ(of.windows[1].rows_per_day, 288.0 * 2 * 14);
  EXPECT_EQ(of.rows_per_day, of.windows[0].rows_per_day + of.windows[1].rows_per_day);
}

TEST(Forecast, grows_with_the_rate_and_the_horizon) {
  const std::string hour = "windows: [{name: hour, size: 1h}]\n";
  const Forecast slow = forecast_of(hour, 1);
  const Forecast fast = forecast_of(hour, 100);
  EXPECT_NEAR(fast.journal_bytes / slow.journal_bytes, 100, 1e-6);
  EXPECT_NEAR(fast.joined_bytes / slow.joined_bytes, 100, 1e-6);
  EXPECT_EQ(fast.rows_per_day, slow.rows_per_day);
  EXPECT_EQ(fast.results_bytes, slow.results_bytes);
  const Forecast day = forecast_of(hour + "join: {horizons: [24h]}\n", 1);
  EXPECT_GT(day.journal_bytes, 5 * slow.journal_bytes);
  EXPECT_GT(day.joined_bytes, 20 * slow.joined_bytes);
}

TEST(Forecast, takes_the_items_of_the_catalogue) {
  const std::string text = "windows: [{name: hour, size: 1h}]\nmetrics: {names: [distinct_items]}\n";
  const Forecast unknown = forecast_of(text, 100);
  EXPECT_EQ(forecast_of(text + "catalog: {size: 10000}\n", 100).sums_bytes, unknown.sums_bytes) << "as is assumed";
  EXPECT_GT(forecast_of(text + "catalog: {size: 1000000}\n", 100).sums_bytes, 2 * unknown.sums_bytes);
  EXPECT_LT(forecast_of(text + "catalog: {size: 100}\n", 100).sums_bytes, unknown.sums_bytes);
}

TEST(Forecast, keeps_to_the_memory_that_the_state_may_have) {
  const std::string text = "windows: [{name: hour, size: 1h}]\njoin: {horizons: [24h]}\nstate: {memory: ";
  const Forecast little = forecast_of(text + "64MiB}\n", 500);
  const Forecast much = forecast_of(text + "64GiB}\n", 500);
  EXPECT_EQ(little.joined_bytes, 48.0 * 1024 * 1024) << "a quarter is the store's";
  EXPECT_EQ(little.joined_bytes + little.cold_bytes, much.joined_bytes);
  EXPECT_EQ(much.cold_bytes, 0);
  EXPECT_LT(little.memory_bytes, much.memory_bytes);
  EXPECT_GT(little.disk_bytes, much.disk_bytes);
}

TEST(Forecast, is_told_in_words) {
  const std::string text = forecast_text(forecast_of("windows: [{name: minute, size: 1m}]\n", 500));
  EXPECT_NE(text.find("at 500 lists a second, of 10 items and 0.3 feedback each\n"), std::string::npos) << text;
  EXPECT_NE(text.find("rows    1,440 a day"), std::string::npos) << text;
}

}  // namespace
}  // namespace recmeter
