// What a state keeps of its configuration reads as the same configuration, anywhere.
#include "config/kept_text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "config/config_change.h"
#include "config/file_text.h"
#include "loading.h"

namespace recmeter::testing {
namespace {

ConfigContext elsewhere() {
  ConfigContext context = test_context();
  context.environment = [](const std::string&) { return std::optional<std::string>(); };
  return context;
}

void expect_comes_back(const Config& config) {
  const auto again = load_config(config.kept_text, "kept", elsewhere());
  ASSERT_TRUE(again) << config.kept_text << all_text(again.error());
  EXPECT_TRUE(config_changes(config, *again).empty()) << config.kept_text;
  EXPECT_EQ(again->spec.config_hash, config.spec.config_hash);
  EXPECT_EQ(again->kept_text, config.kept_text);
}

TEST(KeptText, is_the_sections_that_decide_results_without_variables) {
  const auto config = load(
      "kafka: {brokers: b, properties: {sasl.password: \"${SECRET}\"}}\nthreads: 3\nname: ${SECRET}\n"
      "inputs: [a, {topic: [b], fields: {user_id: user.id}}]\nlimits:\njoin: {actions: {look: , buy: {gain: 2.5}}}\n"
      "state: {dir: \"${HOME_DIR}\"}\n");
  ASSERT_TRUE(config) << all_text(config.error());
  EXPECT_EQ(config->kept_text,
            "name: \"hunter2\"\n"
            "inputs: [\"a\", {\"topic\": [\"b\"], \"fields\": {\"user_id\": \"user.id\"}}]\n"
            "limits: null\n"
            "join: {\"actions\": {\"look\": null, \"buy\": {\"gain\": \"2.5\"}}}\n");
  expect_comes_back(*config);
}

TEST(KeptText, keeps_characters_that_mean_something_to_yaml) {
  for (const char* value : {"'a: b # c'", "'[x'", "'null'", "'~'", "'a\"b\\c'", "'$$'", "'$${x}'", "ü", "'- a'", "'${COSTS}'",
                            "\"\\u0085 \\u2028\"", "' spaces '"}) {
    const auto config =
        load(std::string("segments: [{keys: [v], keep: [") + value + "]}]\njoin: {not_users: [" + value + "]}\n");
    ASSERT_TRUE(config) << value << all_text(config.error());
    expect_comes_back(*config);
  }
}

TEST(KeptText, of_every_example_comes_back) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RECMETER_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    const auto text = config::read_file(entry.path().string(), 1U << 20U);
    ASSERT_TRUE(text);
    const auto config = load(*text);
    ASSERT_TRUE(config) << entry.path() << all_text(config.error());
    expect_comes_back(*config);
    ++count;
  }
  EXPECT_GT(count, 2);
}

}  // namespace
}  // namespace recmeter::testing
