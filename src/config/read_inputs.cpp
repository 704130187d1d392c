// `inputs`: what is read, and where its fields stand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "config/nearest.h"
#include "config/read_shape.h"
#include "config/readers.h"
#include "config/shapes.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter::config {

namespace {

constexpr std::size_t inputs_max = 10'000;
constexpr std::size_t columns_max = 10'000;

// A plain string is a path when it looks like one; a topic's name has no slash, and few end like a file's.
bool looks_like_path(std::string_view text) {
  constexpr std::array<std::string_view, 8> endings{".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".avro", ".gz", ".zst"};
  return text == "-" || text.find('/') != std::string_view::npos ||
         std::ranges::any_of(endings, [&](std::string_view ending) { return text.ends_with(ending); });
}

bool uses_columns(const InputSpec& input) {
  Shape shape = shape_of(input.fields);
  const WantedFields wanted = wanted_fields(shape);
  return std::ranges::any_of(wanted.members, [](const auto& member) { return member.first.starts_with('$'); });
}

std::string read_shape_name(ValueReader& reader, const Value& value) {
  const auto name = reader.text(value, 64);
  if (!name || shape_config(*name)) return name.value_or("");
  const std::vector<std::string_view> names = shape_names();
  reader.complain_of(value, "is no shape", question_or_choices(*name, names));
  return {};
}

// Topics and files seen so far: what is read twice is counted twice.
struct Seen {
  std::set<std::string> topics;
  std::set<std::string> files;
};

void add_topic(ValueReader& reader, const Value& value, InputSpec& input, Seen& seen) {
  const auto topic = read_topic(reader, value);
  if (!topic) return;
  if (!seen.topics.insert(*topic).second) {
    reader.complain_of(value, "is read already", "remove one of the two");
    return;
  }
  input.topics.push_back(*topic);
}

void add_file(ValueReader& reader, const Value& value, InputSpec& input, Seen& seen) {
  const auto file = reader.text(value, path_bytes_max);
  if (!file) return;
  if (!seen.files.insert(*file).second) {
    reader.complain_of(value, "is read already", "remove one of the two");
    return;
  }
  input.files.push_back(*file);
}

// One name, or a list of them.
template <class Add>
void read_places(Section& section, std::string_view key, const Add& add) {
  const auto value = section.take(key);
  if (!value) return;
  if (value->node->kind != Node::Kind::list) {
    add(*value);
    return;
  }
  const auto entries = section.reader().list(*value, "[a, b]", inputs_max);
  if (entries && entries->empty())
    section.reader().complain(*value, "is an empty list", "name at least one, or remove the line");
  if (entries) std::ranges::for_each(*entries, add);
}

// No character has two meanings.
void check_marks(Section& below, const CsvForm& csv) {
  struct Mark {
    std::string_view key;
    std::string_view text;
    std::string_view word;  // that it may be instead; "": none
  };
  const std::array marks{Mark{"delimiter", csv.delimiter, "tab"},
                         Mark{"quote", csv.quote.empty() ? std::string_view("\"") : csv.quote, "none"},
                         Mark{"escape", csv.escape, ""}, Mark{"comment", csv.comment, ""}};
  const auto complain = [&below](std::string_view key, std::string message, std::string remedy) {
    below.faults().add_at(below.path_of(key), std::move(message), std::move(remedy));
  };
  for (const Mark& mark : marks) {
    if (mark.text.size() <= 1 || mark.text == mark.word) continue;
    complain(mark.key, in_quotes(mark.text) + " is not one character",
             mark.word.empty() ? "write one" : fmt::format("write one, or {}", mark.word));
  }
  for (std::size_t later = 2; later < marks.size(); ++later) {
    for (std::size_t before = 0; before < later; ++before) {
      if (marks[later].text.empty() || marks[before].text != marks[later].text) continue;
      complain(marks[later].key, fmt::format("{} is the {}, too", in_quotes(marks[later].text), marks[before].key),
               "remove it, or write another character");
    }
  }
  if (!csv.decimal.empty() && csv.decimal != "." && csv.decimal != ",") {
    complain("decimal", in_quotes(csv.decimal) + " is no decimal mark", "write `,` or `.`");
  }
  if (csv.decimal == "," && csv.delimiter == ",") {
    complain("decimal", "`,` is the delimiter, too", "remove it, or write the delimiter that the rows have");
  }
}

void read_csv(Section& section, CsvForm& csv) {
  Section below = section.section("csv", "csv: {delimiter: \";\"}");
  below.read(csv_keys, csv);
  if (const auto columns = below.take("columns")) {
    for (const Value& name :
         below.reader().list(*columns, "[user_id, item_id]", columns_max).value_or(std::vector<Value>())) {
      if (auto text = below.reader().text(name, 256)) csv.columns.push_back(std::move(*text));
    }
  }
  below.finish();
  check_marks(below, csv);
  if (csv.header && !csv.columns.empty() && below.faults().none_in({below.path_of("header")})) {
    below.faults().add_at(below.path_of("columns"), "the columns have names, and `header` says that the first row has them",
                          "write `header: false`, or remove `columns`");
  }
}

void read_registry(Section& section, RegistrySpec& registry) {
  Section below = section.section("registry", "registry: {url: https://registry:8081}");
  below.read(registry_keys, registry);
  below.finish();
  if (below.is_written() && !below.has("url")) {
    below.faults().add_at(section.path_of("registry"), "has no `url`", "write `url: https://host:8081`");
  }
  if (registry.certificate.empty() != registry.key.empty()) {
    below.faults().add_at(below.path_of(registry.key.empty() ? "certificate" : "key"),
                          "the registry is shown a certificate with its key, and one of the two is not named",
                          registry.key.empty() ? "add `key`" : "add `certificate`");
  }
  const bool is_plain = registry.url.starts_with("http://");
  if (is_plain && !(registry.ca.empty() && registry.certificate.empty())) {
    below.faults().add_at(below.path_of(registry.ca.empty() ? "certificate" : "ca"), "is of TLS, and the URL is without",
                          "write `url: https://...`");
  }
}

// How messages that are no texts are understood.
void check_messages(Section& section, const InputSpec& input) {
  const bool is_avro = input.format == InputFormat::avro, is_protobuf = input.format == InputFormat::protobuf;
  const bool is_of_topics = !input.topics.empty();
  const bool has_schema = !input.schema.empty(), has_registry = !input.registry.url.empty();
  const auto complain = [&](std::string_view key, std::string message, std::string remedy) {
    section.faults().add_at(section.path_of(key), std::move(message), std::move(remedy));
  };
  if (is_protobuf && !is_of_topics) {
    complain("format", "a file of Protobuf messages does not say where each ends",
             "read the topic, or its dump by `kcat -J`");
  }
  const bool may_have = input.format == InputFormat::kcat || (is_of_topics && (is_avro || is_protobuf));
  for (const std::string_view key : {"schema", "registry", "message"}) {
    if (section.has(key) && !may_have && !is_protobuf) {
      complain(key, fmt::format("`{}` is of messages of a topic in Avro or Protobuf", key),
               "remove it, or write `format: avro` or `protobuf` with a `topic`");
    }
  }
  if (has_schema && has_registry) complain("schema", "the schema is said twice", "keep either `schema` or `registry`");
  if (is_of_topics && (is_avro || is_protobuf) && !has_schema && !section.has("registry")) {
    complain("format", "nothing says which schema the messages were written with",
             "write `registry: {url: https://host:8081}`, or `schema` with a file");
  }
  if (is_protobuf && has_schema && input.message.empty()) {
    complain("schema", "nothing says which of its messages these are", "write `message: package.Name`");
  }
}

// What a format has no use for.
void check_format(Section& section, const InputSpec& input) {
  const bool is_text = input.format == InputFormat::csv || input.format == InputFormat::tsv;
  if (section.has("csv") && !is_text && input.format != InputFormat::automatic) {
    section.faults().add_at(section.path_of("csv"), "`csv` says how rows of text are written, and the format is another",
                            "remove it, or write `format: csv`");
  }
  if (!input.records.empty() && input.format != InputFormat::json && input.format != InputFormat::automatic) {
    section.faults().add_at(section.path_of("records"), "`records` is the array in JSON documents, and the format is another",
                            "remove it, or write `format: json`");
  }
  if (!input.records.empty() && !input.topics.empty()) {
    section.faults().add_at(section.path_of("records"), "a message of a topic is one record", "remove it");
  }
  for (const std::string_view key : {"skip", "comment"}) {
    const bool is_said = key == "skip" ? input.csv.skip > 0 : !input.csv.comment.empty();
    if (input.topics.empty() || !is_said) continue;
    section.faults().add_at(section.path_of("csv"), fmt::format("a message of a topic is a row, and `{}` is of files", key),
                            "remove it");
  }
  if (!input.topics.empty() && is_text && input.csv.header && !uses_columns(input)) {
    section.faults().add_at(section.path_of("format"), "a topic's messages are rows without a header",
                            "write `csv: {header: false, columns: [...]}`, or paths such as `$1`");
  }
}

void read_entry(const Value& value, bool is_first, Config& config, Seen& seen, Section& root) {
  InputSpec input;
  input.fields = config.command_line.fields;
  input.allowed_lateness = config.command_line.allowed_lateness;
  input.idle_after = config.command_line.idle_after;
  ValueReader& reader = root.reader();
  if (value.node->kind == Node::Kind::scalar) {
    if (value.node->is_broken) return;
    looks_like_path(value.node->text) ? add_file(reader, value, input, seen) : add_topic(reader, value, input, seen);
    if (!input.topics.empty()) input.format = InputFormat::jsonl;
    config.inputs.push_back(std::move(input));
    return;
  }
  if (!reader.is_mapping(value, "{topic: impressions} or {file: log.jsonl}")) return;
  Section section(root.faults(), value.node, value.path);
  section.read(input_keys, input);
  read_places(section, "topic", [&](const Value& name) { add_topic(reader, name, input, seen); });
  read_places(section, "file", [&](const Value& name) { add_file(reader, name, input, seen); });
  if (const auto name = section.take("shape")) input.shape = read_shape_name(reader, *name);
  read_csv(section, input.csv);
  read_registry(section, input.registry);
  read_field_table(section, input, config.spec.join);
  section.finish();
  if (!input.topics.empty() && input.format == InputFormat::automatic) input.format = InputFormat::jsonl;
  const auto is_known = [&](std::string_view key) { return root.faults().none_in({section.path_of(key)}); };
  const std::array said{"format", "topic", "file", "csv", "records", "fields", "shape", "schema", "registry", "message"};
  if (std::ranges::all_of(said, is_known)) {
    check_format(section, input);
    check_messages(section, input);
  }

  const bool has_topic = root.faults().is_written(section.path_of("topic"));
  const bool has_file = root.faults().is_written(section.path_of("file"));
  if (has_topic && has_file) {
    reader.complain(value, "has both `topic` and `file`", "write two entries, one for each");
  } else if (!section.has("topic") && !section.has("file") && !is_first) {
    reader.complain(value, "has neither `topic` nor `file`", "name what is read; only the first entry may do without");
  }
  if (has_topic && input.format == InputFormat::kcat) {
    root.faults().add_at(section.path_of("format"), "`kcat` is the form of topic dumps in files, and this is a live topic",
                         "write jsonl, or `file:` with the path of the dump");
  }
  config.inputs.push_back(std::move(input));
}

}  // namespace

void read_inputs(Section& root, Config& config) {
  config.command_line.fields = FieldTable::native();
  const auto value = root.take("inputs");
  if (!value) return;
  const auto entries = root.reader().list(*value, "[{topic: impressions}, {topic: feedback}]", inputs_max);
  if (!entries) return;
  Seen seen;
  for (std::size_t i = 0; i < entries->size(); ++i) read_entry((*entries)[i], i == 0, config, seen, root);
  if (config.inputs.empty()) return;
  config.command_line = config.inputs.front();
  config.command_line.topics.clear();
  config.command_line.files.clear();
}

}  // namespace recmeter::config
