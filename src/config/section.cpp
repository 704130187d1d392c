#include "config/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "config/nearest.h"

namespace recmeter::config {

namespace {

std::string_view name_of(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null: return "has no value";
    case Node::Kind::scalar: return "is a single value";
    case Node::Kind::list: return "is a list";
    case Node::Kind::mapping: return "is a mapping";
  }
  return {};
}

// A remedy that repeats the value would show what a variable holds.
bool is_replaced(const Value& value) {
  return value.node->text != value.node->written;
}
constexpr const char* duration_remedy = "let it be a whole number and a unit, such as 30s";
constexpr const char* size_remedy = "let it be a whole number and a unit, such as 64MiB";

}  // namespace

bool is_secret(std::string_view path) {
  if (path.ends_with(".registry.password")) return true;
  constexpr std::string_view section = "kafka.properties.";
  if (!path.starts_with(section)) return false;
  std::string name(path.substr(section.size()));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 5> words{"password", "secret", "key", "token", "sasl"};
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

std::string shown(const Value& value) {
  if (is_secret(value.path)) return "the value (not shown)";
  // As written: what a variable holds may be a secret, wherever it is used.
  return in_quotes(value.node->written);
}

void ValueReader::complain(const Value& value, std::string message, std::string remedy) {
  faults_.add(value.node->place, value.path, std::move(message), std::move(remedy));
}

void ValueReader::complain_of(const Value& value, std::string_view message, std::string remedy) {
  complain(value, fmt::format("{} {}", shown(value), message), std::move(remedy));
}

bool ValueReader::is_scalar(const Value& value, std::string_view what) {
  if (value.node->is_broken) return false;
  if (value.node->kind == Node::Kind::scalar) return true;
  complain(value, std::string(name_of(value.node->kind)), fmt::format("write {}", what));
  return false;
}

std::optional<std::string> ValueReader::text(const Value& value, std::size_t bytes_max) {
  if (!is_scalar(value, "a single value; in quotes if it is meant as text")) return std::nullopt;
  const std::string& text = value.node->text;
  if (text.empty()) {
    complain(value, "is empty", "write at least one character, or remove the line");
    return std::nullopt;
  }
  if (text.size() > bytes_max) {
    complain(value, fmt::format("is longer than {} bytes", bytes_max), "shorten it");
    return std::nullopt;
  }
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; })) {
    complain(value, "holds a control character or a line break", "remove it");
    return std::nullopt;
  }
  return text;
}

std::optional<Duration> ValueReader::duration(const Value& value, Range<Duration> range) {
  if (!is_scalar(value, "a duration, such as 30s")) return std::nullopt;
  const Parsed<Duration> parsed = parse_duration(value.node->text);
  if (!parsed) {
    complain_of(value, parsed.error().message, is_replaced(value) ? duration_remedy : parsed.error().remedy);
    return std::nullopt;
  }
  if (*parsed >= range.low && *parsed <= range.high) return *parsed;
  complain_of(value, *parsed < range.low ? "is too short" : "is too long",
              fmt::format("write a duration from {} to {}", text_of(range.low), text_of(range.high)));
  return std::nullopt;
}

std::optional<std::uint64_t> ValueReader::size(const Value& value, Range<std::uint64_t> range) {
  if (!is_scalar(value, "a size, such as 64MiB")) return std::nullopt;
  const Parsed<std::uint64_t> parsed = parse_size(value.node->text);
  if (!parsed) {
    complain_of(value, parsed.error().message, is_replaced(value) ? size_remedy : parsed.error().remedy);
    return std::nullopt;
  }
  if (*parsed >= range.low && *parsed <= range.high) return *parsed;
  complain_of(value, *parsed < range.low ? "is too small" : "is too large",
              fmt::format("write a size from {} to {}", text_of_size(range.low), text_of_size(range.high)));
  return std::nullopt;
}

std::optional<std::int64_t> ValueReader::integer(const Value& value, Range<std::int64_t> range) {
  const std::string wanted = fmt::format("a whole number from {} to {}", range.low, range.high);
  if (!is_scalar(value, wanted)) return std::nullopt;
  const Parsed<std::int64_t> parsed = parse_integer(value.node->text);
  if (parsed && *parsed >= range.low && *parsed <= range.high) return *parsed;
  complain_of(value, parsed ? (*parsed < range.low ? "is too small" : "is too large") : parsed.error().message,
              "write " + wanted);
  return std::nullopt;
}

std::optional<double> ValueReader::number(const Value& value, Range<double> range) {
  const std::string wanted = fmt::format("a number from {} to {}", range.low, range.high);
  if (!is_scalar(value, wanted)) return std::nullopt;
  const Parsed<double> parsed = parse_number(value.node->text);
  if (parsed && *parsed >= range.low && *parsed <= range.high) return *parsed;
  complain_of(value, parsed ? (*parsed < range.low ? "is too small" : "is too large") : parsed.error().message,
              "write " + wanted);
  return std::nullopt;
}

std::optional<bool> ValueReader::boolean(const Value& value) {
  if (!is_scalar(value, "`true` or `false`")) return std::nullopt;
  const Parsed<bool> parsed = parse_boolean(value.node->text);
  if (parsed) return *parsed;
  complain_of(value, parsed.error().message, parsed.error().remedy);
  return std::nullopt;
}

