// `attribution`: what is right loads into the right values; every mistake has one fault with its place and what to do.
#include <gtest/gtest.h>

#include "config/config_change.h"
#include "one_fault.h"

namespace recmeter::testing {
namespace {

TEST(AttributionConfig, reads_every_key) {
  const auto config =
      load("catalog: {file: items.txt}\nattribution: {windows: [hour, day], keep: 3d, ranks: true, item_group: genre}\n");
  ASSERT_TRUE(config) << all_text(config.error());
  const auto& attribution = config->spec.attribution;
  ASSERT_TRUE(attribution);
  EXPECT_EQ(attribution->windows, (std::vector<std::string>{"hour", "day"}));
  EXPECT_EQ(attribution->keep, Duration{3 * one_day.ms});
  EXPECT_TRUE(attribution->ranks);
  EXPECT_EQ(attribution->item_group, "genre");
  EXPECT_EQ(item_groups_of(config->spec), 2u);
}

TEST(AttributionConfig, is_off_without_and_has_the_documented_defaults) {
  EXPECT_FALSE(load("")->spec.attribution);
  const auto config = load("attribution: {windows: [hour]}\n");
  ASSERT_TRUE(config) << all_text(config.error());
  EXPECT_EQ(config->spec.attribution->keep, Duration{50 * one_hour.ms});
  EXPECT_FALSE(config->spec.attribution->ranks);
  EXPECT_EQ(item_groups_of(config->spec), 0u);
}

TEST(AttributionConfig, counts_in_a_live_run_alone) {
  auto config = load("attribution: {windows: [hour], ranks: true}\n");
  ASSERT_TRUE(config) << all_text(config.error());
  EXPECT_TRUE(config->spec.group_sums.empty());
  EXPECT_FALSE(config->spec.metrics.shown_counts.ranks);
  EXPECT_EQ(config->spec.config_hash, load("")->spec.config_hash) << "no value depends on it";
  keep_parts(config->spec);
  EXPECT_EQ(config->spec.group_sums, std::vector<std::string>{"hour"});
  EXPECT_TRUE(config->spec.metrics.shown_counts.ranks);
}

TEST(AttributionConfig, is_additive_but_for_how_long_is_kept) {
  const auto places = [](const char* before, const char* now) {
    std::string text;
    for (const ConfigChange& change : config_changes(*load(before), *load(now))) {
      EXPECT_EQ(change.kind, KeyKind::additive) << change.place;
      text += change.place + " ";
    }
    return text;
  };
  EXPECT_EQ(places("", "attribution: {windows: [hour]}\n"), "attribution.windows ");
  EXPECT_EQ(places("attribution: {windows: [hour]}\n", "attribution: {windows: [hour], ranks: true}\n"),
            "attribution.ranks ");
  EXPECT_EQ(places("attribution: {windows: [hour]}\n", "attribution: {windows: [hour], keep: 9d}\n"), "");
}

TEST(AttributionConfig, has_all_its_faults_at_once) {
  const auto config = load("attribution: {windows: [week, hour], keep: 90m, item_group: genre}\n");
  ASSERT_FALSE(config);
  const std::string text = all_text(config.error());
  for (const char* part : {"`week` is no window", "hour, day", "keep: 90m does not hold two windows `hour`", "write keep: 2h",
                           "there is no catalogue", "items.jsonl"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

class AttributionMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(AttributionMistakes, have_one_fault_with_place_and_remedy) {
  expect_one_fault(GetParam());
}

const Mistake mistakes[] = {
    {"no_windows", "threads: 1\nattribution: {ranks: true}\n", 2, "attribution", "no window is named"},
    {"empty_windows", "threads: 1\nattribution: {windows: []}\n", 2, "attribution.windows", "no window is named"},
    {"whole_window", "attribution: {windows: [all]}\n", 1, "attribution.windows[0]", "is the whole log"},
    {"twice", "attribution: {windows: [hour, hour]}\n", 1, "attribution.windows[1]", "is there twice"},
    {"unknown_window", "attribution: {windows: [hours]}\n", 1, "attribution.windows[0]", "is no window"},
    {"short_keep", "attribution: {windows: [day], keep: 1d}\n", 1, "attribution.keep", "does not hold two windows"},
    {"no_number", "attribution: {windows: [hour], keep: long}\n", 1, "attribution.keep", "long"},
    {"no_attributes", "catalog: {size: 9}\nattribution: {windows: [hour], item_group: genre}\n", 2, "attribution.item_group",
     "no catalogue that says what items are"},
    {"unknown_attribute", "catalog: {file: items.txt}\nattribution: {windows: [hour], item_group: genres}\n", 2,
     "attribution.item_group", "has the attribute `genres`"},
    {"unknown_key", "attribution: {windows: [hour], rank: true}\n", 1, "attribution.rank", "not a key"},
};

INSTANTIATE_TEST_SUITE_P(All, AttributionMistakes, ::testing::ValuesIn(mistakes),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace recmeter::testing
