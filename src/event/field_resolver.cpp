#include "event/field_resolver.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "event/decimal_text.h"
#include "event/json_fields.h"
#include "recmeter/base/byte_block.h"
#include "recmeter/event/written_list.h"

namespace recmeter {
namespace {

std::string_view number_text(auto number, TextRoom& room) {
  const auto written = std::to_chars(room.data(), room.data() + room.size(), number);
  return {room.data(), static_cast<std::size_t>(written.ptr - room.data())};
}

// As many as a source has parts at most.
constexpr std::array<std::string_view, 16> part_names{"$1", "$2",  "$3",  "$4",  "$5",  "$6",  "$7",  "$8",
                                                      "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$16"};

// With a backslash before what would be taken for one, or for what stands between parts.
void append_escaped(std::string& to, std::string_view part, std::string_view with) {
  while (!part.empty()) {
    if (part.front() == '\\' || part.starts_with(with)) to += '\\';
    to += part.front();
    part.remove_prefix(1);
  }
}

// XXH3-128 in its canonical form, the most significant byte first.
std::string hash_of(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits(text.data(), text.size()));
  std::string name = "#";
  for (const unsigned char byte : bytes.digest) {
    name += hex[byte >> 4U];
    name += hex[byte & 15U];
  }
  return name;
}

}  // namespace

std::optional<std::string_view> scalar_text(const FieldValue& value, TextRoom& room) {
  switch (value.kind()) {
    case ValueKind::text: return value.text();
    case ValueKind::integer: return number_text(value.integer(), room);
    case ValueKind::large_integer: return number_text(value.large_integer(), room);
    case ValueKind::number:
      return std::isfinite(value.number()) ? std::optional(number_text(value.number(), room)) : std::nullopt;
    case ValueKind::boolean: return value.boolean() ? "true" : "false";
    case ValueKind::time: return number_text(value.time().ms, room);
    default: return std::nullopt;
  }
}

FieldValue number_with_comma(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return FieldValue::of_text(text);
  DecimalRoom room;
  const FieldValue number = number_in(with_points(text, room));
  return number.kind() == ValueKind::text ? FieldValue::of_text(text) : number;
}

FieldValue number_in(std::string_view text) {
  const char* const end = text.data() + text.size();
  const auto is_whole = [end](const std::from_chars_result& read) { return read.ec == std::errc() && read.ptr == end; };
  std::int64_t integer = 0;
  if (is_whole(std::from_chars(text.data(), end, integer))) return FieldValue::of_integer(integer);
  std::uint64_t large = 0;
  if (is_whole(std::from_chars(text.data(), end, large))) return FieldValue::of_unsigned(large);
  double number = 0;
  if (is_whole(std::from_chars(text.data(), end, number)) && std::isfinite(number)) return FieldValue::of_number(number);
  return FieldValue::of_text(text);
}

FieldValue FieldResolver::make(const FieldSource& source, const FieldValue& from) {
  switch (source.kind) {
    case FieldSource::Kind::constant: return FieldValue::of_text(source.text);
    case FieldSource::Kind::join: return join(source, from);
    case FieldSource::Kind::split: return split(source, from);
    case FieldSource::Kind::written: return written(source, from);
    case FieldSource::Kind::product: return product(source, from);
    case FieldSource::Kind::zip: return zip(source, from);
    case FieldSource::Kind::path:
    case FieldSource::Kind::first: break;
  }
  FieldValue none;
  for (const FieldSource& alternative : source.parts) {
    const FieldValue value = find(alternative, from);
    if (!value.is_null()) return value;
    if (value.is_no_entries()) none = value;
  }
  return none;
}

FieldValue FieldResolver::step(const PathStep& step, const FieldValue& from) {
  switch (step.kind) {
    case PathStep::Kind::name: return member(step, from);
    case PathStep::Kind::index:
      if (from.kind() != ValueKind::list || step.index >= from.entries().size()) return {};
      return from.entries()[step.index];
    case PathStep::Kind::match: return entry_that(step, from);
    case PathStep::Kind::json: return from.kind() == ValueKind::text ? embedded(from.text()) : from;
  }
  return {};
}

FieldValue FieldResolver::entry_that(const PathStep& step, const FieldValue& from) const {
  if (from.kind() != ValueKind::list) return {};
  for (const FieldValue& entry : from.entries()) {
    if (entry.kind() != ValueKind::object) continue;
    for (const FieldMember& member : entry.members()) {
      TextRoom room;
      if (member.key == step.name && scalar_text(member.value, room) == std::string_view(step.value)) return entry;
    }
  }
  return {};
}

FieldValue FieldResolver::embedded(std::string_view text) {
  for (const auto& [known, value] : embedded_) {
    if (known.data() == text.data() && known.size() == text.size()) return value;
  }
  if (is_absent(FieldValue::of_text(text))) return {};
  FieldValue value;
  simdjson::dom::element root;
  // The next text overwrites what this one's refer to.
  if (parser_.parse(text, root)) {
    value = field_value_of(root, all_fields, arena_, Texts::copied);
  } else {
    fault_ = InvalidReason::bad_embedded_json;
  }
  embedded_.emplace_back(text, value);
  return value;
}

FieldValue FieldResolver::join(const FieldSource& source, const FieldValue& from) {
  // Parts may be joined themselves.
  std::string text;
  for (const FieldSource& part : source.parts) {
    TextRoom room;
    const auto scalar = scalar_text(find(part, from), room);
    if (!scalar) return {};
    if (&part != source.parts.data()) text += source.text;
    append_escaped(text, *scalar, source.text);
  }
  if (text.size() > joined_bytes_max_) text = hash_of(text);
  return FieldValue::of_text(arena_.copy(text));
}

