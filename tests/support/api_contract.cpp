#include "support/api_contract.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

namespace recmeter::support {

namespace {

using nlohmann::json;

class Judge {
 public:
  explicit Judge(const YAML::Node& root) : root_(root) {}

  void judge(const json& value, YAML::Node schema, const std::string& place) {
    schema = resolved(schema);
    check_keywords(schema, place);
    const auto type = schema["type"].as<std::string>("");
    if (value.is_null()) {
      if (!schema["nullable"].as<bool>(false)) add(place, "is null");
    } else if (!is_of(value, type)) {
      add(place, "is no " + type);
    } else if (type == "object") {
      judge_object(value, schema, place);
    } else if (type == "array") {
      judge_array(value, schema, place);
    } else {
      judge_scalar(value, schema, place);
    }
  }

  // Follows references, from one to the next.
  [[nodiscard]] YAML::Node resolved(YAML::Node node) const {
    while (const YAML::Node reference = node["$ref"]) {
      YAML::Node there;
      there.reset(root_);
      std::string path = reference.as<std::string>().substr(2) + "/";  // without "#/"
      for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/')) {
        there.reset(std::as_const(there)[path.substr(0, end)]);
        path.erase(0, end + 1);
      }
      node.reset(there);
    }
    return node;
  }

  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

 private:
  void add(const std::string& place, const std::string& what) { faults_.push_back(place + " " + what); }

  void check_keywords(const YAML::Node& schema, const std::string& place) {
    constexpr std::array known{"type",   "nullable",    "enum",     "pattern",    "minimum",  "maximum",
                               "items",  "minItems",    "maxItems", "properties", "required", "additionalProperties",
                               "format", "description", "example"};
    if (!schema.IsMap() || !schema["type"]) add(place, "has a schema without a type");
    for (const auto& entry : schema) {
      const auto keyword = entry.first.as<std::string>();
      if (std::find(known.begin(), known.end(), keyword) == known.end())
        add(place, "has a schema with an unknown " + keyword);
    }
  }

  static bool is_of(const json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == "boolean" && value.is_boolean();
  }

  void judge_object(const json& value, const YAML::Node& schema, const std::string& place) {
    for (const auto& name : schema["required"]) {
      if (!value.contains(name.as<std::string>())) add(place, "has no " + name.as<std::string>());
    }
    const YAML::Node others = schema["additionalProperties"];
    for (const auto& [name, member] : value.items()) {
      const std::string there = place + "." + name;
      if (schema["properties"] && schema["properties"][name]) {
        judge(member, schema["properties"][name], there);
      } else if (others && others.IsMap()) {
        judge(member, others, there);
      } else {
        add(there, "is not told of");
      }
    }
  }

  void judge_array(const json& value, const YAML::Node& schema, const std::string& place) {
    if (value.size() < schema["minItems"].as<std::size_t>(0)) add(place, "is too short");
    if (value.size() > schema["maxItems"].as<std::size_t>(value.size())) add(place, "is too long");
    for (std::size_t i = 0; i < value.size(); ++i) judge(value[i], schema["items"], place + "[" + std::to_string(i) + "]");
  }

  void judge_scalar(const json& value, const YAML::Node& schema, const std::string& place) {
    if (value.is_number()) {
      const auto number = value.get<double>();
      if (number < schema["minimum"].as<double>(number)) add(place, "is too small");
      if (number > schema["maximum"].as<double>(number)) add(place, "is too large");
      return;
    }
    if (!value.is_string()) return;
    const auto text = value.get<std::string>();
    const auto is_text = [&](const YAML::Node& word) { return word.as<std::string>() == text; };
    if (schema["enum"] && std::none_of(schema["enum"].begin(), schema["enum"].end(), is_text))
      add(place, "may not be " + text);
    if (schema["pattern"] && !std::regex_search(text, std::regex(schema["pattern"].as<std::string>()))) {
      add(place, "has not the form of one: " + text);
    }
  }

  const YAML::Node& root_;
  std::vector<std::string> faults_;
};

void find_bare(const YAML::Node& node, const std::string& place, std::vector<std::string>& out) {
  if (node.IsMap()) {
    const auto type = node["type"] && node["type"].IsScalar() ? node["type"].as<std::string>() : "";
    const bool is_bare_object = type == "object" && !node["properties"] && !node["additionalProperties"];
    if (is_bare_object || (type == "array" && !node["items"])) out.push_back(place);
    for (const auto& entry : node) find_bare(entry.second, place + "/" + entry.first.as<std::string>(), out);
  } else if (node.IsNull()) {
    out.push_back(place);
  } else if (node.IsSequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) find_bare(node[i], place + "/" + std::to_string(i), out);
  }
}

// Of a path, or one whose last part stands for it: /experiments/{name}.
YAML::Node answers_of(const YAML::Node& root, const std::string& path) {
  for (const auto& entry : root["paths"]) {
    const auto known = entry.first.as<std::string>();
    const std::size_t variable = known.find('{');
    const bool is_it = variable == std::string::npos
                           ? known == path
                           : path.size() > variable && path.starts_with(known.substr(0, variable)) &&
                                 path.find('/', variable) == std::string::npos;
    if (is_it) return entry.second["get"]["responses"];
  }
  return {};
}

}  // namespace

ApiContract::ApiContract() : root_(YAML::LoadFile(RECMETER_SOURCE_DIR "/docs/openapi.yaml")) {}

std::vector<std::string> ApiContract::faults(const json& value, const std::string& schema) const {
  const YAML::Node found = root_["components"]["schemas"][schema];
  if (!found) return {"there is no schema " + schema};
  Judge judge(root_);
  judge.judge(value, found, schema);
  return judge.faults();
}

std::vector<std::string> ApiContract::faults_of_answer(const json& value, const std::string& path, int status) const {
  const YAML::Node answers = answers_of(root_, path);
  if (!answers) return {"there is no path " + path};
  Judge judge(root_);
  const YAML::Node named = answers[std::to_string(status)];
  const YAML::Node response = judge.resolved(named ? named : answers["default"]);
  const YAML::Node content = response["content"];
  for (const char* type : {"application/json", "application/problem+json"}) {
    if (content && content[type]) judge.judge(value, content[type]["schema"], path);
  }
  if (!content) return {path + " has no content"};
  return judge.faults();
}

std::vector<std::string> ApiContract::bare_schemas() const {
  std::vector<std::string> out;
  find_bare(root_, "", out);
  return out;
}

}  // namespace recmeter::support
