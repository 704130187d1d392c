// docs/live-configuration.md against what loads: every key of a live run, its bounds and words, its default, and what a
// change of it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "config/config_change.h"
#include "config/document.h"
#include "config/load_config.h"
#include "config/readers.h"
#include "config/scalar.h"
#include "config/starter.h"
#include "docs/page.h"

namespace recmeter::docs {
namespace {

using config::text_of;
using config::text_of_size;

// What the page tells of, by the names of Faults::known(). A section that is added to one of them is, too.
constexpr std::array sections{"inputs[0]", "time", "kafka", "state", "publish", "dead_letter", "limits"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

// The keys that are read where every optional section is written.
std::set<std::string> keys_read() {
  config::Faults faults("test.yaml");
  const auto document =
      config::parse_document("{inputs: [{topic: a}], publish: {file: {}, kafka: {}}, dead_letter: {file: dead.jsonl}}",
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

std::map<std::string, std::string> defaults_of_clients() {
  const PublishSpec::HttpLimits clients;
  const auto number = [](auto value) { return std::to_string(value); };
  const std::map<std::string, std::string> of_clients{{"connections_max", number(clients.connections_max)},
                                                      {"peer_connections_max", number(clients.peer_connections_max)},
                                                      {"header_bytes_max", text_of_size(clients.header_bytes_max)},
                                                      {"fields_max", number(clients.fields_max)},
                                                      {"body_bytes_max", text_of_size(clients.body_bytes_max)},
                                                      {"pending_bytes_max", text_of_size(clients.pending_bytes_max)},
                                                      {"stream_bytes_max", text_of_size(clients.stream_bytes_max)},
                                                      {"header", text_of(clients.header)},
                                                      {"body", text_of(clients.body)},
                                                      {"idle", text_of(clients.idle)},
                                                      {"write", text_of(clients.write)},
                                                      {"linger", text_of(clients.linger)},
                                                      {"heartbeat", text_of(clients.heartbeat)},
                                                      {"retry", text_of(clients.retry)}};
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : of_clients) out["publish.http.limits." + name] = value;
  return out;
}

// Every default that the page has as one value.
std::map<std::string, std::string> defaults() {
  const Config config;
  const KafkaSpec& kafka = config.kafka;
  const PublishSpec::Http& http = config.publish.http;
  const PublishSpec::File file;
  const Limits& limits = config.spec.limits;
  const std::array starts{"stored", "earliest", "latest"}, gaps{"earliest", "latest", "stop"};
  const auto number = [](auto value) { return std::to_string(value); };
  const auto share = [](double value) { return (std::ostringstream() << value).str(); };
  const auto yes = [](bool value) { return std::string(value ? "true" : "false"); };
  const DeadLetterSpec letters = letters_where_nothing_is_said();
  EXPECT_TRUE(letters.invalid && letters.future && !letters.late);
  EXPECT_EQ(config.command_line.format, InputFormat::jsonl);
  EXPECT_EQ(config.command_line.fields.unit, TimeUnit::milliseconds);
  EXPECT_EQ(config.state.durability, StateSpec::Durability::process);
  std::map<std::string, std::string> out{{"inputs[].format", "jsonl"},
                                         {"inputs[].unit", "ms"},
                                         {"inputs[].position_base", number(config.command_line.fields.position_base)},
                                         {"time.allowed_lateness", text_of(config.command_line.allowed_lateness)},
                                         {"time.max_future_skew", text_of(config.spec.time.max_future_skew)},
                                         {"time.max_step", text_of(config.spec.time.max_step)},
                                         {"time.idle_after", text_of(config.command_line.idle_after)},
                                         {"kafka.brokers", kafka.brokers},
                                         {"kafka.group", kafka.group},
                                         {"kafka.start", starts.at(static_cast<std::size_t>(kafka.start))},
                                         {"kafka.on_gap", gaps.at(static_cast<std::size_t>(kafka.on_gap))},
                                         {"kafka.align", text_of(kafka.align)},
                                         {"kafka.memory", text_of_size(kafka.memory)},
                                         {"state.dir", config.state.dir},
                                         {"state.memory", text_of_size(config.state.memory)},
                                         {"state.checkpoint_every", text_of(config.state.checkpoint_every)},
                                         {"state.durability", "process"},
                                         {"state.keep_results", text_of(config.state.keep_results)},
                                         {"publish.every", text_of(config.publish.every)},
                                         {"publish.file.path", file.path},
                                         {"publish.file.provisional", yes(file.provisional)},
                                         {"publish.file.rotate", text_of(file.rotate)},
                                         {"publish.kafka.topic", PublishSpec::Kafka().topic},
                                         {"publish.http.listen", address_of(http)},
                                         {"publish.http.force", yes(http.force)},
                                         {"dead_letter.topic", letters.topic},
                                         {"dead_letter.fates", "[invalid, future]"},
                                         {"limits.list_items", number(limits.list_items)},
                                         {"limits.id_bytes", number(limits.id_bytes)},
                                         {"limits.segment_bytes", number(limits.segment_bytes)},
                                         {"limits.message_bytes", text_of_size(limits.message_bytes)},
                                         {"limits.segment_values", number(limits.segment_values)},
                                         {"limits.distinct_items", number(limits.distinct_items)},
                                         {"limits.compared_lists", number(limits.compared_lists)},
                                         {"limits.windows_per_list", number(limits.windows_per_list)},
                                         {"limits.values_per_list", number(limits.values_per_list)},
                                         {"limits.values_per_day", number(limits.values_per_day)},
                                         {"limits.invalid_share", share(limits.invalid_share)},
                                         {"limits.lost_share", share(limits.lost_share)}};
  out.merge(defaults_of_clients());
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
  const std::set<std::string> of_files{"inputs[].file", "inputs[].format", "time.max_step"};
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
    const auto is_told = [&](const ConfigKey& key) {
      if (key.name == one.key || key.name == one.key + ".*") return true;
      return key.name.ends_with(".*") && one.key.starts_with(key.name.substr(0, key.name.size() - 1));
    };
    const auto key = std::ranges::find_if(config_keys(), is_told);
    ASSERT_NE(key, config_keys().end()) << one.key;
    EXPECT_EQ(one.change.substr(0, one.change.find(':')), words.at(key->kind)) << one.key;
  }
}

}  // namespace
}  // namespace recmeter::docs
