// Every file of configs/ loads, and the starter shows the defaults it claims to show.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/config/file_text.h"
#include "app/config/starter.h"
#include "loading.h"

namespace recmeter::testing {
namespace {

const std::filesystem::path examples = RECMETER_SOURCE_DIR "/configs";

TEST(ExampleConfigs, load) {
  for (const char* name : {"demo.yaml", "obd.yaml", "replay.yaml", "ubi.yaml"}) {
    const auto config = load_config_file((examples / name).string(), test_context());
    EXPECT_TRUE(config.has_value()) << all_text(config.error());
  }
}

TEST(Starter, is_the_example_for_replay) {
  EXPECT_EQ(starter_config(), *config::read_file((examples / "replay.yaml").string(), 1 << 20));
}

TEST(Starter, shows_the_defaults_but_for_windows_and_segments) {
  const auto starter = load(starter_config()), defaults = load("");
  ASSERT_TRUE(starter.has_value()) << all_text(starter.error());
  EXPECT_EQ(starter->spec.config_hash, defaults->spec.config_hash);
  EXPECT_EQ(starter->spec.name, defaults->spec.name);
  EXPECT_EQ(starter->spec.join.horizons, defaults->spec.join.horizons);
  EXPECT_EQ(starter->spec.time.max_step, defaults->spec.time.max_step);
  EXPECT_EQ(starter->command_line.allowed_lateness, defaults->command_line.allowed_lateness);
  EXPECT_EQ(starter->spec.metrics.cutoffs, defaults->spec.metrics.cutoffs);
  const Limits &a = starter->spec.limits, &b = defaults->spec.limits;
  EXPECT_EQ(a.list_items, b.list_items);
  EXPECT_EQ(a.id_bytes, b.id_bytes);
  EXPECT_EQ(a.segment_bytes, b.segment_bytes);
  EXPECT_EQ(a.message_bytes, b.message_bytes);
  EXPECT_EQ(a.segment_values, b.segment_values);
  EXPECT_EQ(a.distinct_items, b.distinct_items);
  EXPECT_EQ(a.compared_lists, b.compared_lists);
  EXPECT_EQ(a.windows_per_list, b.windows_per_list);
  EXPECT_EQ(a.values_per_list, b.values_per_list);
  EXPECT_EQ(a.values_per_day, b.values_per_day);
  EXPECT_EQ(a.tolerated_reasons, b.tolerated_reasons);
  EXPECT_EQ(a.invalid_share, b.invalid_share);
  EXPECT_EQ(a.lost_share, b.lost_share);
  ASSERT_EQ(starter->spec.windows.size(), 2U);
  EXPECT_EQ(starter->spec.windows[0].name, "minute");
  EXPECT_EQ(starter->spec.windows[1].slide, Duration{300'000});
  ASSERT_EQ(starter->spec.segments.size(), 1U);
}

// The lines that are commented out must be right when the comment sign goes.
TEST(Starter, loads_with_its_commented_lines_too) {
  std::string text;
  for (std::string_view rest = starter_config(); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    for (const char* start : {"# inputs:", "#   - file", "#     fields", "#     types", "#     unit", "#     position_base",
                              "# catalog: {size", "  # - {keys"}) {
      if (line.starts_with(start)) line.erase(line.find("# "), 2);
    }
    text += line + "\n";
  }
  const auto config = load(text);
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  ASSERT_EQ(config->inputs.size(), 1U);
  EXPECT_EQ(config->inputs[0].files.size(), 2U);
  EXPECT_EQ(config->spec.segments.size(), 2U);
  EXPECT_TRUE(config->spec.catalog.has_value());
}

}  // namespace
}  // namespace recmeter::testing
