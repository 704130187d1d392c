// `windows`, `segments` and `catalog`: over what the values are taken.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "config/nearest.h"
#include "config/readers.h"

namespace recmeter::config {

namespace {

constexpr std::size_t windows_max = 64;
constexpr std::size_t segments_max = 64;
constexpr std::size_t segment_keys_max = 8;
constexpr std::size_t keep_max = 100'000;

// The slides near `slide` that divide `size`, among those a person would write.
std::string slides_near(Duration size, Duration slide) {
  constexpr std::array<std::int64_t, 20> steps_s{1,   2,   5,   10,   15,   20,   30,   60,    120,   180,
                                                 300, 600, 900, 1200, 1800, 3600, 7200, 21600, 43200, 86400};
  Duration below{0}, above{0};
  for (const std::int64_t step_s : steps_s) {
    const Duration step{step_s * 1000};
    if (step > size || size.ms % step.ms != 0) continue;
    if (step < slide) below = step;
    if (step > slide && above.ms == 0) above = step;
  }
  if (above.ms == 0) above = size;
  return below.ms == 0 ? text_of(above) : fmt::format("{} or {}", text_of(below), text_of(above));
}

void check_window(const WindowSpec& window, std::int64_t windows_per_list, Section& section) {
  Faults& faults = section.faults();
  if (!faults.none_in({section.path()})) return;
  if (window.is_whole()) {
    for (const char* key : {"slide", "offset"}) {
      if (!section.has(key)) continue;
      faults.add_at(section.path_of(key), "means nothing where the size is `all`", "remove it");
    }
    return;
  }
  if (window.slide > window.size) {
    faults.add_at(section.path_of("slide"),
                  fmt::format("{} is longer than the size {}", text_of(window.slide), text_of(window.size)),
                  "events between two windows would count nowhere: write the size or a part of it");
  } else if (window.size.ms % window.slide.ms != 0) {
    faults.add_at(section.path_of("slide"),
                  fmt::format("{} does not divide the size {}", text_of(window.slide), text_of(window.size)),
                  fmt::format("write {}", slides_near(window.size, window.slide)));
  } else if (window.size.ms / window.slide.ms > windows_per_list && faults.none_in({"limits.windows_per_list"})) {
    const Duration least{(window.size.ms + windows_per_list - 1) / windows_per_list};
    faults.add_at(section.path_of("slide"),
                  fmt::format("a list would lie in {} windows, which are size / slide, and limits.windows_per_list is {}",
                              window.size.ms / window.slide.ms, windows_per_list),
                  fmt::format("write a slide of at least {}, or raise that limit", text_of(least)));
  }
  if (window.offset >= window.slide) {
    const std::string equal = text_of(Duration{window.offset.ms % window.slide.ms});
    faults.add_at(section.path_of("offset"),
                  fmt::format("{} is not shorter than the slide {}", text_of(window.offset), text_of(window.slide)),
                  fmt::format("write {}, which means the same", equal));
  }
}

// Of a window that is longer than any it says what has no end.
std::optional<Duration> read_size(const Value& value, ValueReader& reader) {
  const Parsed<Duration> parsed =
      value.node->kind == Node::Kind::scalar ? parse_duration(value.node->text) : Parsed<Duration>(Duration{0});
  if (!parsed || *parsed <= year) return reader.duration(value, {Duration{1}, year});
  reader.complain_of(value, "is too long", fmt::format("write at most {}, or size: all for the whole log", text_of(year)));
  return std::nullopt;
}

void read_window(const Value& value, Config& config, Section& root) {
  if (!root.reader().is_mapping(value, "{name: hour, size: 1h, slide: 5m}")) return;
  Section section(root.faults(), value.node, value.path);
  WindowSpec window;
  const auto name = section.take("name");
  if (name) window.name = read_name(section.reader(), *name).value_or("");
  const auto size = section.take("size");
  if (size && size->node->kind == Node::Kind::scalar && size->node->text == "all") {
    window.size = WindowSpec::whole;
  } else if (size) {
    window.size = read_size(*size, section.reader()).value_or(window.size);
  }
  window.slide = window.size;
  section.read(window_keys, window);
  section.finish();
  if (!name && root.faults().none_in({section.path_of("name")})) {
    root.reader().complain(value, "has no `name`", "name it: rows and queries say which window they mean");
  }
  if (!size && root.faults().none_in({section.path_of("size")})) {
    root.reader().complain(value, "has no `size`", "write how long it is: size: 1h, or size: all for the whole log");
  }
  check_window(window, config.spec.limits.windows_per_list, section);
  const auto is_same = [&](const WindowSpec& other) { return !window.name.empty() && other.name == window.name; };
  if (std::ranges::any_of(config.spec.windows, is_same)) {
    root.reader().complain_of(*name, "is the name of another window", "give each window a name of its own");
  }
  config.spec.windows.push_back(std::move(window));
}

std::vector<std::string> read_segment_keys(const std::vector<Value>& entries, ValueReader& reader) {
  std::vector<std::string> keys;
  for (const Value& entry : entries) {
    const auto key = reader.text(entry, segment_bytes_max);
    if (!key) continue;
    if (std::ranges::find(keys, *key) != keys.end()) {
      reader.complain_of(entry, "is there twice in one combination", "remove one");
      continue;
    }
    keys.push_back(*key);
  }
  return keys;
}

// A value in the form of rows: [S7.18].
std::optional<std::string> read_kept_value(const Value& value, ValueReader& reader) {
  if (value.node->kind == Node::Kind::null) {
    reader.complain(value, "has no value", "write \"(none)\" for lists without the key");
    return std::nullopt;
  }
  const auto text = reader.text(value, segment_bytes_max);
  if (!text) return std::nullopt;
  if (*text == segment_other) {
    reader.complain(value, "`(other)` is what is not kept",
                    "remove it; a real value of that name is written \"\\\\(other)\"");
    return std::nullopt;
  }
  const std::string_view rest = std::string_view(*text).substr(1);
  if (text->starts_with('\\') && rest != segment_none && rest != segment_other && !rest.starts_with('\\')) {
    reader.complain_of(value, "is a form that no row shows", "write a leading backslash of a real value twice");
    return std::nullopt;
  }
  return text;
}

void read_keep(const Value& value, SegmentSpec& segment, ValueReader& reader) {
  const std::size_t arity = segment.keys.size();
  const std::string example = arity == 1 ? "[A, B]" : "[[A, home]]";
  const auto entries = reader.list(value, example, keep_max);
  if (!entries) return;
  std::set<std::vector<std::string>> seen;
  for (const Value& entry : *entries) {
    std::vector<Value> parts{entry};
    if (entry.node->kind == Node::Kind::list)
      parts = reader.list(entry, example, segment_keys_max).value_or(std::vector<Value>{});
    if (parts.size() != arity) {
      reader.complain(entry,
                      fmt::format("has {} value{} for {} key{}", parts.size(), parts.size() == 1 ? "" : "s", arity,
                                  arity == 1 ? "" : "s"),
                      fmt::format("write one value for each key, such as {}", example));
      continue;
    }
    std::vector<std::string> tuple;
    for (const Value& part : parts) {
      if (auto text = read_kept_value(part, reader)) tuple.push_back(std::move(*text));
    }
    if (tuple.size() != arity) continue;
    if (!seen.insert(tuple).second) {
      reader.complain(entry, "is kept already", "remove one of the two");
      continue;
    }
    segment.keep.push_back(std::move(tuple));
  }
}

void read_segment(const Value& value, Config& config, Section& root) {
  ValueReader& reader = root.reader();
  SegmentSpec segment;
  std::optional<Value> keys = value, keep;
  if (value.node->kind == Node::Kind::mapping) {
    Section section(root.faults(), value.node, value.path);
    keys = section.take("keys");
    keep = section.take("keep");
    section.finish();
    if (!keys && root.faults().none_in({value.path})) {
      reader.complain(value, "has no `keys`", "write the segment keys: {keys: [variant]}");
    }
  } else if (value.node->kind == Node::Kind::scalar && !value.node->is_broken) {
    reader.complain(value, "is not a list of keys",
                    fmt::format("write it in brackets: [{}]", shortened(value.node->written)));
    return;
  }
  if (!keys) return;
  const auto entries = reader.list(*keys, "[variant, surface]", segment_keys_max);
  if (!entries) return;
  if (entries->empty()) {
    reader.complain(*keys, "names no key", "remove it: the whole is always reported");
    return;
  }
  segment.keys = read_segment_keys(*entries, reader);
  if (segment.keys.size() != entries->size()) return;
  if (keep) read_keep(*keep, segment, reader);
  const std::set<std::string> wanted(segment.keys.begin(), segment.keys.end());
  for (const SegmentSpec& other : config.spec.segments) {
    if (std::set<std::string>(other.keys.begin(), other.keys.end()) == wanted) {
      reader.complain(value, "is a combination of the same keys as another one", "remove one of the two");
      return;
    }
  }
  config.spec.segments.push_back(std::move(segment));
}

}  // namespace

void read_windows(Section& root, Config& config) {
  const auto value = root.take("windows");
  const auto entries = value ? root.reader().list(*value, "[{name: hour, size: 1h}]", windows_max) : std::nullopt;
  if (entries && entries->empty()) {
    root.reader().complain(*value, "names no window", "write at least one, such as {name: hour, size: 1h}");
  }
  config.windows_are_written = value.has_value();
  if (entries) {
    for (const Value& entry : *entries) read_window(entry, config, root);
  } else {
    config.spec.windows = {{.name = "hour", .size = one_hour, .slide = one_hour},
                           {.name = "day", .size = one_day, .slide = one_day},
                           {.name = "all", .size = WindowSpec::whole, .slide = WindowSpec::whole}};
  }
}

void read_segments(Section& root, Config& config) {
  const auto value = root.take("segments");
  const auto entries = value ? root.reader().list(*value, "[[variant]]", segments_max) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) read_segment(entry, config, root);
}

