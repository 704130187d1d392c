// Every file of configs/ loads, and the starter shows the defaults it claims to show.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "config/config_change.h"
#include "config/file_text.h"
#include "config/starter.h"
#include "config/summary.h"
#include "loading.h"

namespace recmeter::testing {
namespace {

const std::filesystem::path examples = RECMETER_SOURCE_DIR "/configs";

TEST(ExampleConfigs, load) {
  for (const char* name : {"demo.yaml", "live.yaml", "obd.yaml", "replay.yaml", "ubi.yaml"}) {
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
  ASSERT_EQ(starter->spec.windows.size(), defaults->spec.windows.size());
  for (std::size_t w = 0; w < starter->spec.windows.size(); ++w) {
    EXPECT_EQ(starter->spec.windows[w].name, defaults->spec.windows[w].name);
    EXPECT_EQ(starter->spec.windows[w].size, defaults->spec.windows[w].size);
    EXPECT_EQ(starter->spec.windows[w].slide, defaults->spec.windows[w].slide);
  }
  ASSERT_EQ(starter->spec.segments.size(), 1U);
}

// With the comment sign gone from the lines that begin so.
std::string uncommented(std::string_view yaml, const std::vector<std::string>& starts) {
  std::string text;
  for (std::string_view rest = yaml; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    if (std::ranges::any_of(starts, [&](const std::string& start) { return line.starts_with(start); })) {
      line.erase(line.find("# "), 2);
    }
    text += line + "\n";
  }
  return text;
}

// The lines that are commented out must be right when the comment sign goes.
TEST(Starter, loads_with_its_commented_lines_too) {
  const auto config =
      load(uncommented(starter_config(), {"# inputs:", "#   - file", "#     fields", "#     types", "#     unit",
                                          "#     position_base", "# catalog: {size", "  # - {keys", "  # - {name"}));
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  ASSERT_EQ(config->inputs.size(), 1U);
  EXPECT_EQ(config->inputs[0].files.size(), 2U);
  EXPECT_EQ(config->spec.segments.size(), 2U);
  EXPECT_TRUE(config->spec.catalog.has_value());
}

TEST(LiveStarter, is_the_example_for_attach) {
  EXPECT_EQ(live_starter_config(), *config::read_file((examples / "live.yaml").string(), 1 << 20));
}

// What the summary tells of it, but for what is chosen: inputs, windows, segments and the file of rows.
TEST(LiveStarter, shows_the_defaults_but_for_what_is_chosen) {
  const auto starter = load(live_starter_config());
  const auto chosen = load(R"(
inputs: [{topic: impressions}, {topic: feedback}]
windows: [{name: hour, size: 1h, slide: 5m}, {name: day, size: 1d}]
segments: [[variant]]
publish: {file: {}}
)");
  ASSERT_TRUE(starter.has_value()) << all_text(starter.error());
  ASSERT_TRUE(chosen.has_value()) << all_text(chosen.error());
  EXPECT_EQ(summary_text(*starter), summary_text(*chosen));
  EXPECT_EQ(config_changes(*starter, *chosen).size(), 0U);
}

TEST(LiveStarter, loads_with_its_commented_lines_too) {
  const auto config =
      load(uncommented(live_starter_config(), {"    # fields",     "    # types",      "    # allowed_lateness",
                                               "    # idle_after", "  # properties",   "  #   s",
                                               "# experiments:",   "#   - name",       "#     ",
                                               "  # kafka:",       "  #   topic",      "  # experiments:",
                                               "  #   file",       "    # token_file", "    # certificate",
                                               "    # key",        "    # probes",     "# dead_letter:",
                                               "#   topic",        "#   fates"}));
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  EXPECT_EQ(config->inputs.at(0).fields.types.at("list_view"), "impression");
  EXPECT_EQ(config->kafka.properties.size(), 4U);
  EXPECT_EQ(config->publish.kafka->topic, "recmeter.windows");
  EXPECT_EQ(config->publish.experiments.topic, "recmeter.looks");
  EXPECT_EQ(config->spec.experiments.size(), 1U);
  EXPECT_EQ(config->publish.http.probes, "0.0.0.0:8081");
  EXPECT_EQ(config->publish.http.key, "server.key");
  EXPECT_TRUE(config->dead_letter->future);
}

}  // namespace
}  // namespace recmeter::testing
