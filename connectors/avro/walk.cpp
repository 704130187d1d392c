#include "avro/walk.h"

#include <algorithm>
#include <limits>

#include "avro/decimal.h"
#include "recmeter/base/varint.h"

namespace recmeter::avro {
namespace {

static_assert(std::endian::native == std::endian::little, "Avro's floats are little-endian");

// Makes room for `count` more behind the `size` there are; twice as much each time, so that many small blocks stay cheap.
template <class Object>
void grow(RecordArena& arena, Object*& objects, std::size_t size, std::size_t& capacity, std::size_t count) {
  if (size + count <= capacity) return;
  capacity = std::max(size + count, 2 * capacity);
  Object* const more = arena.room<Object>(capacity);
  std::copy_n(objects, size, more);
  objects = more;
}

}  // namespace

bool Walk::take_long(std::int64_t& integer) {
  std::uint64_t bits = 0;
  if (left() >= sizeof bits && take_short_varint(at_, bits)) {
    integer = static_cast<std::int64_t>((bits >> 1U) ^ (~(bits & 1U) + 1U));
    return true;
  }
  bits = 0;
  for (unsigned shift = 0; shift < 64 && at_ < end_; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at_++);
    bits |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte >= 0x80) continue;
    if (shift == 63 && byte > 1) return false;
    integer = static_cast<std::int64_t>((bits >> 1U) ^ (~(bits & 1U) + 1U));
    return true;
  }
  return false;
}

template <class Number>
bool Walk::take_float(Number& number) {
  std::string_view bytes;
  if (!take(sizeof number, bytes)) return false;
  std::memcpy(&number, bytes.data(), sizeof number);
  return true;
}

bool Walk::take_sized_block(std::int64_t count, std::size_t& entries, const char*& end) {
  std::int64_t size = 0;
  if (count == std::numeric_limits<std::int64_t>::min()) return false;
  if (!take(size) || size < 0 || static_cast<std::size_t>(size) > left()) return false;
  entries = static_cast<std::size_t>(-count);
  end = at_ + size;
  return true;
}

bool Walk::skip(const Node& node, std::size_t depth) {
  std::int64_t integer = 0;
  std::string_view bytes;
  if (depth > depth_max) return false;
  switch (node.kind) {
    case Kind::null: return true;
    case Kind::boolean: return take(1, bytes) && static_cast<unsigned char>(bytes.front()) <= 1;
    case Kind::integer:
    case Kind::time: return take(integer);
    case Kind::float32: return take(4, bytes);
    case Kind::float64: return take(8, bytes);
    case Kind::text: return take_text(bytes);
    case Kind::fixed: return take(node.size, bytes);
    case Kind::decimal: return node.size > 0 ? take(node.size, bytes) : take_text(bytes);
    case Kind::enumeration: return take(integer) && integer >= 0 && static_cast<std::size_t>(integer) < node.names.size();
    case Kind::list:
    case Kind::map: return skip_blocks(node, depth);
    case Kind::record:
      return pay(node.fields.size()) &&
             std::ranges::all_of(node.fields, [&](const Node::Field& field) { return skip(*field.node, depth + 1); });
    case Kind::either: {
      const Node* branch = nullptr;
      return take_branch(node, branch) && skip(*branch, depth + 1);
    }
  }
  return false;
}

bool Walk::skip_blocks(const Node& node, std::size_t depth) {
  std::size_t entries = 0;
  const char* block = nullptr;
  while (take_block(node, entries, block)) {
    if (entries == 0) return true;
    if (block != nullptr) {
      at_ = block;
      continue;
    }
    for (std::size_t i = 0; i < entries; ++i) {
      if (std::string_view key; node.kind == Kind::map && !take_text(key)) return false;
      if (!skip(*node.below.front(), depth + 1)) return false;
    }
  }
  return false;
}

bool Walk::read_other(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth) {
  std::int64_t integer = 0;
  std::string_view bytes;
  if (depth > depth_max) return false;
  switch (node.kind) {
    case Kind::null: value = {}; return true;
    case Kind::integer:
      if (!take(integer)) return false;
      value = FieldValue::of_integer(integer);
      return true;
    case Kind::boolean:
      if (!take(1, bytes)) return false;
      value = FieldValue::of_boolean(bytes.front() != 0);
      return static_cast<unsigned char>(bytes.front()) <= 1;
    case Kind::float32: {
      float number = 0;
      if (!take_float(number)) return false;
      value = FieldValue::of_number(static_cast<double>(number));
      return true;
    }
    case Kind::float64: {
      double number = 0;
      if (!take_float(number)) return false;
      value = FieldValue::of_number(number);
      return true;
    }
    case Kind::fixed: return take(node.size, bytes) && as_text(bytes, value);
    case Kind::enumeration:
      if (!take(integer) || integer < 0 || static_cast<std::size_t>(integer) >= node.names.size()) return false;
      value = FieldValue::of_text(node.names[static_cast<std::size_t>(integer)]);
      return true;
    case Kind::time: return read_time(node, value);
    case Kind::decimal: return read_decimal(node, value);
    case Kind::list: return read_list(node, arena, value, depth);
    case Kind::map: return node.is_whole ? read_whole_map(node, arena, value, depth) : read_map(node, arena, value, depth);
    case Kind::record: return read_record(node, arena, value, depth);
    case Kind::text:
    case Kind::either: break;
  }
  return false;
}

