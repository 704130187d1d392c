#include "config/catalog_file.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "config/file_text.h"
#include "config/scalar.h"
#include "recmeter/event/record_reader.h"
#include "recmeter/window/segment_spec.h"

namespace recmeter {

namespace {

// The text of a string, a finite number or a boolean.
std::optional<std::string> value_text(const FieldValue& value) {
  switch (value.kind()) {
    case ValueKind::text: return std::string(value.text());
    case ValueKind::integer: return fmt::format("{}", value.integer());
    case ValueKind::large_integer: return fmt::format("{}", value.large_integer());
    case ValueKind::number:
      return std::isfinite(value.number()) ? std::optional(fmt::format("{}", value.number())) : std::nullopt;
    case ValueKind::boolean: return value.boolean() ? "true" : "false";
    default: return std::nullopt;
  }
}

// Whether it may stand without JSON around it: nothing that another form of file is made of.
bool is_plain_id(std::string_view line) {
  return std::ranges::none_of(line, [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F ||
           std::string_view("\"'`,;<>()[]{}|").find(c) != std::string_view::npos;
  });
}

// The id of an item's object: a string or an integer; nullopt when it has none.
std::optional<std::string> id_of(const FieldValue& object) {
  const auto id = std::ranges::find(object.members(), "item_id", &FieldMember::key);
  if (id == object.members().end()) return std::nullopt;
  const ValueKind kind = id->value.kind();
  if (kind == ValueKind::number || kind == ValueKind::boolean) return std::nullopt;
  return value_text(id->value);
}

// Reads lines of JSON as records are read: [S2.19].
class ObjectReader {
 public:
  ObjectReader() : reader_(json_reader()(all_fields)) { line_.records.resize(1); }

  // Nothing: it is no object. Lives until the next one.
  [[nodiscard]] std::optional<FieldValue> read(std::string_view line) {
    line_.bytes.resize(line.size() + RecordBatch::padding);
    std::ranges::copy(line, line_.bytes.begin());
    line_.records.front() = {.offset = 0, .size = line.size(), .broker_time = {}, .tombstone = false};
    arena_.clear();
    FieldValue object;
    reader_->begin(line_);
    return reader_->read(line_, 0, arena_, object) ? std::nullopt : std::optional(object);
  }

 private:
  std::unique_ptr<RecordReader> reader_;
  RecordBatch line_;
  RecordArena arena_;
};

// Divides items by the first value of one attribute. The largest groups have a name of their own.
class GroupReader {
 public:
  explicit GroupReader(std::string attribute) { groups_.attribute = std::move(attribute); }

  void read(const std::string& id, const FieldValue& object) {
    if (groups_.attribute.empty()) return;
    for (const FieldMember& member : object.members()) {
      if (member.key == groups_.attribute) return read_value(id, member.value);
    }
  }

  Catalog::ItemGroups take() {
    if (groups_.attribute.empty()) return {};
    std::vector<std::pair<std::string, std::size_t>> largest(items_of_.begin(), items_of_.end());
    std::ranges::stable_sort(largest, std::greater<>(), &std::pair<std::string, std::size_t>::second);
    const bool is_cut = largest.size() > groups_max;
    if (is_cut) largest.resize(groups_max);
    std::vector<std::string>& names = groups_.names;
    for (const auto& [name, items] : largest) names.push_back(shown_segment_value(name));
    names.emplace_back(segment_none);
    if (is_cut) names.emplace_back(segment_other);
    std::ranges::sort(names);
    const auto number_of = [&](const std::string& name) {
      const auto at = std::ranges::lower_bound(names, name);
      const bool is_there = at != names.end() && *at == name;
      return static_cast<std::uint32_t>((is_there ? at : std::ranges::lower_bound(names, segment_other)) - names.begin());
    };
    std::string id = groups_.attribute;
    for (const std::string& name : names) id += fmt::format(" {}:{}", name.size(), name);
    groups_.id = XXH3_64bits(id.data(), id.size());
    groups_.none = number_of(std::string(segment_none));
    for (const auto& [item, value] : value_of_) {
      groups_.group_of.emplace(item, number_of(shown_segment_value(value)));
      const std::string line = fmt::format("{}:{}{}", item.size(), item, shown_segment_value(value));
      groups_.hash += XXH3_64bits(line.data(), line.size());
    }
    return std::move(groups_);
  }

 private:
  static constexpr std::size_t groups_max = 50;

  void read_value(const std::string& id, const FieldValue& value) {
    const bool is_list = value.kind() == ValueKind::list;
    if (is_list && value.entries().empty()) return;
    const std::optional<std::string> text = value_text(is_list ? *value.entries().begin() : value);
    if (!text || text->empty()) return;
    ++items_of_[*text];
    value_of_.emplace(id, *text);
  }

