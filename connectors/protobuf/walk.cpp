#include "protobuf/walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "recmeter/base/text_check.h"
#include "recmeter/base/varint.h"

namespace recmeter::protobuf {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers of fixed width are little-endian");

bool take_varint(std::string_view& bytes, std::uint64_t& value) {
  if (bytes.empty()) return false;
  if (const auto first = static_cast<unsigned char>(bytes.front()); first < 0x80) {
    value = first;
    bytes.remove_prefix(1);
    return true;
  }
  if (bytes.size() >= sizeof value) {
    const char* at = bytes.data();
    const bool is_taken = take_short_varint(at, value);
    bytes.remove_prefix(static_cast<std::size_t>(at - bytes.data()));
    if (is_taken) return true;
  }
  value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

template <class Number>
bool take_fixed(std::string_view& bytes, Number& number) {
  if (bytes.size() < sizeof number) return false;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return true;
}

bool take_bytes(std::string_view& bytes, std::string_view& taken) {
  std::uint64_t size = 0;
  if (!take_varint(bytes, size) || size > bytes.size()) return false;
  taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

bool take_tag(std::string_view& bytes, std::uint32_t& number, WireType& wire) {
  constexpr std::size_t bytes_max = 5;
  std::uint64_t tag = 0;
  const std::size_t before = bytes.size();
  if (!take_varint(bytes, tag) || before - bytes.size() > bytes_max) return false;
  if (tag > std::numeric_limits<std::uint32_t>::max()) return false;
  number = static_cast<std::uint32_t>(tag >> 3U);
  wire = static_cast<WireType>(tag & 7U);
  return number != 0 && (tag & 7U) <= 5;
}

template <class Object>
void grow(RecordArena& arena, Object*& objects, std::size_t size, std::size_t& capacity) {
  if (size < capacity) return;
  capacity = std::max<std::size_t>(16, 2 * capacity);
  Object* const more = arena.room<Object>(capacity);
  std::copy_n(objects, size, more);
  objects = more;
}

// seconds and nanos. What no int64 holds is out of every range.
FieldValue time_of(const FieldMember* members) {
  const std::int64_t seconds = members[0].value.integer(), nanos = members[1].value.integer();
  std::int64_t ms = 0;
  const std::int64_t part = nanos / 1'000'000 - (nanos % 1'000'000 < 0 ? 1 : 0);
  if (__builtin_mul_overflow(seconds, std::int64_t{1000}, &ms) || __builtin_add_overflow(ms, part, &ms)) {
    ms = std::numeric_limits<std::int64_t>::max();
  }
  return FieldValue::of_time({ms});
}

}  // namespace

bool Walk::read_root(const Node& node, std::string_view bytes, FieldValue& value, std::span<FieldMember> members) {
  Object object{.node = &node, .members = members.data(), .slots = new_slots(node)};
  for (const FieldNode& field : node.fields) {
    if (field.slot != FieldNode::none) members[field.slot].value = node.members[field.slot].value;
  }
  if (!fill(object, bytes, 0)) return false;
  value = finish(object);
  return true;
}

bool Walk::read(const Node& node, std::string_view bytes, FieldValue& value, std::size_t depth) {
  if (!pay(node.members.size())) return false;
  Object object = begin(node);
  if (!fill(object, bytes, depth)) return false;
  value = finish(object);
  return true;
}

Walk::Object Walk::begin(const Node& node) {
  const Object object{.node = &node, .members = arena_.room<FieldMember>(node.members.size()), .slots = new_slots(node)};
  std::copy(node.members.begin(), node.members.end(), object.members);
  return object;
}

Walk::Slot* Walk::new_slots(const Node& node) {
  Slot* const slots = arena_.room<Slot>(node.gathered.size());
  std::fill_n(slots, node.gathered.size(), Slot());
  return slots;
}

bool Walk::fill(Object& object, std::string_view bytes, std::size_t depth) {
  if (depth > depth_max) return false;
  const std::span<const FieldNode> fields = object.node->fields;
  const FieldNode* const end = fields.data() + fields.size();
  const FieldNode* next = fields.data();  // most come in their order
  while (!bytes.empty()) {
    const std::uint8_t text_tag = next != end ? next->text_tag : 0;
    if (text_tag != 0 && text_tag == static_cast<std::uint8_t>(bytes.front())) {
      bool is_taken = false;
      if (!next->is_repeated) {
        is_taken = take_short_text(bytes, object.members[next->slot].value);
      } else if (!take_short_texts(bytes, object.slot(next->slot), is_taken)) {
        return false;
      }
      if (is_taken) {
        ++next;
        continue;
      }
    }
    std::uint32_t number = 0;
    WireType wire = WireType::varint;
    if (!take_tag(bytes, number, wire)) return false;
    if (next == end || next->number != number) {
      next = std::to_address(std::ranges::lower_bound(fields, number, {}, &FieldNode::number));
    }
    const bool is_wanted = next != end && next->number == number;
    const bool is_taken = is_wanted ? take(*next, wire, bytes, object, depth) : skip(wire, number, bytes, depth);
    if (!is_taken) return false;
    if (is_wanted && !next->is_repeated) ++next;
  }
  return true;
}

bool Walk::take_short_text(std::string_view& bytes, FieldValue& value) const {
  const std::size_t size = bytes.size() < 2 ? 0x80 : static_cast<unsigned char>(bytes[1]);
  if (size >= 0x80 || size > bytes.size() - 2) return false;
  const std::string_view text = bytes.substr(2, size);
  if (!is_text(text, readable_from(text.data()))) return false;
  value = FieldValue::of_text(text);
  bytes.remove_prefix(2 + size);
  return true;
}

// The compiler keeps what is local in registers. Tags and lengths are ASCII too, so that they and the texts are looked at
// together.
bool Walk::take_short_texts(std::string_view& bytes, Slot& slot, bool& is_taken) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  const char tag = *at;
  Slot taken = slot;
  while (end - at >= 2 && *at == tag) {
    const std::size_t size = static_cast<unsigned char>(at[1]);
    if (size >= 0x80 || size > static_cast<std::size_t>(end - at - 2)) break;
    if (taken.size == taken.capacity) grow(arena_, taken.entries, taken.size, taken.capacity);
    taken.entries[taken.size++] = FieldValue::of_text({at + 2, size});
    at += 2 + size;
  }
  const auto size = static_cast<std::size_t>(at - bytes.data());
  const std::span<const FieldValue> texts(taken.entries + slot.size, taken.size - slot.size);
  const bool are_texts =
      is_ascii(bytes.substr(0, size), readable_from(bytes.data())) || std::ranges::all_of(texts, [this](const auto& text) {
        return is_text(text.text(), readable_from(text.text().data()));
      });
  slot = taken;
  bytes.remove_prefix(size);
  is_taken = size > 0;
  return are_texts;
}

bool Walk::take(const FieldNode& field, WireType wire, std::string_view& bytes, Object& object, std::size_t depth) {
  const bool is_packed = field.is_repeated && wire == WireType::bytes && field.wire != WireType::bytes;
  if (wire != field.wire && !is_packed) return skip(wire, field.number, bytes, depth);
  if (field.oneof != nullptr && !clear_others(field, object)) return false;
  if (field.slot == FieldNode::none) return skip(wire, field.number, bytes, depth);
  if (field.message == nullptr && !field.is_repeated) return take_scalar(field, bytes, object.members[field.slot].value);
  Slot& slot = object.slot(field.slot);
  std::string_view part;
  if (is_packed) return take_bytes(bytes, part) && take_packed(field, part, slot);
  if (field.message == nullptr) {
    FieldValue entry;
    if (!take_scalar(field, bytes, entry)) return false;
    put(slot, entry);
    return true;
  }
  if (!take_bytes(bytes, part)) return false;
  if (field.message->kind == Node::Kind::map_entry) return take_entry(field, part, slot, depth);
  if (field.is_repeated) {
    FieldValue entry;
    if (!read(*field.message, part, entry, depth + 1)) return false;
    put(slot, entry);
    return true;
  }
  if (slot.object == nullptr) {
    if (!pay(field.message->members.size())) return false;
    slot.object = arena_.room<Object>(1);
    *slot.object = begin(*field.message);
  }
  return fill(*slot.object, part, depth + 1);
}

// The last member of a oneof is the one there is.
bool Walk::clear_others(const FieldNode& field, Object& object) {
  if (!pay(field.oneof->size())) return false;
  for (const std::size_t other : *field.oneof) {
    if (other == field.slot) continue;
    object.members[other].value = {};
    if (object.node->place[other] != FieldNode::none) object.slot(other) = {};
  }
  return true;
}

bool Walk::take_packed(const FieldNode& field, std::string_view bytes, Slot& slot) {
  while (!bytes.empty()) {
    FieldValue entry;
    if (!take_scalar(field, bytes, entry)) return false;
    put(slot, entry);
  }
  return true;
}

// A short text and another, as nearly all entries of a map are. False: the general way has to see them.
bool Walk::take_map_entry(std::string_view bytes, FieldMember& member) const {
  const auto part = [&](std::size_t begin, char tag) -> std::optional<std::string_view> {
    if (begin + 2 > bytes.size() || bytes[begin] != tag) return std::nullopt;
    const std::size_t size = static_cast<unsigned char>(bytes[begin + 1]);
    if (size >= 0x80 || size > bytes.size() - begin - 2) return std::nullopt;
    const std::string_view text = bytes.substr(begin + 2, size);
    return is_text(text, readable_from(text.data())) ? std::optional(text) : std::nullopt;
  };
  const auto key = part(0, 0x0A);
  const auto value = key ? part(key->size() + 2, 0x12) : std::nullopt;
  if (!value || key->size() + value->size() + 4 != bytes.size()) return false;
  member = {.key = *key, .value = FieldValue::of_text(*value)};
  return true;
}

// Of a map. Of the wanted keys the last entry counts.
bool Walk::take_entry(const FieldNode& field, std::string_view bytes, Slot& slot, std::size_t depth) {
  const Node& node = *field.message;
  if (node.is_whole_map && node.fields[0].text_tag != 0 && node.fields[1].text_tag != 0) {
    grow(arena_, slot.members, slot.size, slot.capacity);
    if (take_map_entry(bytes, slot.members[slot.size])) {
      ++slot.size;
      return true;
    }
  }
  FieldValue entry;
  if (!read(node, bytes, entry, depth + 1)) return false;
  const FieldValue key = entry.members()[0].value;
  std::array<char, 24> room;
  std::string_view name(room.data(), 0);
  if (key.kind() == ValueKind::text) {
    name = key.text();
  } else if (key.kind() == ValueKind::boolean) {
    name = key.boolean() ? "true" : "false";
  } else {
    char* const end = room.data() + room.size();
    const auto written = key.kind() == ValueKind::integer ? std::to_chars(room.data(), end, key.integer())
                                                          : std::to_chars(room.data(), end, key.large_integer());
    name = arena_.copy(std::string_view(room.data(), static_cast<std::size_t>(written.ptr - room.data())));
  }
  if (node.is_whole_map) {
    grow(arena_, slot.members, slot.size, slot.capacity);
    slot.members[slot.size++] = {.key = name, .value = entry.members()[1].value};
    return true;
  }
  const auto at = static_cast<std::size_t>(std::ranges::find(node.keys, name) - node.keys.begin());
  if (at == node.keys.size()) return true;
  if (slot.members == nullptr) {
    slot.size = node.keys.size();
    slot.members = arena_.room<FieldMember>(slot.size);
    for (std::size_t i = 0; i < slot.size; ++i) slot.members[i] = {.key = node.keys[i], .value = {}};
  }
  if (!read(*node.of_keys[at], bytes, entry, depth + 1)) return false;
  slot.members[at].value = entry.members()[1].value;
  return true;
}

bool Walk::take_scalar(const FieldNode& field, std::string_view& bytes, FieldValue& value) const {
  std::uint64_t bits = 0;
  std::uint32_t half = 0;
  std::string_view text;
  switch (field.wire) {
    case WireType::varint:
      if (!take_varint(bytes, bits)) return false;
      break;
    case WireType::fixed64:
      if (!take_fixed(bytes, bits)) return false;
      break;
    case WireType::fixed32:
      if (!take_fixed(bytes, half)) return false;
      bits = half;
      break;
    default:
      value = {};
      if (!take_bytes(bytes, text)) return false;
      value = FieldValue::of_text(text);
      return is_text(text, readable_from(text.data()));
  }
  switch (field.scalar) {
    case Scalar::int64: value = FieldValue::of_integer(static_cast<std::int64_t>(bits)); break;
    case Scalar::int32: value = FieldValue::of_integer(static_cast<std::int32_t>(bits)); break;
    case Scalar::zigzag: value = FieldValue::of_integer(static_cast<std::int64_t>((bits >> 1U) ^ (~(bits & 1U) + 1U))); break;
    case Scalar::uint64: value = FieldValue::of_unsigned(bits); break;
    case Scalar::uint32: value = FieldValue::of_unsigned(static_cast<std::uint32_t>(bits)); break;
    case Scalar::boolean: value = FieldValue::of_boolean(bits != 0); break;
    case Scalar::float64: value = FieldValue::of_number(std::bit_cast<double>(bits)); break;
    case Scalar::float32: value = FieldValue::of_number(static_cast<double>(std::bit_cast<float>(half))); break;
    case Scalar::enumeration: {
      const auto number = static_cast<std::int32_t>(bits);
      const auto symbol = field.symbols->find(number);
      value = symbol == field.symbols->end() ? FieldValue::of_integer(number) : FieldValue::of_text(symbol->second);
      break;
    }
    case Scalar::text: break;
  }
  return true;
}

bool Walk::skip(WireType wire, std::uint32_t number, std::string_view& bytes, std::size_t depth) {
  std::uint64_t bits = 0;
  std::uint32_t half = 0;
  std::string_view part;
  switch (wire) {
    case WireType::varint: return take_varint(bytes, bits);
    case WireType::fixed64: return take_fixed(bytes, bits);
    case WireType::fixed32: return take_fixed(bytes, half);
    case WireType::bytes: return take_bytes(bytes, part);
    case WireType::group_end: return false;
    case WireType::group: break;
  }
  if (depth > depth_max) return false;
  while (!bytes.empty()) {
    std::uint32_t inner = 0;
    if (!take_tag(bytes, inner, wire)) return false;
    if (wire == WireType::group_end) return inner == number;
    if (!skip(wire, inner, bytes, depth + 1)) return false;
  }
  return false;
}

FieldValue Walk::finish(const Object& object) {
  const Node& node = *object.node;
  for (std::size_t i = 0; i < node.gathered.size(); ++i) {
    const Slot& slot = object.slots[i];
    FieldValue& value = object.members[node.gathered[i]].value;
    if (slot.members != nullptr) {
      value = FieldValue::of_object({slot.members, slot.size});
    } else if (slot.entries != nullptr) {
      value =
          node.of_texts[i] ? FieldValue::of_texts({slot.entries, slot.size}) : FieldValue::of_list({slot.entries, slot.size});
    } else if (slot.object != nullptr) {
      value = finish(*slot.object);
    }
  }
  if (node.kind == Node::Kind::time) return time_of(object.members);
  if (node.kind == Node::Kind::wrapper) return object.members[0].value;
  return FieldValue::of_object({object.members, node.members.size()});
}

void Walk::put(Slot& slot, const FieldValue& entry) {
  grow(arena_, slot.entries, slot.size, slot.capacity);
  slot.entries[slot.size++] = entry;
}

}  // namespace recmeter::protobuf
