#include "config/read_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/readers.h"
#include "config/scalar.h"

namespace recmeter::config {
namespace {

constexpr std::size_t alternatives_max = 16;
constexpr std::size_t source_depth_max = 4;  // of alternatives within a product within alternatives
constexpr std::string_view source_example = "user.id, [user_id, anonymous_id], {join: [a, b]} or {at: items, split: \"|\"}";

class SourceReader {
 public:
  explicit SourceReader(Faults& faults) : faults_(faults), reader_(faults) {}

  // `field`: what stands there.
  [[nodiscard]] std::optional<FieldSource> read(const Value& value, std::string_view field) {
    field_ = field;
    is_factor_ = false;
    return read(value, 0);
  }

 private:
  [[nodiscard]] std::optional<FieldSource> read(const Value& value, std::size_t depth) {
    if (value.node->is_broken) return std::nullopt;
    if (value.node->kind == Node::Kind::scalar) {
      auto path = read_path(reader_, value);
      if (!path) return std::nullopt;
      return FieldSource{.path = std::move(*path)};
    }
    if (depth == source_depth_max) {
      reader_.complain(value, "is nested too deep", "write simpler parts");
      return std::nullopt;
    }
    if (value.node->kind == Node::Kind::list) return several(FieldSource::Kind::first, value, depth);
    if (value.node->kind == Node::Kind::mapping) return made(value, depth);
    reader_.complain(value, "has no value", fmt::format("write a source, such as {}", source_example));
    return std::nullopt;
  }

  std::optional<FieldSource> several(FieldSource::Kind kind, const Value& value, std::size_t depth) {
    const auto entries = reader_.list(value, "[user_id, anonymous_id]", alternatives_max);
    if (!entries) return std::nullopt;
    if (entries->empty()) reader_.complain(value, "is an empty list", "name at least one, or remove the line");
    FieldSource source{.kind = kind};
    for (const Value& entry : *entries) {
      auto part = read(entry, depth + 1);
      if (!part) return std::nullopt;
      source.parts.push_back(std::move(*part));
    }
    return source.parts.empty() ? std::nullopt : std::optional(std::move(source));
  }

  std::optional<FieldSource> made(const Value& value, std::size_t depth) {
    Section section(faults_, value.node, value.path);
    FieldSource source;
    std::optional<FieldSource> result;
    const auto is = section.take("is");
    const auto join = section.take("join");
    const auto with = section.take("with");
    const auto product = section.take("product");
    const auto zip = section.take("zip");
    const auto at = section.take("at");
    const auto split = section.take("split");
    const auto list = section.take("list");
    const auto part = section.take("part");
    section.finish();
    const auto& separator = split ? split : list;
    if ((is ? 1 : 0) + (join ? 1 : 0) + (product ? 1 : 0) + (zip ? 1 : 0) + (at || separator ? 1 : 0) != 1) {
      reader_.complain(
          value, "is not one of `is`, `join`, `product`, `zip` and `at` with `split` or `list`",
          "write {is: text}, {join: [a, b], with: \":\"}, {product: [a, b]}, {zip: [items, clicked]}, {at: items, "
          "split: \"|\"} or {at: items, list: \",\"}");
      return std::nullopt;
    }
    if (is) {
      const auto text = reader_.text(*is, 256);
      if (text && is_factor_ && !parse_number(*text)) {
        reader_.complain_of(*is, "is no number, and a product is one of numbers", "write a number, such as {is: 1}");
      } else if (text) {
        result = FieldSource{.kind = FieldSource::Kind::constant, .text = *text};
      }
    } else if (join) {
      result = several(FieldSource::Kind::join, *join, depth);
      if (result) result->text = with ? reader_.text(*with, 16).value_or(":") : ":";
    } else if (product) {
      result = product_of(value, *product, depth);
    } else if (zip) {
      result = zip_of(value, *zip, depth);
    } else if (split && list) {
      reader_.complain(*list, "stands beside `split`", "keep one: `list` takes brackets and quotes off, `split` does not");
    } else if (!at || !separator) {
      reader_.complain(value, "has `at`, `split` or `list` alone", "write both: {at: items, split: \"|\"}");
    } else {
      auto path = read_path(reader_, *at);
      const auto between = reader_.text(*separator, 16);
      const auto cut = part ? reader_.text(*part, 16) : std::nullopt;
      const auto kind = split ? FieldSource::Kind::split : FieldSource::Kind::written;
      if (path && between) {
        result = FieldSource{.kind = kind, .path = *path, .text = *between, .part = cut.value_or("")};
      }
    }
    return result;
  }

  std::optional<FieldSource> product_of(const Value& value, const Value& factors, std::size_t depth) {
    constexpr std::array<std::string_view, 7> numbers{"value",       "score",       "propensity",      "latency_ms",
                                                      "items.value", "items.score", "items.propensity"};
    if (std::ranges::find(numbers, field_) == numbers.end()) {
      reader_.complain(value, fmt::format("is a product, thus a number, and `{}` is none", field_),
                       fmt::format("write it for one of {}", fmt::join(numbers, ", ")));
      return std::nullopt;
    }
    const bool was_factor = std::exchange(is_factor_, true);
    auto source = several(FieldSource::Kind::product, factors, depth);
    is_factor_ = was_factor;
    return source;
  }

  std::optional<FieldSource> zip_of(const Value& value, const Value& lists, std::size_t depth) {
    if (field_ != "items") {
      reader_.complain(value, fmt::format("is a list of entries, and `{}` is none", field_), "write it for `items`");
      return std::nullopt;
    }
    auto source = several(FieldSource::Kind::zip, lists, depth);
    if (!source) return std::nullopt;
    if (source->parts.size() == 1) {
      reader_.complain(lists, "is of one list",
                       "name the others that are as long, such as [items, clicked], or write its path alone");
    }
    if (std::ranges::any_of(source->parts, is_text)) {
      reader_.complain(lists, "has a part that is no list", "name lists, such as [items, {at: clicked, split: \" \"}]");
    }
    return source;
  }

  // Tells whether it, or one of its alternatives, is a text whatever the record says.
  static bool is_text(const FieldSource& source) {
    if (source.kind == FieldSource::Kind::first) return std::ranges::any_of(source.parts, is_text);
    return source.kind == FieldSource::Kind::constant || source.kind == FieldSource::Kind::join;
  }

  Faults& faults_;
  ValueReader reader_;
  std::string_view field_;
  bool is_factor_ = false;  // whether a product is made of what is read
};

}  // namespace

std::optional<FieldPath> read_path(ValueReader& reader, const Value& value) {
  const auto text = reader.text(value, 1024);
  if (!text) return std::nullopt;
  auto path = parse_path(*text);
  if (path && path->front().name != "$") return path;
  if (path) {
    reader.complain_of(value, "begins at `$`, and paths begin at the record", "leave `$.` out");
  } else if (text->find("[]") != std::string::npos || text->find("[*]") != std::string::npos) {
    reader.complain_of(value, "goes into all entries of a list",
                       "write `items` with the path of the list, and `items.item_id` with that within one of its entries");
  } else {
    reader.complain_of(
        value,
        fmt::format("is no path: it has an empty part, a bracket that is not `[0]` or `[key=x]`, or more "
                    "than {} steps",
                    path_steps_max),
        "write names joined by single dots, such as user.id; a backslash before a `.` or `[` that belongs to one");
  }
  return std::nullopt;
}

std::optional<FieldSource> read_source(Faults& faults, const Value& value, std::string_view field) {
  return SourceReader(faults).read(value, field);
}

}  // namespace recmeter::config
