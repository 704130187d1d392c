// Random message types and messages, written by libprotobuf and read by both.
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <gtest/gtest.h>

#include "recmeter/protobuf/program.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/value_text.h"

namespace recmeter::protobuf {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;
using support::Dice;
using test::number_text;
using test::value_text;

const WantedFields everything{.whole = true, .members = {}};

// A message of any fields, and messages below it.
void add_message(pb::DescriptorProto& message, Dice& dice, int depth) {
  for (int i = 0; i < 2 && depth < 3; ++i) {
    pb::DescriptorProto& below = *message.add_nested_type();
    below.set_name("M" + std::to_string(depth) + std::to_string(i));
    add_message(below, dice, depth + 1);
  }
  const std::size_t oneof = dice.below(3);
  if (oneof > 0) message.add_oneof_decl()->set_name("one");
  int number = 0;
  for (std::size_t i = 0; i < 1 + dice.below(8) + oneof; ++i) {
    pb::FieldDescriptorProto& field = *message.add_field();
    field.set_name("f" + std::to_string(i));
    field.set_number(number += 1 + static_cast<int>(dice.below(40)));
    field.set_label(i >= oneof && dice.percent(40) ? pb::FieldDescriptorProto::LABEL_REPEATED
                                                   : pb::FieldDescriptorProto::LABEL_OPTIONAL);
    if (i < oneof) field.set_oneof_index(0);
    constexpr std::array types{pb::FieldDescriptorProto::TYPE_DOUBLE,   pb::FieldDescriptorProto::TYPE_FLOAT,
                               pb::FieldDescriptorProto::TYPE_INT64,    pb::FieldDescriptorProto::TYPE_UINT64,
                               pb::FieldDescriptorProto::TYPE_INT32,    pb::FieldDescriptorProto::TYPE_FIXED64,
                               pb::FieldDescriptorProto::TYPE_FIXED32,  pb::FieldDescriptorProto::TYPE_BOOL,
                               pb::FieldDescriptorProto::TYPE_STRING,   pb::FieldDescriptorProto::TYPE_BYTES,
                               pb::FieldDescriptorProto::TYPE_UINT32,   pb::FieldDescriptorProto::TYPE_SFIXED32,
                               pb::FieldDescriptorProto::TYPE_SFIXED64, pb::FieldDescriptorProto::TYPE_SINT32,
                               pb::FieldDescriptorProto::TYPE_SINT64,   pb::FieldDescriptorProto::TYPE_ENUM,
                               pb::FieldDescriptorProto::TYPE_MESSAGE};
    field.set_type(types[dice.below(types.size())]);
    if (field.type() == pb::FieldDescriptorProto::TYPE_ENUM) field.set_type_name(".t.E");
    if (field.type() == pb::FieldDescriptorProto::TYPE_MESSAGE) {
      field.set_type_name(message.nested_type_size() == 0 || dice.percent(10) ? "Root" : message.nested_type(0).name());
    }
  }
}

pb::FileDescriptorProto random_file(Dice& dice) {
  pb::FileDescriptorProto file;
  file.set_name("t.proto");
  file.set_package("t");
  file.set_syntax("proto3");
  pb::EnumDescriptorProto& type = *file.add_enum_type();
  type.set_name("E");
  for (int i = 0; i < 3; ++i) {
    type.add_value()->set_name("V" + std::to_string(i));
    type.mutable_value(i)->set_number(i);
  }
  pb::DescriptorProto& root = *file.add_message_type();
  root.set_name("Root");
  add_message(root, dice, 0);
  return file;
}

void fill(pb::Message& message, Dice& dice, int depth);

const std::vector<std::string> words{"", "a", "größer", "a text of more than eight bytes"};

// Sets the field, or adds to it.
void fill(pb::Message& message, const Field& field, Dice& dice, int depth) {
  const pb::Reflection& of = *message.GetReflection();
  const std::int64_t number = dice.between(-1'000'000'000'000, 1'000'000'000'000) >> dice.below(40);
  const auto small = static_cast<std::int32_t>(number);
  const auto set = [&](auto one, auto more, auto value) {
    field.is_repeated() ? (of.*more)(&message, &field, value) : (of.*one)(&message, &field, value);
  };
  switch (field.cpp_type()) {
    case Field::CPPTYPE_INT32: return set(&pb::Reflection::SetInt32, &pb::Reflection::AddInt32, small);
    case Field::CPPTYPE_INT64: return set(&pb::Reflection::SetInt64, &pb::Reflection::AddInt64, number);
    case Field::CPPTYPE_UINT32:
      return set(&pb::Reflection::SetUInt32, &pb::Reflection::AddUInt32, static_cast<std::uint32_t>(small));
    case Field::CPPTYPE_UINT64:
      return set(&pb::Reflection::SetUInt64, &pb::Reflection::AddUInt64, static_cast<std::uint64_t>(number));
    case Field::CPPTYPE_DOUBLE:
      return set(&pb::Reflection::SetDouble, &pb::Reflection::AddDouble, static_cast<double>(number) / 7);
    case Field::CPPTYPE_FLOAT:
      return set(&pb::Reflection::SetFloat, &pb::Reflection::AddFloat, static_cast<float>(small) / 7);
    case Field::CPPTYPE_BOOL: return set(&pb::Reflection::SetBool, &pb::Reflection::AddBool, number > 0);
    case Field::CPPTYPE_ENUM:
      return set(&pb::Reflection::SetEnumValue, &pb::Reflection::AddEnumValue, static_cast<int>(dice.below(4)));
    case Field::CPPTYPE_STRING: return set(&pb::Reflection::SetString, &pb::Reflection::AddString, dice.pick(words));
    case Field::CPPTYPE_MESSAGE:
      fill(field.is_repeated() ? *of.AddMessage(&message, &field) : *of.MutableMessage(&message, &field), dice, depth + 1);
  }
}

void fill(pb::Message& message, Dice& dice, int depth) {
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count() && depth < 6; ++i) {
    const Field& field = *type.field(i);
    for (std::size_t n = dice.below(field.is_repeated() ? 4 : 2); n > 0; --n) fill(message, field, dice, depth);
  }
}

