// docs/schemas against what they are made of: docs/openapi.yaml, which tests hold against rows and answers, and the table of
// configuration keys. RECMETER_RECORD_SCHEMAS=1 writes them anew.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "config/schema.h"

namespace recmeter::docs {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view folder = RECMETER_SOURCE_DIR "/docs/schemas/";

json scalar(const YAML::Node& node) {
  if (node.Tag() == "!") return node.as<std::string>();  // it stands in quotes
  if (bool truth = false; YAML::convert<bool>::decode(node, truth)) return truth;
  if (std::int64_t number = 0; YAML::convert<std::int64_t>::decode(node, number)) return number;
  if (double number = 0; YAML::convert<double>::decode(node, number)) return number;
  return node.as<std::string>();
}

// A schema of OpenAPI 3.0 as one of JSON Schema. What it refers to is collected in `names`.
json converted(const YAML::Node& node, std::vector<std::string>& names) {
  if (node.IsSequence()) {
    json list = json::array();
    for (const YAML::Node& entry : node) list.push_back(converted(entry, names));
    return list;
  }
  if (!node.IsMap()) return scalar(node);
  json out = json::object();
  bool is_nullable = false;
  for (const auto& member : node) {
    const auto key = member.first.as<std::string>();
    if (key == "$ref") {
      const auto path = member.second.as<std::string>();
      const std::string name = path.substr(path.rfind('/') + 1);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      out[key] = "#/$defs/" + name;
    } else if (key == "nullable" && member.second.IsScalar()) {
      is_nullable = member.second.as<bool>();
    } else if (key == "example" && !member.second.IsMap()) {
      out["examples"] = json::array({converted(member.second, names)});
    } else if (key != "format" || member.second.IsMap()) {
      out[key] = converted(member.second, names);
    }
  }
  if (is_nullable) out["type"] = json::array({out["type"], "null"});
  if (out.contains("properties") && !out.contains("additionalProperties")) out["additionalProperties"] = false;
  return out;
}

json schema_of(const std::string& component, const std::string& title) {
  const YAML::Node root = YAML::LoadFile(RECMETER_SOURCE_DIR "/docs/openapi.yaml");
  const YAML::Node components = root["components"]["schemas"];
  std::vector<std::string> names;
  json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  out.update(converted(components[component], names));
  for (std::size_t i = 0; i < names.size(); ++i) {  // converting one may add others
    const std::string name = names[i];
    out["$defs"][name] = converted(components[name], names);
  }
  return out;
}

// A run report is what /api/v1/status answers without what only a running evaluator has.
json report_schema() {
  json out = schema_of("Status", "Run report of recmeter: recmeter.report/1");
  constexpr std::array live{"evaluator",    "watermark",     "held_back_by", "state",  "waiting",
                            "rows_waiting", "looks_waiting", "ready",        "reasons"};
  constexpr std::array live_of_partition{"lag_records", "open_transaction_records", "lost_records", "lag_seconds", "idle"};
  const auto make_optional = [](json& schema, std::string_view name) {
    json& required = schema["required"];
    required.erase(std::remove(required.begin(), required.end(), name), required.end());
  };
  for (const std::string_view name : live) make_optional(out, name);
  for (const std::string_view name : live_of_partition) make_optional(out["$defs"]["Partition"], name);
  return out;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_file(const std::string& name, const std::string& text) {
  const std::string path = std::string(folder) + name;
  if (std::getenv("RECMETER_RECORD_SCHEMAS") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(text_of(path), text) << "run docs_test with RECMETER_RECORD_SCHEMAS=1";
}

TEST(Schemas, rows_are_described_as_the_api_is) {
  expect_file("row.schema.json", schema_of("Row", "Row of recmeter: recmeter.window/1").dump(1) + "\n");
}

TEST(Schemas, what_why_answers_is_described_as_the_api_is) {
  expect_file("why.schema.json", schema_of("Why", "Answer of recmeter why: recmeter.why/1").dump(1) + "\n");
}

TEST(Schemas, reports_are_described_as_the_api_is) {
  expect_file("report.schema.json", report_schema().dump(1) + "\n");
}

TEST(Schemas, configurations_are_described_by_their_keys) {
  expect_file("configuration.schema.json", config_schema() + "\n");
}

}  // namespace
}  // namespace recmeter::docs
