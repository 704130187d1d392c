#include "arrow/column.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "recmeter/base/text_check.h"

namespace recmeter::arrow {
namespace {

template <class Type>
[[nodiscard]] Type at(const ArrowArray& array, std::size_t buffer, std::int64_t index) {
  Type value;
  std::memcpy(&value, static_cast<const char*>(array.buffers[buffer]) + index * static_cast<std::int64_t>(sizeof(Type)),
              sizeof value);
  return value;
}

[[nodiscard]] bool bit(const void* bits, std::int64_t index) {
  return (static_cast<const unsigned char*>(bits)[index >> 3] >> (index & 7) & 1) != 0;
}

[[nodiscard]] bool has_nulls(const ArrowArray& array) {
  return array.null_count != 0 && array.n_buffers > 0 && array.buffers[0] != nullptr;
}

struct Primitive {
  std::string_view format;
  ColumnKind kind;
};
constexpr std::array<Primitive, 18> primitives{{{"b", ColumnKind::boolean},
                                                {"c", ColumnKind::int8},
                                                {"C", ColumnKind::uint8},
                                                {"s", ColumnKind::int16},
                                                {"S", ColumnKind::uint16},
                                                {"i", ColumnKind::int32},
                                                {"I", ColumnKind::uint32},
                                                {"l", ColumnKind::int64},
                                                {"L", ColumnKind::uint64},
                                                {"f", ColumnKind::float32},
                                                {"g", ColumnKind::float64},
                                                {"u", ColumnKind::text},
                                                {"U", ColumnKind::large_text},
                                                {"vu", ColumnKind::text_view},
                                                {"tdD", ColumnKind::date_days},
                                                {"+l", ColumnKind::list},
                                                {"+L", ColumnKind::large_list},
                                                {"+s", ColumnKind::structure}}};

void set_time_unit(Column& column, std::string_view format) {
  column.kind = ColumnKind::time;
  if (format.starts_with("tss")) column.ms_per = 1000;
  if (format.starts_with("tsu")) column.per_ms = 1000;
  if (format.starts_with("tsn")) column.per_ms = 1'000'000;
}

// Down, as whole numbers of that unit are in other formats.
[[nodiscard]] FieldValue time_of(const Column& column, std::int64_t units) {
  if (column.per_ms == 1) {
    constexpr std::int64_t bound = std::int64_t{1} << 52;  // beyond every time that is accepted
    return FieldValue::of_time(EventTime{std::clamp(units, -bound, bound) * column.ms_per});
  }
  const std::int64_t ms = units / column.per_ms;
  return FieldValue::of_time(EventTime{units % column.per_ms < 0 ? ms - 1 : ms});
}

[[nodiscard]] FieldValue number_of(double number) {
  return std::isfinite(number) ? FieldValue::of_number(number) : FieldValue();
}

// Short ones, as ids mostly are, byte for byte: no more of the buffer may be looked at.
[[nodiscard]] bool is_short_ascii(std::string_view text) {
  unsigned char seen = 0;
  if (text.size() >= 8) return false;
  for (const char byte : text) seen |= static_cast<unsigned char>(byte);
  return seen < 0x80;
}

[[nodiscard]] FieldValue text_of(std::string_view text, Reading& reading) {
  reading.is_sound = reading.is_sound && (is_short_ascii(text) || is_text(text, text.size()));
  return FieldValue::of_text(text);
}

// Up to 12 bytes lie in the view itself, more in one of the buffers behind it. `view`: of `buffers`.
[[nodiscard]] FieldValue text_view_of(const char* view, const void* const* buffers, Reading& reading) {
  constexpr std::uint32_t inline_max = 12;
  std::array<std::uint32_t, 4> words;
  std::memcpy(words.data(), view, sizeof words);
  if (words[0] > inline_max) return text_of({static_cast<const char*>(buffers[2 + words[2]]) + words[3], words[0]}, reading);
  const std::string_view text(view + 4, words[0]);
  // What is not used of a view is zero.
  const bool is_ascii = ((words[1] | words[2] | words[3]) & 0x80808080U) == 0;
  return is_ascii ? FieldValue::of_text(text) : text_of(text, reading);
}
[[nodiscard]] const char* views_of(const ArrowArray& array, std::int64_t index) {
  return static_cast<const char*>(array.buffers[1]) + index * 16;
}

FieldValue unsound(Reading& reading) {
  reading.is_sound = false;
  return {};
}

template <class Offset>
[[nodiscard]] FieldValue text_of(const ArrowArray& array, std::int64_t index, Reading& reading) {
  const auto begin = at<Offset>(array, 1, index), end = at<Offset>(array, 1, index + 1);
  if (begin == end) return FieldValue::of_text("");
  if (begin < 0 || end < begin || array.buffers[2] == nullptr) return unsound(reading);
  return text_of({static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)}, reading);
}

[[nodiscard]] FieldValue list_of(const Column& column, const ArrowArray& array, std::int64_t begin, std::int64_t end,
                                 const WantedFields& wanted, RecordArena& arena, Reading& reading) {
  const Column& entry = column.children.front();
  const ArrowArray& of_entries = *array.children[0];
  if (begin < 0 || end < begin || end > of_entries.length || !reading.may_make(static_cast<std::size_t>(end - begin))) {
    return unsound(reading);
  }
  auto* const entries = arena.room<FieldValue>(static_cast<std::size_t>(end - begin));
  if (entry.kind == ColumnKind::text_view && !has_nulls(of_entries)) {
    const char* view = views_of(of_entries, begin + of_entries.offset);
    const void* const* const buffers = of_entries.buffers;
    for (std::int64_t i = begin; i < end; ++i, view += 16) entries[i - begin] = text_view_of(view, buffers, reading);
  } else {
    for (std::int64_t i = begin; i < end; ++i) entries[i - begin] = value_of(entry, of_entries, i, wanted, arena, reading);
  }
  return FieldValue::of_list({entries, static_cast<std::size_t>(end - begin)});
}

[[nodiscard]] FieldValue object_of(const Column& column, const ArrowArray& array, std::int64_t row,
                                   const WantedFields& wanted, RecordArena& arena, Reading& reading) {
  if (wanted.whole) {
    if (!reading.may_make(column.children.size())) return unsound(reading);
    auto* const members = arena.room<FieldMember>(column.children.size());
    for (std::size_t c = 0; c < column.children.size(); ++c) {
      members[c] = {.key = column.children[c].name,
                    .value = value_of(column.children[c], *array.children[c], row, wanted, arena, reading)};
    }
    return FieldValue::of_object({members, column.children.size()});
  }
  auto* const members = arena.room<FieldMember>(wanted.members.size());
  for (std::size_t m = 0; m < wanted.members.size(); ++m) {
    const auto& [name, below] = wanted.members[m];
    members[m] = {.key = name, .value = {}};
    for (std::size_t c = 0; c < column.children.size(); ++c) {
      if (column.children[c].name != name) continue;
      members[m].is_twice = !members[m].value.is_null();
      if (!members[m].is_twice)
        members[m].value = value_of(column.children[c], *array.children[c], row, below, arena, reading);
    }
  }
  return FieldValue::of_object({members, wanted.members.size()});
}

}  // namespace