std::optional<std::size_t> ValueReader::word(const Value& value, std::span<const std::string_view> words) {
  if (!is_scalar(value, one_of(words))) return std::nullopt;
  const auto found = std::ranges::find(words, value.node->text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::string question = name_question(value.node->text, words);
  complain_of(value, "is not a choice here",
              question.empty() ? "write " + one_of(words) : fmt::format("{} Choices: {}", question, one_of(words)));
  return std::nullopt;
}

std::optional<Scalar> ValueReader::scalar(const Value& value, const ValueType& type) {
  const auto read = [&](const auto& as) -> std::optional<Scalar> {
    using Type = std::decay_t<decltype(as)>;
    if constexpr (std::is_same_v<Type, TextType>) return text(value, as.bytes_max);
    if constexpr (std::is_same_v<Type, IntegerType>) return integer(value, as);
    if constexpr (std::is_same_v<Type, NumberType>) return number(value, as);
    if constexpr (std::is_same_v<Type, BooleanType>) return boolean(value);
    if constexpr (std::is_same_v<Type, DurationType>) {
      if (const auto duration_read = duration(value, as)) return duration_read->ms;
    }
    if constexpr (std::is_same_v<Type, SizeType>) {
      if (const auto bytes = size(value, as)) return static_cast<std::int64_t>(*bytes);
    }
    if constexpr (std::is_same_v<Type, WordType>) {
      if (const auto index = word(value, as.words)) return static_cast<std::int64_t>(*index);
    }
    return std::nullopt;
  };
  return std::visit(read, type);
}

std::optional<std::vector<Value>> ValueReader::list(const Value& value, std::string_view example, std::size_t count_max) {
  if (value.node->is_broken) return std::nullopt;
  if (value.node->kind != Node::Kind::list) {
    complain(value, fmt::format("{}, not a list", name_of(value.node->kind)),
             fmt::format("write a list, such as {}", example));
    faults_.not_read(value.path);
    return std::nullopt;
  }
  if (value.node->items.size() > count_max) {
    complain(value, fmt::format("has {} entries", value.node->items.size()), fmt::format("write at most {}", count_max));
    faults_.not_read(value.path);
    return std::nullopt;
  }
  std::vector<Value> entries;
  for (std::size_t i = 0; i < value.node->items.size(); ++i) {
    entries.push_back({&value.node->items[i], fmt::format("{}[{}]", value.path, i)});
    faults_.written(entries.back().path, value.node->items[i].place);
  }
  return entries;
}

bool ValueReader::is_mapping(const Value& value, std::string_view example) {
  if (value.node->is_broken) return false;
  if (value.node->kind == Node::Kind::mapping) return true;
  complain(value, fmt::format("{}, not keys with values", name_of(value.node->kind)),
           fmt::format("write it like {}", example));
  faults_.not_read(value.path);
  return false;
}

Section::Section(Faults& faults, const Node* node, std::string path)
    : faults_(faults), reader_(faults), node_(node), path_(std::move(path)) {}

std::optional<Value> Section::take(std::string_view key) {
  faults_.known(path_, key);
  asked_.emplace(key);
  if (node_ == nullptr) return std::nullopt;
  const auto found = std::ranges::find(node_->keys, key);
  if (found == node_->keys.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - node_->keys.begin());
  const Node& node = node_->items[index];
  const Value value{&node, node.path.empty() ? path_of(key) : node.path};
  if (node.kind == Node::Kind::null) {
    faults_.add(node_->key_places[index], value.path, "has no value", "give it one, or remove the line for the default");
    return std::nullopt;
  }
  faults_.written(value.path, node.place);
  if (node.is_broken) return std::nullopt;
  return value;
}

std::optional<Value> Section::take_or_null(std::string_view key) {
  const Node* const node = value_of(key);
  if (node == nullptr || node->kind != Node::Kind::null) return take(key);
  faults_.known(path_, key);
  asked_.emplace(key);
  return Value{node, path_of(key)};
}

const Node* Section::value_of(std::string_view key) const {
  if (node_ == nullptr || node_->kind != Node::Kind::mapping) return nullptr;
  const auto found = std::ranges::find(node_->keys, key);
  return found == node_->keys.end() ? nullptr : &node_->items[static_cast<std::size_t>(found - node_->keys.begin())];
}

bool Section::has_below(std::string_view section, std::string_view key) const {
  const Node* const below = value_of(section);
  return below != nullptr && below->kind == Node::Kind::mapping && std::ranges::find(below->keys, key) != below->keys.end();
}

Section Section::section(std::string_view key, std::string_view example) {
  faults_.known(path_, key);
  asked_.emplace(key);
  const Node* below = nullptr;
  if (node_ != nullptr) {
    const auto found = std::ranges::find(node_->keys, key);
    if (found != node_->keys.end()) {
      const auto index = static_cast<std::size_t>(found - node_->keys.begin());
      const Value value{&node_->items[index], path_of(key)};
      faults_.written(value.path, node_->key_places[index]);
      // `limits:` with every line below it commented out is as if absent.
      if (value.node->kind != Node::Kind::null && reader_.is_mapping(value, example)) below = value.node;
    }
  }
  return Section(faults_, below, path_of(key));
}

void Section::finish() {
  if (node_ == nullptr) return;
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    if (!asked_.contains(node_->keys[i])) faults_.add_unknown(node_->key_places[i], path_, node_->keys[i]);
  }
}

}  // namespace recmeter::config
