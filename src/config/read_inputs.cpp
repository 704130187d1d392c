// `inputs`: what is read, and where its fields stand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "config/nearest.h"
#include "config/readers.h"

namespace recmeter::config {

namespace {

constexpr std::size_t inputs_max = 10'000;
constexpr std::size_t path_parts_max = 16;
constexpr std::string_view entry_item_id = "items.item_id";
constexpr std::string_view entry_value = "items.value";

// A plain string is a path when it looks like one; a topic's name has no slash, and few end like a file's.
bool looks_like_path(std::string_view text) {
  constexpr std::array<std::string_view, 5> endings{".jsonl", ".ndjson", ".json", ".gz", ".zst"};
  return text == "-" || text.find('/') != std::string_view::npos ||
         std::ranges::any_of(endings, [&](std::string_view ending) { return text.ends_with(ending); });
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

// How other languages of paths go into a list: `items[]`, `items[0]`, `items[*]`, `$`. Here they would be names.
bool is_foreign_step(std::string_view part) {
  if (part == "$" || part == "*") return true;
  const std::size_t open = part.find('[');
  if (open == std::string_view::npos || !part.ends_with(']')) return false;
  const std::string_view within = part.substr(open + 1, part.size() - open - 2);
  return within.find_first_not_of("0123456789*:") == std::string_view::npos || within.find_first_of("'\"") == 0;
}

std::optional<std::vector<std::string>> read_path(ValueReader& reader, const Value& value) {
  const auto text = reader.text(value, 1024);
  if (!text) return std::nullopt;
  std::vector<std::string> parts{""};
  for (const char c : *text) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (std::ranges::find(parts, "") != parts.end()) {
    reader.complain_of(value, "has an empty part", "write names joined by single dots: user.id");
    return std::nullopt;
  }
  if (std::ranges::any_of(parts, is_foreign_step)) {
    reader.complain_of(value, "goes into a list or begins at `$`, and paths are names joined by dots",
                       "write `items` with the path of the list, and `items.item_id` with that within one of its entries");
    return std::nullopt;
  }
  if (parts.size() > path_parts_max) {
    reader.complain_of(value, fmt::format("has {} parts", parts.size()), fmt::format("write at most {}", path_parts_max));
    return std::nullopt;
  }
  return parts;
}

bool is_prefix(const std::vector<std::string>& shorter, const std::vector<std::string>& longer) {
  return shorter.size() <= longer.size() && std::equal(shorter.begin(), shorter.end(), longer.begin());
}

std::string dotted(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ".") + part;
  return text;
}

// Two fields whose paths meet: one value cannot be both, and a value cannot be within a value.
void check_paths(Section& fields, const FieldTable& table) {
  for (std::size_t a = 0; a < field_count; ++a) {
    const std::string_view name = to_string(static_cast<Field>(a));
    if (!fields.faults().is_written(fields.path_of(name))) continue;
    for (std::size_t b = 0; b < field_count; ++b) {
      const std::string_view other = to_string(static_cast<Field>(b));
      const bool other_is_written = fields.faults().is_written(fields.path_of(other));
      if (a == b || (other_is_written && b > a)) continue;  // each pair once, at a line that was written
      if (!is_prefix(table.paths[a], table.paths[b]) && !is_prefix(table.paths[b], table.paths[a])) continue;
      const bool is_same = table.paths[a] == table.paths[b];
      fields.faults().add_at(fields.path_of(name),
                             is_same ? fmt::format("`{}` stands at {}, where `{}` {}", name, quoted(dotted(table.paths[a])),
                                                   other, other_is_written ? "stands, too" : "stands by default")
                                     : fmt::format("`{}` at {} and `{}` at {} lie within each other", name,
                                                   quoted(dotted(table.paths[a])), other, quoted(dotted(table.paths[b]))),
                             other_is_written ? "give each field a path of its own"
                                              : fmt::format("choose another path, or give `{}` one, too", other));
      break;
    }
  }
  if (is_prefix(table.entry_item_id, table.entry_value) || is_prefix(table.entry_value, table.entry_item_id)) {
    const bool at_value = fields.faults().is_written(fields.path_of(entry_value));
    fields.faults().add_at(fields.path_of(at_value ? entry_value : entry_item_id),
                           "an entry's item id and value stand at one place", "give each a path of its own");
  }
}

void read_fields(Section& section, FieldTable& table) {
  Section fields = section.section("fields", "fields: {user_id: user.id}");
  for (std::size_t i = 0; i < field_count; ++i) {
    if (const auto value = fields.take(to_string(static_cast<Field>(i)))) {
      if (auto path = read_path(fields.reader(), *value)) table.paths[i] = std::move(*path);
    }
  }
  // Within one entry of a basket given as objects: [S2.10].
  if (const auto value = fields.take(entry_item_id)) {
    if (auto path = read_path(fields.reader(), *value)) table.entry_item_id = std::move(*path);
  }
  if (const auto value = fields.take(entry_value)) {
    if (auto path = read_path(fields.reader(), *value)) table.entry_value = std::move(*path);
  }
  fields.finish();
  if (fields.is_written() && fields.faults().none_in({fields.path()})) check_paths(fields, table);
}

void read_types(Section& section, FieldTable& table, const JoinRule& rule) {
  const auto value = section.take("types");
  if (!value || !section.reader().is_mapping(*value, "types: {product_click: click}")) return;
  std::vector<std::string_view> names{"impression"};
  for (const Action& action : rule.actions) names.push_back(action.name);
  for (std::size_t i = 0; i < value->node->keys.size(); ++i) {
    const std::string& word = value->node->keys[i];
    const Value ours{&value->node->items[i], joined(value->path, shortened(word))};
    if (word.empty()) {
      section.faults().add(value->node->key_places[i], value->path, "an empty word stands for nothing", "remove it");
      continue;
    }
    const auto type = section.reader().text(ours, 256);
    if (!type) continue;
    if (std::ranges::find(names, *type) == names.end()) {
      const auto meant = nearest(*type, names);
      section.reader().complain_of(
          ours, "is neither `impression` nor one of join.actions",
          meant ? fmt::format("did you mean `{}`?", *meant) : "add it to join.actions, or write " + one_of(names));
      continue;
    }
    table.types[word] = *type;
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
    config.inputs.push_back(std::move(input));
    return;
  }
  if (!reader.is_mapping(value, "{topic: impressions} or {file: log.jsonl}")) return;
  Section section(root.faults(), value.node, value.path);
  section.read(input_keys, input);
  read_places(section, "topic", [&](const Value& name) { add_topic(reader, name, input, seen); });
  read_places(section, "file", [&](const Value& name) { add_file(reader, name, input, seen); });
  read_fields(section, input.fields);
  read_types(section, input.fields, config.spec.join);
  section.finish();

  const bool has_topic = root.faults().is_written(section.path_of("topic"));
  const bool has_file = root.faults().is_written(section.path_of("file"));
  if (has_topic && has_file) {
    reader.complain(value, "has both `topic` and `file`", "write two entries, one for each");
  } else if (!has_topic && !has_file && !is_first) {
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