namespace {

constexpr int levels_max = 64;
constexpr std::int64_t width_max = 1'000'000;  // of a list of fixed size

[[nodiscard]] bool is_list(ColumnKind kind) {
  return kind == ColumnKind::list || kind == ColumnKind::large_list || kind == ColumnKind::fixed_list;
}

[[nodiscard]] Column column_at(const ArrowSchema& schema, int level) {
  Column column;
  if (schema.name != nullptr) column.name = schema.name;
  if (level == levels_max) return column;
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  const auto* const known = std::ranges::find(primitives, format, &Primitive::format);
  if (known != primitives.end()) column.kind = known->kind;
  if (format.starts_with("ts") || format == "tdm") set_time_unit(column, format);
  if (format.starts_with("+w:")) {
    const char* const begin = format.data() + 3;
    const auto read = std::from_chars(begin, format.data() + format.size(), column.width);
    const bool is_width = read.ec == std::errc() && column.width >= 0 && column.width <= width_max;
    if (is_width) column.kind = ColumnKind::fixed_list;
  }
  if (is_list(column.kind) && schema.n_children != 1) column.kind = ColumnKind::other;
  if (!is_list(column.kind) && column.kind != ColumnKind::structure && schema.dictionary == nullptr) return column;
  for (std::int64_t c = 0; c < schema.n_children; ++c) column.children.push_back(column_at(*schema.children[c], level + 1));
  if (schema.dictionary != nullptr) column.dictionary.push_back(column_at(*schema.dictionary, level + 1));
  return column;
}

// How many buffers an array of the kind has, of which the first may be absent and, without a value, all.
[[nodiscard]] std::int64_t buffers_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::other: return 0;
    case ColumnKind::structure:
    case ColumnKind::fixed_list: return 1;
    case ColumnKind::text:
    case ColumnKind::large_text: return 3;
    default: return 2;
  }
}

}  // namespace

