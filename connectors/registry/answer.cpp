#include "registry/answer.h"

#include <simdjson.h>

namespace recmeter::registry {
namespace {

using simdjson::dom::element;

std::string text_of(const element& object, const char* key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

}  // namespace

std::optional<RegistryAnswer> parse_answer(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  std::string_view text;
  if (parser.parse(json.data(), json.size(), true).get(root) != simdjson::SUCCESS || !root.is_object()) return std::nullopt;
  if (root["schema"].get(text) != simdjson::SUCCESS) return std::nullopt;
  RegistryAnswer answer{.text = std::string(text), .references = {}};
  if (const std::string type = text_of(root, "schemaType"); !type.empty() && type != "AVRO") {
    answer.kind = type == "PROTOBUF" ? KnownSchema::Kind::protobuf : KnownSchema::Kind::other;
  }
  simdjson::dom::array references;
  if (root["references"].get(references) != simdjson::SUCCESS) return answer;
  for (const element reference : references) {
    std::int64_t version = 0;
    if (reference["version"].get(version) != simdjson::SUCCESS) return std::nullopt;
    answer.references.push_back(
        {.name = text_of(reference, "name"), .subject = text_of(reference, "subject"), .version = std::to_string(version)});
  }
  return answer;
}

// Its codes for what is not found: 40401 subject, 40402 version, 40403 schema.
bool says_unknown(std::string_view json) {
  simdjson::dom::parser parser;
  std::int64_t code = 0;
  return parser.parse(json.data(), json.size(), true)["error_code"].get(code) == simdjson::SUCCESS && code >= 40401 &&
         code <= 40403;
}

}  // namespace recmeter::registry
