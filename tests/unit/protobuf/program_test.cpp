#include "recmeter/protobuf/program.h"

#include <gtest/gtest.h>

#include "support/value_text.h"

namespace recmeter::protobuf {
namespace {

using namespace std::string_view_literals;
using test::value_text;

const WantedFields everything{.whole = true, .members = {}};

WantedFields these(std::initializer_list<const char*> names) {
  WantedFields wanted;
  for (const char* name : names) wanted.members.emplace_back(name, everything);
  return wanted;
}

constexpr const char* schema = R"(
syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "elsewhere.proto";
message ListShown {
  message Entry { string id = 1; float score = 2; }
  enum Kind { NONE = 0; FIRST = 1; }
  string user = 1;
  google.protobuf.Timestamp at = 2;
  repeated Entry entries = 3;
  repeated sint32 numbers = 4;
  map<string, string> segments = 5;
  map<int64, Entry> by_number = 6;
  google.protobuf.StringValue note = 7;
  oneof action { string click = 8; Entry buy = 9; }
  Kind kind = 10;
  optional uint64 large = 11;
  bool flag = 12;
  ListShown inner = 13;
  elsewhere.Thing thing = 14;
  repeated Kind kinds = 15;
}
)";

std::string told(std::string_view bytes, const WantedFields& wanted) {
  const SchemaFile file{.name = "shop.proto", .text = schema};
  const auto parsed = MessageSchema::of_texts({&file, 1});
  if (!parsed) return parsed.error().context;
  const Program program(*parsed, *parsed->message("shop.ListShown"), wanted);
  RecordArena arena;
  const auto value = program.read(bytes, arena);
  return value ? value_text(*value) : "none";
}

TEST(ProtobufProgram, gives_defaults_where_presence_is_not_kept) {
  EXPECT_EQ(
      told("", these({"user", "at", "entries", "segments", "note", "click", "kind", "large", "flag", "inner", "thing", "x"})),
      "{user:null,at:null,entries:null,segments:null,note:null,click:null,kind:\"NONE\",large:null,flag:false,inner:null,"
      "thing:null,x:null,}");
}

TEST(ProtobufProgram, reads_scalars_by_their_types) {
  EXPECT_EQ(told("\x0A\x01u\x50\x01\x58\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x60\x01"sv,
                 these({"large", "kind", "user", "flag"})),
            "{large:18446744073709551615,kind:\"FIRST\",user:\"u\",flag:true,}");
  EXPECT_EQ(told("\x50\x07"sv, these({"kind"})), "{kind:7,}");
  EXPECT_EQ(told("\x50\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"sv, these({"kind"})), "{kind:-1,}");
}

TEST(ProtobufProgram, takes_a_timestamp_as_a_time_and_its_parts_as_numbers) {
  const auto at = "\x12\x0A\x08\x80\xE2\xCF\xAA\x06\x10\x80\x89\x7A"sv;  // 1700000000 s, 2000000 ns
  EXPECT_EQ(told(at, these({"at"})), "{at:@1700000000002,}");
  WantedFields parts;
  parts.members.emplace_back("at", these({"seconds"}));
  EXPECT_EQ(told(at, parts), "{at:{seconds:1700000000,},}");
  EXPECT_EQ(told("\x12\x02\x10\x01"sv, these({"at"})), "{at:@0,}");
  EXPECT_EQ(told("\x12\x0B\x10\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"sv, these({"at"})), "{at:@-1,}");
  EXPECT_EQ(told("\x12\x0A\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"sv, these({"at"})), "{at:@9223372036854775807,}");
}

TEST(ProtobufProgram, takes_a_wrapper_as_its_value) {
  EXPECT_EQ(told("\x3A\x03\x0A\x01n"sv, these({"note"})), "{note:\"n\",}");
  EXPECT_EQ(told("\x3A\x00"sv, these({"note"})), "{note:null,}");
}

TEST(ProtobufProgram, reads_lists_packed_or_not_and_in_pieces) {
  EXPECT_EQ(told("\x22\x02\x01\x02\x20\x03\x0A\x01u\x22\x01\x04"sv, these({"numbers"})), "{numbers:[-1,1,-2,2,],}");
  EXPECT_EQ(told("\x7A\x02\x01\x00"sv, these({"kinds"})), "{kinds:[\"FIRST\",\"NONE\",],}");
  EXPECT_EQ(told("\x22\x02\x01\x80"sv, these({"numbers"})), "none");
}

TEST(ProtobufProgram, reads_maps_as_objects) {
  const auto both =
      "\x2A\x06\x0A\x01"
      "a\x12\x01x\x2A\x06\x0A\x01"
      "b\x12\x01y\x2A\x06\x0A\x01"
      "b\x12\x01z"sv;
  WantedFields one;
  one.members.emplace_back("segments", these({"c", "b"}));
  EXPECT_EQ(told(both, one), "{segments:{c:null,b:\"z\",},}");
  EXPECT_EQ(told("\x2A\x03\x0A\x01"
                 "a"sv,
                 these({"segments"})),
            "{segments:{a:null,},}");
  EXPECT_EQ(told("\x32\x07\x08\x05\x12\x03\x0A\x01i"sv, these({"by_number"})), "{by_number:{5:{id:\"i\",score:0f,},},}");
}

TEST(ProtobufProgram, keeps_the_last_member_of_a_oneof) {
  const auto click_then_buy =
      "\x42\x01"
      "c\x4A\x03\x0A\x01"
      "b"sv;
  EXPECT_EQ(told(click_then_buy, these({"click", "buy"})), "{click:null,buy:{id:\"b\",score:0f,},}");
  EXPECT_EQ(told(click_then_buy, these({"click"})), "{click:null,}");
  EXPECT_EQ(told("\x4A\x03\x0A\x01"
                 "b\x42\x01"
                 "c"sv,
                 these({"click", "buy"})),
            "{click:\"c\",buy:null,}");
}

TEST(ProtobufProgram, merges_a_message_that_comes_twice) {
  EXPECT_EQ(told("\x6A\x03\x0A\x01"
                 "a\x6A\x02\x60\x01"sv,
                 [] {
                   WantedFields wanted;
                   wanted.members.emplace_back("inner", these({"user", "flag"}));
                   return wanted;
                 }()),
            "{inner:{user:\"a\",flag:true,},}");
}

TEST(ProtobufProgram, passes_over_what_it_does_not_know) {
  // A group of field 100 with another within, a field of another wire type, a field of a type that is not there.
  EXPECT_EQ(told("\xA3\x06\x0B\x10\x05\x0C\xA4\x06\x0D\x00\x00\x00\x00\x72\x01x\x60\x01"sv, these({"flag", "user"})),
            "{flag:true,user:null,}");
}

TEST(ProtobufProgram, refuses_what_is_no_message) {
  for (const auto bytes : {"\x0A"sv,
                           "\x0A\x05"
                           "a"sv,
                           "\x00\x01"sv, "\x0C"sv, "\x0E\x01"sv, "\xA3\x06\x60\x01"sv, "\x0A\x01\xFF"sv,
                           "\x50\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv, "\xFF\xFF\xFF\xFF\xFF\xFF\x01\x01"sv}) {
    EXPECT_EQ(told(bytes, everything), "none") << testing::PrintToString(std::string(bytes));
  }
  EXPECT_EQ(told("\x0A\x01\xFF\x60\x01"sv, these({"flag"})), "{flag:true,}");
}

TEST(ProtobufProgram, bounds_depth) {
  const auto nested = [](int levels) {
    std::string bytes;
    for (int i = 0; i < levels; ++i) {
      std::string size;
      for (std::size_t n = bytes.size(); true; n >>= 7U) {
        size += static_cast<char>(n >= 0x80 ? n | 0x80U : n);
        if (n < 0x80) break;
      }
      bytes = "\x6A" + size + bytes;
    }
    return bytes;
  };
  EXPECT_NE(told(nested(60), these({"inner"})), "none");
  EXPECT_EQ(told(nested(70), these({"inner"})), "none");
  EXPECT_EQ(told(std::string(1000, '\x0B'), these({"inner"})), "none");
}

TEST(MessageSchema, finds_messages_by_name_and_by_place) {
  const SchemaFile file{.name = "shop.proto", .text = schema};
  const auto parsed = MessageSchema::of_texts({&file, 1});
  ASSERT_TRUE(parsed) << parsed.error().context;
  const auto at = [&](std::vector<std::int64_t> places) { return parsed->message(places); };
  EXPECT_EQ(at({0}), parsed->message("shop.ListShown"));
  EXPECT_EQ(at({0, 0}), parsed->message("shop.ListShown.Entry"));
  EXPECT_EQ(at({1}), nullptr);
  EXPECT_EQ(at({0, -1}), nullptr);
  EXPECT_EQ(at({}), nullptr);
  EXPECT_EQ(parsed->message("shop.None"), nullptr);
}

TEST(MessageSchema, tells_what_is_wrong_with_a_text) {
  const SchemaFile file{.name = "a.proto", .text = "syntax = \"proto3\";\nmessage A { strnig }\n"};
  const auto parsed = MessageSchema::of_texts({&file, 1});
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().context.find("cannot be used: line 2, column"), std::string::npos) << parsed.error().context;
  EXPECT_FALSE(MessageSchema::of_texts({}));
  EXPECT_FALSE(MessageSchema::of_descriptors("no descriptors"));
}

TEST(MessageSchema, uses_files_that_it_imports) {
  const std::vector<SchemaFile> files{
      {"item.proto", "syntax = \"proto3\"; package s; message Item { string id = 1; }"},
      {"list.proto", "syntax = \"proto3\"; package s; import \"item.proto\"; message List { repeated Item items = 1; }"}};
  const auto parsed = MessageSchema::of_texts(files);
  ASSERT_TRUE(parsed) << parsed.error().context;
  const Program program(*parsed, *parsed->message(std::vector<std::int64_t>{0}), everything);
  RecordArena arena;
  EXPECT_EQ(value_text(program.read("\x0A\x03\x0A\x01i", arena).value_or(FieldValue())), "{items:[{id:\"i\",},],}");
}

}  // namespace
}  // namespace recmeter::protobuf