  Catalog::ItemGroups groups_;
  std::map<std::string, std::size_t> items_of_;
  std::unordered_map<std::string, std::string> value_of_;
};

// Numbers attributes in the order in which they are met.
class AttributeReader {
 public:
  explicit AttributeReader(Catalog& catalog) : catalog_(catalog) {}

  void read(const std::string& id, const FieldValue& object) {
    numbers_.clear();
    for (const FieldMember& member : object.members()) {
      if (member.key == "item_id") continue;
      if (member.value.kind() != ValueKind::list) {
        add(id, member.key, member.value);
      } else {
        for (const FieldValue& each : member.value.entries()) add(id, member.key, each);
      }
    }
    if (numbers_.empty()) return;
    std::ranges::sort(numbers_);
    catalog_.attributes.emplace(id, numbers_);
  }
  [[nodiscard]] std::vector<std::string> names() const { return {names_.begin(), names_.end()}; }

 private:
  void add(const std::string& id, std::string_view name, const FieldValue& value) {
    const std::optional<std::string> text = value_text(value);
    if (!text) return;
    if (names_.size() < Catalog::attribute_names_max) names_.emplace(name);
    const std::string attribute = fmt::format("{}={}", name, *text);
    const std::uint32_t number = known_.try_emplace(attribute, static_cast<std::uint32_t>(known_.size())).first->second;
    if (std::ranges::find(numbers_, number) != numbers_.end()) return;
    numbers_.push_back(number);
    const std::string line = fmt::format("{}:{}{}", id.size(), id, attribute);
    catalog_.attributes_hash += XXH3_64bits(line.data(), line.size());
  }

  Catalog& catalog_;
  std::set<std::string, std::less<>> names_;
  std::unordered_map<std::string, std::uint32_t> known_;
  std::vector<std::uint32_t> numbers_;  // of the item being read
};

std::uint64_t hash_of(const std::unordered_set<std::string>& items) {
  std::vector<std::string_view> sorted(items.begin(), items.end());
  std::ranges::sort(sorted);
  std::string text;
  for (const std::string_view id : sorted) {
    text += id;
    text += '\n';
  }
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace

Result<Catalog> parse_catalog(std::string_view text, const std::string& name, std::size_t id_bytes_max,
                              const std::string& item_group) {
  const auto wrong = [&](std::size_t line, std::string_view what) {
    return failure(Errc::config_invalid, fmt::format("line {} of {} {}", line, config::in_quotes(name), what));
  };
  if (text.starts_with("\x1F\x8B") || text.starts_with("\x28\xB5\x2F\xFD")) {
    return failure(Errc::config_invalid, fmt::format("{} is compressed; unpack it", config::in_quotes(name)));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  ObjectReader objects;
  Catalog catalog;
  AttributeReader attributes(catalog);
  GroupReader groups(item_group);
  std::optional<bool> has_objects;  // decided by the first line that is not blank
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!has_objects) has_objects = line[line.find_first_not_of(" \t")] == '{';
    std::optional<FieldValue> object;
    std::optional<std::string> id;
    if (!*has_objects) {
      if (!is_plain_id(line)) return wrong(number, "is not an id: write one with such characters as {\"item_id\": \"...\"}");
      id = line;
    } else if ((object = objects.read(line))) {
      id = id_of(*object);
    }
    if (!id) return wrong(number, "is not a JSON object with an `item_id`");
    if (id->empty()) return wrong(number, "has an empty id");
    if (id->size() > id_bytes_max) return wrong(number, fmt::format("has an id of more than {} bytes", id_bytes_max));
    if (!simdjson::validate_utf8(*id)) return wrong(number, "is not UTF-8");
    if (!catalog.items.insert(*id).second)
      return wrong(number, fmt::format("has an item that was there: {}", config::in_quotes(*id)));
    if (object) attributes.read(*id, *object);
    if (object) groups.read(*id, *object);
  }
  if (catalog.items.empty()) return failure(Errc::config_invalid, fmt::format("{} names no item", config::in_quotes(name)));
  catalog.size = catalog.items.size();
  catalog.content_hash = hash_of(catalog.items);
  catalog.attribute_names = attributes.names();
  catalog.groups = groups.take();
  return catalog;
}

Result<Catalog> load_catalog(const std::string& path, std::size_t id_bytes_max, const std::string& item_group) {
  constexpr std::size_t file_bytes_max = std::size_t{1} << 34;
  const Result<std::string> text = config::read_file(path, file_bytes_max);
  if (!text) {
    return failure(text.error().code, fmt::format("{} cannot be read: {}", config::in_quotes(path), text.error().context));
  }
  return parse_catalog(*text, path, id_bytes_max, item_group);
}

}  // namespace recmeter