std::string text_of(const pb::Message& message);

// One of a list, or the field's value.
std::string text_of(const pb::Message& message, const Field& field, int index) {
  const pb::Reflection& of = *message.GetReflection();
  const auto get = [&](auto one, auto more) {
    return index < 0 ? (of.*one)(message, &field) : (of.*more)(message, &field, index);
  };
  switch (field.cpp_type()) {
    case Field::CPPTYPE_INT32: return number_text(get(&pb::Reflection::GetInt32, &pb::Reflection::GetRepeatedInt32));
    case Field::CPPTYPE_INT64: return number_text(get(&pb::Reflection::GetInt64, &pb::Reflection::GetRepeatedInt64));
    case Field::CPPTYPE_UINT32: return number_text(get(&pb::Reflection::GetUInt32, &pb::Reflection::GetRepeatedUInt32));
    case Field::CPPTYPE_UINT64: return number_text(get(&pb::Reflection::GetUInt64, &pb::Reflection::GetRepeatedUInt64));
    case Field::CPPTYPE_DOUBLE: return number_text(get(&pb::Reflection::GetDouble, &pb::Reflection::GetRepeatedDouble)) + "f";
    case Field::CPPTYPE_FLOAT:
      return number_text(static_cast<double>(get(&pb::Reflection::GetFloat, &pb::Reflection::GetRepeatedFloat))) + "f";
    case Field::CPPTYPE_BOOL: return get(&pb::Reflection::GetBool, &pb::Reflection::GetRepeatedBool) ? "true" : "false";
    case Field::CPPTYPE_ENUM: {
      const int number = get(&pb::Reflection::GetEnumValue, &pb::Reflection::GetRepeatedEnumValue);
      return number < 3 ? "\"V" + std::to_string(number) + '"' : std::to_string(number);
    }
    case Field::CPPTYPE_STRING: {
      const std::string text = get(&pb::Reflection::GetString, &pb::Reflection::GetRepeatedString);
      return text.empty() && index < 0 && !field.has_presence() ? "null" : '"' + text + '"';
    }
    case Field::CPPTYPE_MESSAGE: break;
  }
  return text_of(index < 0 ? of.GetMessage(message, &field) : of.GetRepeatedMessage(message, &field, index));
}