// What is no number stays what it is, for a sample to show. [I3.29].
FieldValue FieldResolver::product(const FieldSource& source, const FieldValue& from) {
  double product = 1;
  for (const FieldSource& part : source.parts) {
    const FieldValue found = find(part, from);
    const FieldValue factor = found.kind() == ValueKind::text ? number_of(found.text()) : found;
    if (!is_number(factor.kind())) return factor;
    product *= factor.number();
  }
  return FieldValue::of_number(product);
}

// A part that is no list stays as it is, for a sample to show. [I3.31].
FieldValue FieldResolver::zip(const FieldSource& source, const FieldValue& from) {
  std::vector<std::span<const FieldValue>> lists;
  for (const FieldSource& part : source.parts) {
    const FieldValue list = find(part, from);
    if (list.kind() != ValueKind::list) return list;
    lists.push_back(list.entries());
  }
  const std::size_t size = lists.front().size();
  if (std::ranges::any_of(lists, [size](const auto& list) { return list.size() != size; })) {
    for (const auto& list : lists) uneven_ += (uneven_.empty() ? "" : " and ") + std::to_string(list.size());
    uneven_ += " entries";
    return {};
  }
  FieldValue* const entries = arena_.room<FieldValue>(size);
  for (std::size_t i = 0; i < size; ++i) {
    FieldMember* const members = arena_.room<FieldMember>(lists.size());
    for (std::size_t part = 0; part < lists.size(); ++part) {
      members[part] = {.key = part_names[part], .value = lists[part][i]};
    }
    entries[i] = FieldValue::of_object({members, lists.size()});
  }
  return FieldValue::of_list({entries, size});
}

FieldValue FieldResolver::split(const FieldSource& source, const FieldValue& from) {
  const FieldValue whole = find(source.path, from);
  if (whole.kind() != ValueKind::text) return whole;
  const bool is_blank = source.text == " ";  // runs of them are one, and at the ends they are none
  if (source.text.size() == 1 && source.part.empty() && !is_blank) return split_at(source.text.front(), whole.text());
  entries_.clear();
  std::string_view rest = whole.text();
  for (bool more = !rest.empty(); more;) {
    const std::size_t end = rest.find(source.text);
    const std::string_view entry = rest.substr(0, end);
    more = end != std::string_view::npos;
    if (more) rest.remove_prefix(end + source.text.size());
    if (is_blank && entry.empty()) continue;
    entries_.push_back(source.part.empty() ? FieldValue::of_text(entry) : cut(entry, source.part));
  }
  return FieldValue::of_list(arena_.copy(std::span<const FieldValue>(entries_)));
}

// A text that is no such list stays one, which is no list where one is asked for.
FieldValue FieldResolver::written(const FieldSource& source, const FieldValue& from) {
  const FieldValue whole = find(source.path, from);
  if (whole.kind() != ValueKind::text) return whole;
  entries_.clear();
  if (!append_written_list(whole.text(), source.text, arena_, entries_)) return whole;
  for (FieldValue& entry : entries_) {
    if (!source.part.empty() && entry.kind() == ValueKind::text) entry = cut(entry.text(), source.part);
  }
  return FieldValue::of_list(arena_.copy(std::span<const FieldValue>(entries_)));
}

// Where the separators are is known for a block at a time, so that no entry waits for the one before.
FieldValue FieldResolver::split_at(char separator, std::string_view text) {
  if (text.empty()) return FieldValue::of_texts({});
  FieldValue* entries = nullptr;
  std::size_t size = 0, capacity = 0;
  const char* entry = text.data();
  for (std::size_t block = 0; block < text.size(); block += ByteBlock::size) {
    if (size + ByteBlock::size >= capacity) {
      capacity = 2 * (capacity + ByteBlock::size);
      FieldValue* const more = arena_.room<FieldValue>(capacity);
      std::copy_n(entries, size, more);
      entries = more;
    }
    for (std::uint64_t ends = equal_bytes(text, block, separator); ends != 0; ends &= ends - 1) {
      const char* const end = text.data() + block + std::countr_zero(ends);
      entries[size++] = FieldValue::of_text({entry, end});
      entry = end + 1;
    }
  }
  entries[size++] = FieldValue::of_text({entry, text.data() + text.size()});
  return FieldValue::of_texts({entries, size});
}

FieldValue FieldResolver::cut(std::string_view entry, std::string_view part) {
  const std::size_t at = entry.rfind(part);
  std::array<FieldMember, 2> members;
  members[0] = {.key = "$1", .value = FieldValue::of_text(entry.substr(0, at))};
  if (at != std::string_view::npos) {
    members[1] = {.key = "$2", .value = FieldValue::of_text(entry.substr(at + part.size()))};
  }
  const std::span<const FieldMember> all(members.data(), at == std::string_view::npos ? 1 : 2);
  return FieldValue::of_object(arena_.copy(all));
}

bool FieldResolver::holds(const std::vector<FieldCondition>& conditions, const FieldValue& from) {
  return std::ranges::all_of(conditions, [&](const FieldCondition& condition) {
    const FieldValue value = find(condition.path, from);
    return std::ranges::any_of(condition.patterns, [&](const auto& pattern) { return matches(pattern, value); });
  });
}

bool FieldResolver::matches(const FieldCondition::Pattern& pattern, const FieldValue& value) {
  using Kind = FieldCondition::Pattern::Kind;
  if (pattern.kind == Kind::present || pattern.kind == Kind::absent) return value.is_null() == (pattern.kind == Kind::absent);
  TextRoom room;
  const auto text = scalar_text(value, room);
  if (!text) return false;
  switch (pattern.kind) {
    case Kind::prefix: return text->starts_with(pattern.text);
    case Kind::suffix: return text->ends_with(pattern.text);
    default: return *text == pattern.text;
  }
}

}  // namespace recmeter
