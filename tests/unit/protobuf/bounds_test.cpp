// What a schema may make of a message, and what it may take: [S2.41], [S2.42].
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include "recmeter/event/schema_bounds.h"
#include "recmeter/protobuf/program.h"

namespace recmeter::protobuf {
namespace {

namespace pb = google::protobuf;
using namespace std::string_view_literals;

const WantedFields everything{.whole = true, .members = {}};
constexpr const char* proto3 = "syntax = \"proto3\";\n";

Result<MessageSchema> parsed(const std::string& text) {
  const SchemaFile file{.name = "schema", .text = text};
  return MessageSchema::of_texts({&file, 1});
}
std::string fault_of(const std::string& text) {
  const auto schema = parsed(text);
  return schema ? "" : schema.error().context;
}
std::string nested(int levels) {
  std::string text = proto3;
  for (int i = 0; i < levels; ++i) text += "message M {";
  return text + std::string(static_cast<std::size_t>(levels), '}');
}
std::string numbered(const std::string& before, std::size_t count, const std::string& behind) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i) text += before + std::to_string(i) + behind;
  return text;
}

TEST(ProtobufBounds, refuse_a_schema_of_many_levels) {
  EXPECT_EQ(fault_of(nested(31)), "");
  EXPECT_NE(fault_of(nested(64)), "") << "the parser's own bound is lower";
  EXPECT_NE(fault_of(nested(65)).find("more than 64 levels"), std::string::npos);
  EXPECT_NE(fault_of(nested(20'000)).find("more than 64 levels"), std::string::npos);
  pb::FileDescriptorSet set;
  set.add_file()->set_name("a.proto");
  pb::DescriptorProto* message = set.mutable_file(0)->add_message_type();
  for (int i = 0; i < 70; ++i) {
    message->set_name("M");
    message = message->add_nested_type();
  }
  message->set_name("M");
  const auto schema = MessageSchema::of_descriptors(set.SerializeAsString());
  ASSERT_FALSE(schema);
  EXPECT_NE(schema.error().context.find("more than 64 levels"), std::string::npos) << schema.error().context;
}

TEST(ProtobufBounds, refuse_a_schema_of_many_messages_and_fields) {
  EXPECT_EQ(fault_of(proto3 + numbered("message M", schema_messages_max, " {}\n")), "");
  EXPECT_NE(fault_of(proto3 + numbered("message M", schema_messages_max + 1, " {}\n")).find("2000 messages"),
            std::string::npos);
  const auto fields = [](std::size_t count) {
    std::string text = std::string(proto3) + "message M {";
    for (std::size_t i = 1; i <= count; ++i) text += "int32 f" + std::to_string(i) + "=" + std::to_string(i) + ";";
    return text + "}";
  };
  EXPECT_EQ(fault_of(fields(18'999)), "");
  EXPECT_NE(fault_of(fields(schema_parts_max + 1)).find("20000 fields"), std::string::npos);
  EXPECT_NE(fault_of(fields(1'000'000)).find("20000 fields"), std::string::npos);
  const std::string name(schema_name_bytes_max + 1, 'n');
  EXPECT_NE(fault_of(std::string(proto3) + "message " + name + " {}").find("names"), std::string::npos);
}

// Each refers to the next one, and all are wanted.
TEST(ProtobufBounds, hold_for_a_chain_of_all_messages) {
  std::string text = proto3;
  for (std::size_t i = 1; i <= schema_messages_max; ++i) {
    text += "message M" + std::to_string(i) + " { string a = 1; M" + std::to_string(i % schema_messages_max + 1) +
            " next = 2; oneof o { string x = 3; string y = 4; } }\n";
  }
  const auto schema = parsed(text);
  ASSERT_TRUE(schema) << schema.error().context;
  const Program program(*schema, *schema->message("M1"), everything);
  RecordArena arena;
  EXPECT_TRUE(program.read("\x12\x05\x1A\x01x\x22\x00"sv, arena));
  Programs programs(*schema, everything);
  for (std::int64_t i = 0; i < 2'000; ++i) {
    ASSERT_NE(programs.of(std::vector{i}), nullptr);
    ASSERT_LE(programs.remembered(), index_lists_max);
  }
}

TEST(ProtobufBounds, keep_no_list_of_indexes_that_means_nothing) {
  const auto schema = parsed(std::string(proto3) + "message M {}");
  ASSERT_TRUE(schema);
  Programs programs(*schema, everything);
  for (std::int64_t i = 1; i < 1'000; ++i) EXPECT_EQ(programs.of(std::vector{i, -i, i}), nullptr);
  EXPECT_EQ(programs.remembered(), 0U);
  EXPECT_NE(programs.of(std::vector<std::int64_t>{0}), nullptr);
  EXPECT_EQ(programs.remembered(), 1U);
}

// Two bytes an entry, and of each entry all fields are made.
TEST(ProtobufBounds, end_a_message_of_more_than_a_million_steps) {
  std::string text = std::string(proto3) + "message L { repeated W list = 1; } message W {";
  for (int i = 1; i <= 10'000; ++i) text += "int32 f" + std::to_string(i) + " = " + std::to_string(i) + ";";
  const auto schema = parsed(text + "}");
  ASSERT_TRUE(schema) << schema.error().context;
  const Program program(*schema, *schema->message("L"), everything);
  const auto entries = [](int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes += "\x0A\x00"sv;
    return bytes;
  };
  RecordArena arena;
  EXPECT_TRUE(program.read(entries(99), arena));
  arena.clear();
  EXPECT_FALSE(program.read(entries(102), arena));
}

// A member of a oneof ends the presence of all others.
TEST(ProtobufBounds, count_the_members_of_a_oneof) {
  std::string text = std::string(proto3) + "message M { oneof o {";
  for (int i = 1; i <= 10'000; ++i) text += "int32 f" + std::to_string(i) + " = " + std::to_string(i) + ";";
  const auto schema = parsed(text + "} }");
  ASSERT_TRUE(schema) << schema.error().context;
  const Program program(*schema, *schema->message("M"), everything);
  std::string bytes;
  for (int i = 0; i < 90; ++i) bytes += "\x08\x01";
  RecordArena arena;
  EXPECT_TRUE(program.read(bytes, arena));
  for (int i = 0; i < 20; ++i) bytes += "\x08\x01";
  EXPECT_FALSE(program.read(bytes, arena));
}

}  // namespace
}  // namespace recmeter::protobuf
