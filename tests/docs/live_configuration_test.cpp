// docs/live-configuration.md against what loads: every key of a live run, its bounds and words, its default, and what a
// change of it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "config/document.h"
#include "config/keys.h"
#include "config/load_config.h"
#include "config/readers.h"
#include "config/starter.h"
#include "docs/page.h"

namespace recmeter::docs {
namespace {

// What the page tells of, by the names of Faults::known(). A section that is added to one of them is, too.
constexpr std::array sections{"inputs[0]", "time", "kafka", "state", "attribution", "publish", "dead_letter", "limits"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

// Limits of runs without a state: docs/prequential.md, and of experiments: docs/outputs.md.
bool is_of_bounded_runs(const std::string& key) {
  return key.starts_with("limits.recommender_") || key == "limits.experiment_users";
}

// The keys that are read where every optional section is written.
std::set<std::string> keys_read() {
  config::Faults faults("test.yaml");
  const auto document = config::parse_document(
      "{inputs: [{topic: a}], attribution: {windows: [hour]}, publish: {file: {}, kafka: {}, experiments: {file: e}}, "
      "dead_letter: {file: dead.jsonl}}",
      process_context().environment, faults);
  EXPECT_TRUE(document.has_value());
  (void)config::read_config(*document, process_context(), faults);
  EXPECT_TRUE(faults.empty());
  std::set<std::string> keys;
  for (const auto& [section, names] : faults.known()) {
    const auto is_in = [&](std::string_view root) { return section == root || section.starts_with(std::string(root) + "."); };
    if (section == "inputs[0].fields" || std::ranges::none_of(sections, is_in)) continue;  // the README has the fields
    for (const std::string& name : names) keys.insert(replaced(section + "." + name, "[0]", "[]"));
  }
  std::erase_if(keys, is_of_bounded_runs);
  keys.erase("inputs[].csv");  // by the keys in it
  keys.erase("inputs[].registry");
  return keys;
}

struct Told {
  std::string key, may_be, usual, change;
};
std::vector<Told> keys_told() {
  const Page page("docs/live-configuration.md");
  std::vector<Told> out;
  for (const std::string& heading : page.headings()) {
    for (const auto& row : page.table_rows(heading)) {
      EXPECT_EQ(row.size(), 5U) << row.front();
      out.push_back({code_spans(row.at(0)).at(0), row.at(1), row.at(2), row.at(4)});
    }
  }
  return out;
}

// What is found at `key` when it alone is written so.
std::vector<ConfigFault> faults_of(const std::string& key, const std::string& value) {
  std::string path = replaced(key, "[]", "[0]");
  const std::string place = path;
  std::string text = value;
  for (std::size_t dot = path.rfind('.'); dot != std::string::npos; dot = path.rfind('.')) {
    text = "{" + path.substr(dot + 1) + ": " + text + "}";
    path.resize(dot);
  }
  const bool is_input = path == "inputs[0]";
  const auto loaded = load_config(is_input ? "inputs: [" + text + "]" : path + ": " + text, "test.yaml", process_context());
  std::vector<ConfigFault> out;
  if (loaded) return out;
  std::ranges::copy_if(loaded.error(), std::back_inserter(out),
                       [&](const ConfigFault& fault) { return fault.path == place; });
  return out;
}

bool is_one_span(const std::string& cell) {
  return std::regex_match(cell, std::regex("`[^`]+`"));
}
bool is_words(const std::string& cell) {
  return std::regex_match(cell, std::regex("`[^`]+`((, `[^`]+`)* or `[^`]+`)?"));
}
bool is_range(const std::string& cell) {
  return std::regex_match(cell, std::regex("`[^`]+` to `[^`]+`"));
}

TEST(DocsLiveConfiguration, tells_of_every_key_and_no_other) {
  std::set<std::string> told;
  for (const Told& one : keys_told()) EXPECT_TRUE(told.insert(one.key).second) << one.key << " is there twice";
  EXPECT_EQ(told, keys_read());
}

TEST(DocsLiveConfiguration, has_the_bounds_that_are_held) {
  std::size_t count = 0;
  for (const Told& one : keys_told()) {
    if (!is_range(one.may_be)) continue;
    ++count;
    const auto bounds = code_spans(one.may_be);
    for (const std::string& bound : bounds) {
      for (const ConfigFault& fault : faults_of(one.key, bound)) {
        EXPECT_EQ(fault.message.find(" is too "), std::string::npos) << one.key << ": " << fault.message;
      }
    }
    // One of these is beyond the largest, whatever the key takes.
    std::string remedies;
    for (const char* beyond : {"10001d", "10000d", "1000TiB", "9000000000000000000", "2"}) {
      for (const ConfigFault& fault : faults_of(one.key, beyond)) remedies += fault.remedy + "\n";
    }
    const bool is_as_told = remedies.find(" from " + bounds[0] + " to " + bounds[1] + "\n") != std::string::npos ||
                            remedies.find("write at most " + bounds[1] + "\n") != std::string::npos;
    EXPECT_TRUE(is_as_told) << one.key << " is not " << one.may_be << ":\n" << remedies;
  }
  EXPECT_GT(count, 30U);
}

TEST(DocsLiveConfiguration, has_the_words_that_are_taken) {
  std::size_t count = 0;
  for (const Told& one : keys_told()) {
    if (!is_words(one.may_be)) continue;
    ++count;
    const auto words = code_spans(one.may_be);
    for (const std::string& word : words) {
      for (const ConfigFault& fault : faults_of(one.key, word)) {
        EXPECT_EQ(fault.message.find("is not a choice"), std::string::npos) << one.key << ": " << fault.message;
      }
    }
    const auto refused = faults_of(one.key, "zzz");
    ASSERT_EQ(refused.size(), 1U) << one.key;
    EXPECT_EQ(code_spans(refused[0].remedy), words) << one.key;
  }
  EXPECT_GT(count, 5U);
}

DeadLetterSpec letters_where_nothing_is_said() {
  const auto loaded = load_config("dead_letter: {}", "test.yaml", process_context());
  EXPECT_TRUE(loaded.has_value());
  return loaded->dead_letter.value();
}

// Every default that the page has as one value: those of the keys, and of what is read by hand.
std::map<std::string, std::string> defaults() {
  const Config config;
  const DeadLetterSpec letters = letters_where_nothing_is_said();
  EXPECT_TRUE(letters.invalid && letters.future && !letters.late);
  std::map<std::string, std::string> out{{"kafka.brokers", config.kafka.brokers},
                                         {"kafka.start", "stored"},
                                         {"publish.kafka.topic", PublishSpec::Kafka().topic},
                                         {"publish.http.listen", address_of(config.publish.http)},
                                         {"dead_letter.topic", letters.topic},
                                         {"dead_letter.fates", "[invalid, future]"}};
  EXPECT_EQ(config.kafka.start, KafkaSpec::Start::stored);
  const std::set<std::string> of_another{"inputs[].allowed_lateness", "inputs[].idle_after"};  // as `time` has it
  for (const ConfigKey& key : config_keys()) {
    const auto is_in = [&](std::string_view section) {
      return key.name.starts_with(replaced(std::string(section), "[0]", "[]") + ".");
    };
    if (key.usual.empty() || of_another.contains(key.name) || std::ranges::none_of(sections, is_in)) continue;
    if (!is_of_bounded_runs(key.name)) out[key.name] = key.usual;
  }
  return out;
}

TEST(DocsLiveConfiguration, has_the_defaults) {
  std::map<std::string, std::string> told;
  for (const Told& one : keys_told()) {
    if (is_one_span(one.usual)) told[one.key] = code_spans(one.usual)[0];
  }
  EXPECT_EQ(told, defaults());
}

TEST(DocsLiveConfiguration, has_an_example_with_every_key_and_its_default) {
  const std::set<std::string> of_files{"inputs[].file", "inputs[].format", "inputs[].csv.comment", "inputs[].csv.skip",
                                       "time.max_step"};
  const auto values = defaults();
  const std::string example(live_starter_config());
  for (const std::string& key : keys_read()) {
    if (of_files.contains(key)) continue;
    const auto value = values.find(key);
    const std::string line = key.substr(key.rfind('.') + 1) + (value == values.end() ? ":" : ": " + value->second);
    EXPECT_NE(example.find(" " + line), std::string::npos) << key << " is not there as " << line;
  }
}

TEST(DocsLiveConfiguration, says_of_each_key_what_a_change_does) {
  const std::map<KeyKind, std::string> words{
      {KeyKind::free, "free"}, {KeyKind::additive, "additive"}, {KeyKind::meaning, "meaning"}};
  for (const Told& one : keys_told()) {
    const auto keys = config_keys();
    const auto is_told = [&](const ConfigKey& key) { return key.name == one.key || key.name.starts_with(one.key + "."); };
    const auto key = std::ranges::find_if(keys, is_told);
    ASSERT_NE(key, keys.end()) << one.key;
    EXPECT_EQ(one.change.substr(0, one.change.find(':')), words.at(key->kind)) << one.key;
  }
}

}  // namespace
}  // namespace recmeter::docs
