// The JSON Schema of configurations: what loads is valid, what is broken is not.
#include "config/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "config/document.h"
#include "config/file_text.h"
#include "config/keys.h"
#include "config/scalar.h"
#include "loading.h"
#include "support/parsed_json.h"

namespace recmeter::testing {
namespace {

using nlohmann::json;

// As YAML 1.2 types plain scalars.
json json_of(const config::Node& node) {
  using Kind = config::Node::Kind;
  if (node.kind == Kind::null) return nullptr;
  if (node.kind == Kind::scalar) {
    if (const auto flag = config::parse_boolean(node.written)) return *flag;
    if (const auto whole = config::parse_integer(node.written)) return *whole;
    if (const auto number = config::parse_number(node.written)) return *number;
    return node.written;
  }
  json value = node.kind == Kind::list ? json::array() : json::object();
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.kind == Kind::list) {
      value.push_back(json_of(node.items[i]));
    } else {
      value[node.keys[i]] = json_of(node.items[i]);
    }
  }
  return value;
}

bool is_of_type(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  return type == value.type_name();
}

// As much of draft 2020-12 as the schema uses.
class Validator {
 public:
  Validator() : root_(support::parsed_json(config_schema())) {}

  [[nodiscard]] bool accepts(std::string_view yaml) const {
    config::Faults faults("test.yaml");
    const auto document = config::parse_document(yaml, test_context().environment, faults);
    EXPECT_TRUE(document) << yaml;
    return document && is_valid(json_of(*document), root_);
  }

 private:
  [[nodiscard]] bool is_valid(const json& value, const json& schema) const {
    if (schema.is_boolean()) return schema.get<bool>();
    for (const auto& [word, rule] : schema.items()) {
      if (!holds(value, word, rule, schema)) return false;
    }
    return true;
  }

  [[nodiscard]] bool holds(const json& value, const std::string& word, const json& rule, const json& schema) const {
    const auto fits = [&](const json& each) { return is_valid(value, each); };
    if (word == "$ref") return is_valid(value, root_.at(json::json_pointer(rule.get<std::string>().substr(1))));
    if (word == "anyOf") return std::ranges::any_of(rule, fits);
    if (word == "enum") return std::ranges::find(rule, value) != rule.end();
    if (word == "type" && rule.is_string()) return is_of_type(value, rule);
    if (word == "type") return std::ranges::any_of(rule, [&](const json& type) { return is_of_type(value, type); });
    if (word == "minimum") return value >= rule;
    if (word == "maximum") return value <= rule;
    if (word == "pattern" && value.is_string())
      return std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
    if (word == "minItems") return !value.is_array() || value.size() >= rule;
    if (word == "maxItems") return !value.is_array() || value.size() <= rule;
    if (word == "items" && value.is_array()) {
      return std::ranges::all_of(value, [&](const json& item) { return is_valid(item, rule); });
    }
    if (word == "required") return std::ranges::all_of(rule, [&](const json& key) { return value.contains(key); });
    if (word == "additionalProperties" && value.is_object()) return are_valid(value, rule, schema);
    const std::set<std::string> known{
        "properties", "additionalProperties", "items", "pattern", "description", "default", "$defs", "$schema", "title"};
    EXPECT_TRUE(known.contains(word)) << word << " is not checked";
    return true;
  }

  [[nodiscard]] bool are_valid(const json& value, const json& others, const json& schema) const {
    const json properties = schema.value("properties", json::object());
    for (const auto& [key, member] : value.items()) {
      if (!is_valid(member, properties.contains(key) ? properties.at(key) : others)) return false;
    }
    return true;
  }

  json root_;
};

TEST(ConfigSchema, accepts_every_example) {
  const Validator schema;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RECMETER_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_TRUE(schema.accepts(*config::read_file(entry.path().string(), 1 << 20))) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 5U);
}

TEST(ConfigSchema, accepts_each_form_of_a_value) {
  const Validator schema;
  for (const char* yaml :
       {"", "limits:", "threads: ${THREADS}", "inputs: [a, {file: [b, c]}]", "segments: [[a], {keys: [b], keep: [1]}]",
        "join: {actions: {click: , buy: {gain: 2, after: click}}}", "metrics: {names: [mrr, {name: ndcg_list, gain: exp2}]}",
        "catalog: {size: 3}", "publish: {file: {rotate: 1h}, http: {limits: {idle: 9s}}}", "state: {memory: 64MiB}"}) {
    EXPECT_TRUE(load(yaml).has_value()) << yaml;
    EXPECT_TRUE(schema.accepts(yaml)) << yaml;
  }
}

TEST(ConfigSchema, refuses_what_is_broken) {
  const Validator schema;
  for (const char* yaml :
       {"thread: 1", "threads: 1025", "threads: many", "join: {credit: last}", "join: {skew: 5}", "join: {skew: 5 minutes}",
        "join: {actions: {click: {gain: -1}}}", "inputs: [{topics: a}]", "inputs: [{topic: a, unit: sec}]",
        "windows: {size: 1m}", "limits: {lost_share: 1.5}", "limits: {tolerated_reasons: [odd]}", "metrics: {gain: log}",
        "metrics: {names: [{gain: exp2}]}", "state: {memory: 64MB}", "publish: {file: {provisional: maybe}}",
        "publish: {http: {limits: {idles: 9s}}}"}) {
    EXPECT_FALSE(load(yaml).has_value()) << yaml;
    EXPECT_FALSE(schema.accepts(yaml)) << yaml;
  }
}

TEST(ConfigSchema, says_what_every_key_is) {
  for (const ConfigKey& key : config_keys()) EXPECT_FALSE(key.words.empty()) << key.name;
  const json threads = support::parsed_json(config_schema()).at("properties").at("threads");
  EXPECT_EQ(threads.at("default"), 0);
  EXPECT_EQ(threads.at("description"), "threads that evaluate; 0: one a core");
}

}  // namespace
}  // namespace recmeter::testing