void read_catalog(Section& root, Config& config, const CatalogReader& read_catalog_file) {
  const auto value = root.take("catalog");
  if (!value || !root.reader().is_mapping(*value, "{size: 100000} or {file: items.txt}")) return;
  Section section(root.faults(), value->node, value->path);
  Catalog catalog;
  const auto size = section.take("size");
  const auto file = section.take("file");
  section.finish();
  if (size && file) {
    root.reader().complain(*value, "has both `size` and `file`", "keep one: a file says its size itself");
    return;
  }
  if (!size && !file) {
    if (root.faults().none_in({value->path})) {
      root.reader().complain(*value, "has neither `size` nor `file`", "write {size: 100000} or {file: items.txt}");
    }
    return;
  }
  if (size) {
    const auto count = section.reader().integer(*size, {1, std::int64_t{1} << 40});
    if (count) catalog.size = static_cast<std::uint64_t>(*count);
  } else if (const auto path = section.reader().text(*file, path_bytes_max)) {
    Result<Catalog> read = read_catalog_file(*path, id_bytes_max(config, root.faults()),
                                             config.spec.attribution ? config.spec.attribution->item_group : "");
    if (read) {
      catalog = std::move(*read);
      config.catalog_file = *path;
    } else {
      section.reader().complain(*file, read.error().context, "correct the path or the file");
    }
  }
  if (catalog.size > 0) config.spec.catalog = std::move(catalog);
}

}  // namespace recmeter::config