std::string text_of(const pb::Message& message) {
  std::string text = "{";
  const pb::Descriptor& type = *message.GetDescriptor();
  const pb::Reflection& of = *message.GetReflection();
  for (int i = 0; i < type.field_count(); ++i) {
    const Field& field = *type.field(i);
    text += field.name() + ":";
    if (field.is_repeated() && of.FieldSize(message, &field) == 0) {
      text += "null";
    } else if (field.is_repeated()) {
      text += "[";
      for (int n = 0; n < of.FieldSize(message, &field); ++n) text += text_of(message, field, n) + ",";
      text += "]";
    } else {
      text += field.has_presence() && !of.HasField(message, &field) ? "null" : text_of(message, field, -1);
    }
    text += ",";
  }
  return text + "}";
}

WantedFields random_wanted(Dice& dice, int depth) {
  WantedFields wanted;
  wanted.whole = depth > 2 || dice.percent(20);
  for (std::size_t i = dice.below(5); i > 0 && !wanted.whole; --i) {
    const std::string name = "f" + std::to_string(i);
    if (wanted.find(name) == wanted.members.size()) wanted.members.emplace_back(name, random_wanted(dice, depth + 1));
  }
  return wanted;
}

TEST(ProtobufProgram, reads_what_libprotobuf_writes) {
  support::for_each_seed(2000, 50'000, [](std::uint64_t seed) {
    SCOPED_TRACE("RECMETER_SEED=" + std::to_string(seed));
    Dice dice(seed);
    pb::FileDescriptorSet set;
    *set.add_file() = random_file(dice);
    const auto schema = MessageSchema::of_descriptors(set.SerializeAsString());
    ASSERT_TRUE(schema) << schema.error().context << set.DebugString();
    const pb::Descriptor* const type = schema->message("t.Root");
    ASSERT_NE(type, nullptr);
    pb::DynamicMessageFactory factory;
    const std::unique_ptr<pb::Message> message(factory.GetPrototype(type)->New());
    // Two behind each other are one, merged.
    std::string bytes;
    for (int part = 0; part < 2; ++part) {
      const std::unique_ptr<pb::Message> one(factory.GetPrototype(type)->New());
      fill(*one, dice, 0);
      bytes += one->SerializeAsString();
    }
    ASSERT_TRUE(message->ParseFromString(bytes));

    RecordArena arena;
    const Program whole(*schema, *type, everything);
    const auto value = whole.read(bytes, arena);
    ASSERT_TRUE(value) << type->DebugString();
    EXPECT_EQ(value_text(*value), text_of(*message)) << type->DebugString() << message->DebugString();
    const WantedFields wanted = random_wanted(dice, 0);
    const Program some(*schema, *type, wanted);
    const auto parts = some.read(bytes, arena);
    ASSERT_TRUE(parts);
    EXPECT_EQ(value_text(*parts, &wanted), value_text(*value, &wanted)) << type->DebugString();

    for (int i = 0; i < 20 && !bytes.empty(); ++i) {
      bytes[dice.below(bytes.size())] = static_cast<char>(dice.below(256));
      const bool is_read = whole.read(bytes, arena).has_value();
      // It is stricter with texts that are no UTF-8 in fields of bytes, and with depth, and never more lenient.
      EXPECT_TRUE(!is_read || message->ParsePartialFromString(bytes)) << type->DebugString();
    }
  });
}

}  // namespace
}  // namespace recmeter::protobuf
