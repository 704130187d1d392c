#include "config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "config/keys.h"
#include "recmeter/event/decoder.h"
#include "recmeter/metric/definition_id.h"

namespace recmeter {

namespace {

using config::json_string;

// A variable may stand for every scalar. Text is what is written, so a number is one, too.
constexpr std::string_view definitions =
    R"("variable":{"type":"string","pattern":"\\$\\{"},)"
    R"("text":{"type":["string","number","boolean"]},)"
    R"("integer":{"anyOf":[{"type":"integer"},{"$ref":"#/$defs/variable"}]},)"
    R"("number":{"anyOf":[{"type":"number"},{"$ref":"#/$defs/variable"}]},)"
    R"("duration":{"type":"string","pattern":"^[0-9]+(ms|s|m|h|d)$|\\$\\{"},)"
    R"("change":{"anyOf":[{"$ref":"#/$defs/number"},{"type":"object","required":["absolute"],"additionalProperties":)"
    R"(false,"properties":{"absolute":{"$ref":"#/$defs/number"}}}]},)"
    R"("pattern":{"type":["string","number","boolean","null"]},)"
    R"("conditions":{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/)"
    R"(pattern"},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/pattern"}}]}},)"
    R"("source":{"anyOf":[{"$ref":"#/$defs/text"},{"type":"array","minItems":1,"items":{)"
    R"("$ref":"#/$defs/source"}},{"type":"object","additionalProperties":false,)"
    R"("properties":{"is":{"$ref":"#/$defs/text"},"join":{"type":"array","minItems":1,)"
    R"("items":{"$ref":"#/$defs/source"}},"with":{"$ref":"#/$defs/text"},"product":{"type":"array","minItems":1,)"
    R"("items":{"$ref":"#/$defs/source"}},"zip":{"type":"array","minItems":2,"items":{"$ref":"#/$defs/source"}},"at":{)"
    R"("$ref":"#/$defs/text"},"split":{"$ref":"#/$defs/text"},"list":{"$ref":"#/$defs/text"},"part":{"$ref":)"
    R"("#/$defs/text"}}}]},)"
    R"("size":{"type":"string","pattern":"^[0-9]+([KMGT]i)?B$|\\$\\{"})";

std::string words_schema(const auto& words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ",") + json_string(word);
  return fmt::format(R"("anyOf":[{{"enum":[{}]}},{{"$ref":"#/$defs/variable"}}])", list);
}

std::string number_schema(std::string_view type, const auto& range) {
  return fmt::format(R"("anyOf":[{{"type":"{}","minimum":{},"maximum":{}}},{{"$ref":"#/$defs/variable"}}])", type, range.low,
                     range.high);
}

std::string option_schema(const OptionWords& option) {
  if (option.option == MetricOption::action) return R"("$ref":"#/$defs/text")";
  return option.words.empty() ? std::string(R"("$ref":"#/$defs/number")") : words_schema(option.words);
}

std::string fields_schema() {
  std::string fields;
  for (std::size_t i = 0; i < field_count; ++i) {
    const auto field = static_cast<Field>(i);
    const std::string_view source = field == Field::segments
                                        ? R"("anyOf":[{"$ref":"#/$defs/source"},{"type":"object","additionalProperties":)"
                                          R"({"$ref":"#/$defs/source"}},{"type":"null"}])"
                                        : R"("anyOf":[{"$ref":"#/$defs/source"},{"type":"null"}])";
    fields += fmt::format(R"({}:{{{}}},)", json_string(to_string(field)), source);
  }
  for (std::size_t i = 0; i < entry_field_count; ++i) {
    fields += fmt::format(R"({}"items.{}":{{"anyOf":[{{"$ref":"#/$defs/source"}},{{"type":"null"}}]}})", i == 0 ? "" : ",",
                          to_string(static_cast<EntryField>(i)));
  }
  return fmt::format(R"("type":["object","null"],"additionalProperties":false,"properties":{{{}}})", fields);
}

// What other parts know the names of.
std::string schema_by_hand(std::string_view name) {
  if (name == "inputs[].fields") return fields_schema();
  if (name == "inputs[].events") {
    return fmt::format(R"("type":"array","minItems":1,"items":{{"type":"object","required":["type"],"additionalProperties":)"
                       R"(false,"properties":{{"type":{{"$ref":"#/$defs/text"}},"when":{{"$ref":"#/$defs/conditions"}},)"
                       R"("entries":{{"$ref":"#/$defs/conditions"}},"fields":{{{}}}}}}})",
                       fields_schema());
  }
  if (name == "inputs[].unit") {
    return fmt::format(R"("anyOf":[{{{}}},{{"type":"object","required":["pattern"],"additionalProperties":false,)"
                       R"("properties":{{"pattern":{{"$ref":"#/$defs/text"}}}}}}])",
                       words_schema(config::unit_words));
  }
  if (name == "limits.tolerated_reasons") {
    std::vector<std::string_view> reasons;
    for (std::size_t i = 0; i < invalid_reason_count; ++i) reasons.push_back(to_string(static_cast<InvalidReason>(i)));
    return fmt::format(R"("type":"array","items":{{{}}})", words_schema(reasons));
  }
  std::string options;
  for (const OptionWords& option : all_options()) {
    if (name == fmt::format("metrics.{}", option.name)) return option_schema(option);
    if (std::ranges::find(all_options(), option.name, &OptionWords::name)->option != option.option) continue;
    options += fmt::format(",{}:{{{}}}", json_string(option.name), option_schema(option));
  }
  return fmt::format(R"("type":"array","minItems":1,"items":{{"anyOf":[{{"$ref":"#/$defs/text"}},{{"type":"object",)"
                     R"("required":["name"],"additionalProperties":false,"properties":{{"name":{{"$ref":"#/$defs/text"}},)"
                     R"("as":{{"$ref":"#/$defs/text"}},"preset":{{"$ref":"#/$defs/text"}}{}}}}}]}})",
                     options);
}

// The members of a key's schema, and bounds that a schema has no word for.
struct TypeSchema {
  std::string operator()(const config::TextType& /*type*/) { return R"("$ref":"#/$defs/text")"; }
  std::string operator()(const config::IntegerType& type) { return number_schema("integer", type); }
  std::string operator()(const config::NumberType& type) { return number_schema("number", type); }
  std::string operator()(const config::BooleanType& /*type*/) {
    return R"("anyOf":[{"type":"boolean"},{"$ref":"#/$defs/variable"}])";
  }
  std::string operator()(const config::WordType& type) { return words_schema(type.words); }
  std::string operator()(const config::HandType& type) {
    return type.schema.empty() ? schema_by_hand(name) : std::string(type.schema);
  }
  std::string operator()(const config::DurationType& type) {
    bounds = fmt::format("; {} to {}", config::text_of(type.low), config::text_of(type.high));
    return R"("$ref":"#/$defs/duration")";
  }
  std::string operator()(const config::SizeType& type) {
    bounds = fmt::format("; {} to {}", config::text_of_size(type.low), config::text_of_size(type.high));
    return R"("$ref":"#/$defs/size")";
  }

  std::string_view name;
  std::string bounds;
};

std::string key_schema(const ConfigKey& key) {
  TypeSchema type{key.name, {}};
  std::string schema = std::visit(type, key.type);
  schema += fmt::format(R"(,"description":{})", json_string(std::string(key.words) + type.bounds));
  if (key.usual.empty()) return "{" + schema + "}";
  const bool is_bare = std::holds_alternative<config::IntegerType>(key.type) ||
                       std::holds_alternative<config::NumberType>(key.type) ||
                       std::holds_alternative<config::BooleanType>(key.type);
  return fmt::format(R"({{{},"default":{}}})", schema, is_bare ? key.usual : json_string(key.usual));
}

std::string mapping_schema(const std::vector<ConfigKey>& keys, const std::string& section);

// Of what stands below `section`, whose last part is `part`.
std::string below_schema(const std::vector<ConfigKey>& keys, const std::string& section, std::string_view part) {
  std::string schema = mapping_schema(keys, section + ".");
  if (!part.ends_with("[]")) return schema;
  if (section == "inputs[]") schema = R"({"anyOf":[{"$ref":"#/$defs/text"},)" + schema + "]}";
  if (section == "segments[]") schema = R"({"anyOf":[{"type":"array","items":{"$ref":"#/$defs/text"}},)" + schema + "]}";
  return R"({"type":"array","items":)" + schema + "}";
}

// `section`: with the dot behind it.
std::string mapping_schema(const std::vector<ConfigKey>& keys, const std::string& section) {
  std::string properties, others = "false";
  std::set<std::string> done;
  for (const ConfigKey& key : keys) {
    if (!key.name.starts_with(section)) continue;
    const std::string part = key.name.substr(section.size(), key.name.find('.', section.size()) - section.size());
    if (!done.insert(part).second) continue;
    const std::string path = section + part;
    const auto is_below = [&](const ConfigKey& other) { return other.name.starts_with(path + "."); };
    const bool has_below = std::ranges::any_of(keys, is_below);
    const std::string schema = has_below ? below_schema(keys, path, part) : key_schema(key);
    if (part == "*") {
      others = schema;
      continue;
    }
    const std::string name = part.ends_with("[]") ? part.substr(0, part.size() - 2) : part;
    properties += fmt::format("{}{}:{}", properties.empty() ? "" : ",", json_string(name), schema);
  }
  // `limits:` with every line below it commented out is as if absent.
  const std::string_view type = section.ends_with("[].") ? R"("object")" : R"(["object","null"])";
  return fmt::format(R"({{"type":{},"additionalProperties":{},"properties":{{{}}}}})", type, others, properties);
}

}  // namespace

std::string config_schema() {
  std::string schema = mapping_schema(config_keys(), "");
  schema.pop_back();
  return fmt::format(R"({},"$schema":"https://json-schema.org/draft/2020-12/schema","title":"recmeter","$defs":{{{}}}}})",
                     schema, definitions);
}

}  // namespace recmeter