bool Walk::read_record(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth) {
  if (!pay(std::max(node.fields.size(), node.members.size()))) return false;
  // Every field is read, so that what the record before had is gone.
  const bool is_root = depth == 0 && !root_.empty();
  FieldMember* const members = is_root ? root_.data() : arena.room<FieldMember>(node.members.size());
  if (!is_root) std::copy(node.members.begin(), node.members.end(), members);
  for (const Node::Field& field : node.fields) {
    const bool is_read = field.slot == Node::passed_over ? skip(*field.node, depth + 1)
                                                         : read(*field.node, arena, members[field.slot].value, depth + 1);
    if (!is_read) return false;
  }
  value = FieldValue::of_object({members, node.members.size()});
  return true;
}

// As read() does; lists of texts are what most of the bytes are. The compiler keeps a local place in a register. The lengths
// of short texts are ASCII too, so that texts and lengths are looked at together.
bool Walk::read_texts(std::size_t count, FieldValue* to) {
  const char* at = at_;
  const std::span<FieldValue> texts(to, count);
  for (FieldValue& text : texts) {
    const std::uint8_t length = at < end_ ? static_cast<std::uint8_t>(*at) : 1;
    const std::size_t size = length >> 1U;
    if ((length & 0x81U) != 0 || size >= static_cast<std::size_t>(end_ - at)) return read_long_texts(texts);
    text = FieldValue::of_text({at + 1, size});
    at += size + 1;
  }
  const auto size = static_cast<std::size_t>(at - at_);
  if (!is_ascii({at_, size}, left() + readable_)) return read_long_texts(texts);
  at_ = at;
  return true;
}

bool Walk::read_long_texts(std::span<FieldValue> texts) {
  return std::ranges::all_of(texts, [this](FieldValue& value) {
    std::string_view text;
    return take_text(text) && as_text(text, value);
  });
}

bool Walk::read_list(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth) {
  FieldValue* entries = nullptr;
  std::size_t size = 0, capacity = 0, count = 0;
  const char* block = nullptr;
  const Node& entry = *node.below.front();
  while (take_block(node, count, block)) {
    if (count == 0) {
      value = entry.kind == Kind::text ? FieldValue::of_texts({entries, size}) : FieldValue::of_list({entries, size});
      return true;
    }
    grow(arena, entries, size, capacity, count);
    if (entry.kind == Kind::text) {
      if (!read_texts(count, entries + size)) return false;
      size += count;
    } else {
      for (const std::size_t end = size + count; size < end; ++size) {
        if (!read(entry, arena, entries[size], depth + 1)) return false;
      }
    }
    if (!is_at_end_of(block)) return false;
  }
  return false;
}

// Of the wanted keys.
bool Walk::read_map(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth) {
  FieldMember* const members = arena.room<FieldMember>(node.names.size());
  for (std::size_t i = 0; i < node.names.size(); ++i) members[i] = {.key = {}, .value = {}};
  std::size_t count = 0;
  const char* block = nullptr;
  std::string_view key;
  while (take_block(node, count, block)) {
    if (count == 0) {
      for (std::size_t i = 0; i < node.names.size(); ++i) members[i].key = node.names[i];
      value = FieldValue::of_object({members, node.names.size()});
      return true;
    }
    for (; count > 0; --count) {
      if (!take_text(key)) return false;
      const auto slot = static_cast<std::size_t>(std::ranges::find(node.names, key) - node.names.begin());
      const bool is_wanted = slot < node.names.size() && members[slot].key.data() == nullptr;
      if (slot < node.names.size() && !is_wanted) members[slot].is_twice = true;
      if (is_wanted) members[slot].key = node.names[slot];
      const bool is_read = is_wanted ? read(*node.below[slot + 1], arena, members[slot].value, depth + 1)
                                     : skip(*node.below.front(), depth + 1);
      if (!is_read) return false;
    }
    if (!is_at_end_of(block)) return false;
  }
  return false;
}

bool Walk::read_whole_map(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth) {
  FieldMember* members = nullptr;
  std::size_t size = 0, capacity = 0, count = 0;
  const char* block = nullptr;
  while (take_block(node, count, block)) {
    if (count == 0) {
      value = FieldValue::of_object({members, size});
      return true;
    }
    grow(arena, members, size, capacity, count);
    for (const std::size_t end = size + count; size < end; ++size) {
      FieldValue key;
      if (std::string_view text; !take_text(text) || !as_text(text, key)) return false;
      members[size] = {.key = key.text(), .value = {}};
      if (!read(*node.below.front(), arena, members[size].value, depth + 1)) return false;
    }
    if (!is_at_end_of(block)) return false;
  }
  return false;
}

// To the millisecond before. What no int64 holds is out of every range.
bool Walk::read_time(const Node& node, FieldValue& value) {
  std::int64_t written = 0, ms = 0;
  if (!take(written)) return false;
  if (node.ms_per == 1) {
    ms = written;
  } else if (__builtin_mul_overflow(written, node.ms_per, &ms)) {
    ms = std::numeric_limits<std::int64_t>::max();
  }
  if (node.per_ms > 1) ms = ms / node.per_ms - (ms % node.per_ms < 0 ? 1 : 0);
  value = FieldValue::of_time({ms});
  return true;
}

bool Walk::read_decimal(const Node& node, FieldValue& value) {
  std::string_view bytes;
  if (!(node.size > 0 ? take(node.size, bytes) : take_text(bytes))) return false;
  value = decimal_value(bytes, node.scale);
  return true;
}

}  // namespace recmeter::avro