Column column_of(const ArrowSchema& schema) {
  return column_at(schema, 0);
}

bool is_array_of(const Column& column, const ArrowArray& array) {
  if (column.kind == ColumnKind::other) return true;
  const std::int64_t buffers = buffers_of(column.kind);
  constexpr std::int64_t rows_max = std::int64_t{1} << 40;
  if (array.length < 0 || array.length > rows_max || array.offset < 0 || array.offset > rows_max) return false;
  if (array.n_buffers < buffers || (array.length > 0 && buffers > 1 && array.buffers[1] == nullptr)) return false;
  if (!column.dictionary.empty() &&
      (array.dictionary == nullptr || !is_array_of(column.dictionary.front(), *array.dictionary))) {
    return false;
  }
  if (!is_list(column.kind) && column.kind != ColumnKind::structure) return true;
  if (array.n_children < static_cast<std::int64_t>(column.children.size())) return false;
  const std::int64_t rows = array.offset + array.length;
  for (std::size_t c = 0; c < column.children.size(); ++c) {
    if (!is_array_of(column.children[c], *array.children[c])) return false;
    const bool is_row_for_row = column.kind == ColumnKind::structure && column.children[c].kind != ColumnKind::other;
    if (is_row_for_row && array.children[c]->length < rows) return false;
  }
  return true;
}

bool is_null(const ArrowArray& array, std::int64_t row) {
  return has_nulls(array) && !bit(array.buffers[0], row + array.offset);
}

FieldValue value_of(const Column& column, const ArrowArray& array, std::int64_t row, const WantedFields& wanted,
                    RecordArena& arena, Reading& reading) {
  const std::int64_t index = row + array.offset;
  if (is_null(array, row)) return {};
  std::int64_t integer = 0;
  switch (column.kind) {
    case ColumnKind::other: return {};
    case ColumnKind::boolean: return FieldValue::of_boolean(bit(array.buffers[1], index));
    case ColumnKind::float32: return number_of(static_cast<double>(at<float>(array, 1, index)));
    case ColumnKind::float64: return number_of(at<double>(array, 1, index));
    case ColumnKind::text: return text_of<std::int32_t>(array, index, reading);
    case ColumnKind::large_text: return text_of<std::int64_t>(array, index, reading);
    case ColumnKind::text_view: return text_view_of(views_of(array, index), array.buffers, reading);
    case ColumnKind::date_days: return FieldValue::of_time(EventTime{at<std::int32_t>(array, 1, index) * one_day.ms});
    case ColumnKind::time: return time_of(column, at<std::int64_t>(array, 1, index));
    case ColumnKind::list:
      return list_of(column, array, at<std::int32_t>(array, 1, index), at<std::int32_t>(array, 1, index + 1), wanted, arena,
                     reading);
    case ColumnKind::large_list:
      return list_of(column, array, at<std::int64_t>(array, 1, index), at<std::int64_t>(array, 1, index + 1), wanted, arena,
                     reading);
    case ColumnKind::fixed_list:
      return list_of(column, array, index * column.width, (index + 1) * column.width, wanted, arena, reading);
    case ColumnKind::structure: return object_of(column, array, index, wanted, arena, reading);
    case ColumnKind::int8: integer = at<std::int8_t>(array, 1, index); break;
    case ColumnKind::uint8: integer = at<std::uint8_t>(array, 1, index); break;
    case ColumnKind::int16: integer = at<std::int16_t>(array, 1, index); break;
    case ColumnKind::uint16: integer = at<std::uint16_t>(array, 1, index); break;
    case ColumnKind::int32: integer = at<std::int32_t>(array, 1, index); break;
    case ColumnKind::uint32: integer = at<std::uint32_t>(array, 1, index); break;
    case ColumnKind::int64: integer = at<std::int64_t>(array, 1, index); break;
    case ColumnKind::uint64:
      if (column.dictionary.empty()) return FieldValue::of_unsigned(at<std::uint64_t>(array, 1, index));
      integer = static_cast<std::int64_t>(at<std::uint64_t>(array, 1, index));
      break;
  }
  if (column.dictionary.empty()) return FieldValue::of_integer(integer);
  if (integer < 0 || integer >= array.dictionary->length || !reading.may_make(1)) return unsound(reading);
  return value_of(column.dictionary.front(), *array.dictionary, integer, wanted, arena, reading);
}

}  // namespace recmeter::arrow
