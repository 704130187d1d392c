#include "protobuf/compiler.h"

#include <google/protobuf/descriptor.pb.h>

#include <algorithm>

namespace recmeter::protobuf {
namespace {

namespace pb = google::protobuf;

const WantedFields everything{.whole = true, .members = {}};

Node::Kind kind_of(const pb::Descriptor& message, const WantedFields& wanted) {
  if (!wanted.whole) return Node::Kind::object;
  switch (message.well_known_type()) {
    case pb::Descriptor::WELLKNOWNTYPE_TIMESTAMP: return Node::Kind::time;
    case pb::Descriptor::WELLKNOWNTYPE_DOUBLEVALUE:
    case pb::Descriptor::WELLKNOWNTYPE_FLOATVALUE:
    case pb::Descriptor::WELLKNOWNTYPE_INT64VALUE:
    case pb::Descriptor::WELLKNOWNTYPE_UINT64VALUE:
    case pb::Descriptor::WELLKNOWNTYPE_INT32VALUE:
    case pb::Descriptor::WELLKNOWNTYPE_UINT32VALUE:
    case pb::Descriptor::WELLKNOWNTYPE_STRINGVALUE:
    case pb::Descriptor::WELLKNOWNTYPE_BYTESVALUE:
    case pb::Descriptor::WELLKNOWNTYPE_BOOLVALUE: return Node::Kind::wrapper;
    default: return Node::Kind::object;
  }
}

void set_type(FieldNode& node, WireType wire, Scalar scalar) {
  node.wire = wire;
  node.scalar = scalar;
}

void set_type(FieldNode& node, pb::FieldDescriptor::Type type) {
  using Field = pb::FieldDescriptor;
  switch (type) {
    case Field::TYPE_DOUBLE: return set_type(node, WireType::fixed64, Scalar::float64);
    case Field::TYPE_FLOAT: return set_type(node, WireType::fixed32, Scalar::float32);
    case Field::TYPE_INT64: return set_type(node, WireType::varint, Scalar::int64);
    case Field::TYPE_UINT64: return set_type(node, WireType::varint, Scalar::uint64);
    case Field::TYPE_INT32: return set_type(node, WireType::varint, Scalar::int32);
    case Field::TYPE_FIXED64: return set_type(node, WireType::fixed64, Scalar::uint64);
    case Field::TYPE_FIXED32: return set_type(node, WireType::fixed32, Scalar::uint32);
    case Field::TYPE_BOOL: return set_type(node, WireType::varint, Scalar::boolean);
    case Field::TYPE_UINT32: return set_type(node, WireType::varint, Scalar::uint32);
    case Field::TYPE_ENUM: return set_type(node, WireType::varint, Scalar::enumeration);
    case Field::TYPE_SFIXED32: return set_type(node, WireType::fixed32, Scalar::int32);
    case Field::TYPE_SFIXED64: return set_type(node, WireType::fixed64, Scalar::int64);
    case Field::TYPE_SINT32:
    case Field::TYPE_SINT64: return set_type(node, WireType::varint, Scalar::zigzag);
    default: return set_type(node, WireType::bytes, Scalar::text);
  }
}

void finish(Node& node) {
  std::ranges::sort(node.fields, {}, &FieldNode::number);
  node.place.assign(node.members.size(), FieldNode::none);
  for (FieldNode& field : node.fields) {
    if (field.slot == FieldNode::none) continue;
    const bool is_text = field.message == nullptr && field.scalar == Scalar::text;
    if (field.is_repeated || field.message != nullptr) {
      node.place[field.slot] = node.gathered.size();
      node.gathered.push_back(field.slot);
      node.of_texts.push_back(is_text);
    }
    if (is_text && field.oneof == nullptr && field.number < 16) {
      field.text_tag = static_cast<std::uint8_t>(field.number << 3U | static_cast<unsigned>(WireType::bytes));
    }
  }
}

}  // namespace

const Node* Compiler::compile(const pb::Descriptor& message, const WantedFields& wanted) {
  const Node* const root = node_of(message, wanted);
  while (!open_.empty()) {
    const Open open = open_.back();
    open_.pop_back();
    fill(open);
  }
  return root;
}

const Node* Compiler::node_of(const pb::Descriptor& message, const WantedFields& wanted) {
  const Node*& known = known_[{&message, &wanted}];
  if (known != nullptr) return known;
  Node& node = pool_.nodes.emplace_back();
  known = &node;
  node.kind = kind_of(message, wanted);
  open_.push_back({&node, &message, &wanted});
  return &node;
}

void Compiler::fill(const Open& open) {
  Node& node = *open.node;
  if (!open.wanted->whole) {
    for (const auto& [name, below] : open.wanted->members) node.names.push_back(name);
  } else {
    for (int i = 0; i < open.message->field_count(); ++i) node.names.push_back(open.message->field(i)->name());
  }
  Slots slots;
  for (const std::string& name : node.names) {
    slots.try_emplace(name, node.members.size());
    node.members.push_back({.key = name, .value = {}});
  }
  Oneofs oneofs;
  for (int i = 0; i < open.message->field_count(); ++i) {
    add_field(node, *open.message->field(i), *open.wanted, slots, oneofs);
  }
  finish(node);
}

void Compiler::add_field(Node& node, const Field& field, const WantedFields& wanted, const Slots& slots, Oneofs& oneofs) {
  const bool is_foreign = field.message_type() != nullptr && field.message_type()->is_placeholder();
  const auto at = is_foreign || field.type() == Field::TYPE_GROUP ? slots.end() : slots.find(field.name());
  FieldNode read;
  read.number = static_cast<std::uint32_t>(field.number());
  read.slot = at == slots.end() ? FieldNode::none : at->second;
  read.is_repeated = field.is_repeated();
  set_type(read, field.type());
  if (const pb::OneofDescriptor* const oneof = field.real_containing_oneof(); oneof != nullptr) {
    const auto* const members = slots_of(*oneof, slots, oneofs);
    if (members->size() > (slots.contains(field.name()) ? 1U : 0U)) read.oneof = members;
  }
  if (read.slot == FieldNode::none && read.oneof == nullptr) return;
  if (read.slot != FieldNode::none) {
    const WantedFields& below = wanted.whole ? everything : wanted.members[read.slot].second;
    if (read.scalar == Scalar::enumeration) read.symbols = symbols_of(*field.enum_type());
    if (field.message_type() != nullptr)
      read.message = field.is_map() ? compile_map(field, below) : node_of(*field.message_type(), below);
    node.members[read.slot].value = default_of(field, read);
  }
  node.fields.push_back(read);
}

const std::vector<std::size_t>* Compiler::slots_of(const pb::OneofDescriptor& oneof, const Slots& slots, Oneofs& oneofs) {
  const auto*& known = oneofs[&oneof];
  if (known != nullptr) return known;
  auto& members = pool_.oneofs.emplace_back();
  for (int i = 0; i < oneof.field_count(); ++i) {
    if (const auto at = slots.find(oneof.field(i)->name()); at != slots.end()) members.push_back(at->second);
  }
  known = &members;
  return known;
}

// Entries of which all is wanted; or of which the key says whether they are wanted, and what of them.
const Node* Compiler::compile_map(const Field& field, const WantedFields& wanted) {
  const pb::Descriptor& entry = *field.message_type();
  Node& node = pool_.nodes.emplace_back();
  node.kind = Node::Kind::map_entry;
  node.is_whole_map = wanted.whole;
  const auto fill = [&](Node& to, const WantedFields* value) {
    to.names = {"key", "value"};
    for (const std::string& name : to.names) to.members.push_back({.key = name, .value = {}});
    for (std::size_t slot = 0; slot < (value == nullptr ? 1U : 2U); ++slot) {
      const Field& part = slot == 0 ? *entry.map_key() : *entry.map_value();
      FieldNode read;
      read.number = static_cast<std::uint32_t>(part.number());
      read.slot = slot;
      set_type(read, part.type());
      if (read.scalar == Scalar::enumeration) read.symbols = symbols_of(*part.enum_type());
      if (part.message_type() != nullptr) read.message = node_of(*part.message_type(), *value);
      to.members[slot].value = default_of(part, read);
      to.fields.push_back(std::move(read));
    }
  };
  fill(node, wanted.whole ? &everything : nullptr);
  finish(node);
  if (wanted.whole) return &node;
  for (const auto& [key, below] : wanted.members) {
    node.keys.push_back(key);
    Node& of_key = pool_.nodes.emplace_back();
    of_key.kind = Node::Kind::map_entry;
    fill(of_key, &below);
    finish(of_key);
    node.of_keys.push_back(&of_key);
  }
  return &node;
}

const std::map<std::int64_t, std::string>* Compiler::symbols_of(const pb::EnumDescriptor& type) {
  const auto*& symbols = enums_[&type];
  if (symbols == nullptr) {
    auto& made = pool_.enums.emplace_back();
    for (int i = 0; i < type.value_count(); ++i) made.try_emplace(type.value(i)->number(), type.value(i)->name());
    symbols = &made;
  }
  return symbols;
}

FieldValue Compiler::default_of(const Field& field, const FieldNode& node) {
  if (field.is_repeated()) return field.is_map() ? FieldValue() : FieldValue::of_no_entries();
  const bool is_of_entry = field.containing_type()->options().map_entry();
  if ((field.has_presence() && !is_of_entry) || node.message != nullptr) return {};
  switch (node.scalar) {
    case Scalar::boolean: return FieldValue::of_boolean(false);
    case Scalar::float32:
    case Scalar::float64: return FieldValue::of_number(0);
    case Scalar::text: return {};  // an empty text is none
    case Scalar::enumeration: return FieldValue::of_text(node.symbols->at(field.default_value_enum()->number()));
    default: return FieldValue::of_integer(0);
  }
}

}  // namespace recmeter::protobuf
