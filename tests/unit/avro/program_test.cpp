#include "recmeter/avro/program.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/avro_bytes.h"
#include "support/value_text.h"

namespace recmeter::avro {
namespace {

using test::AvroBytes;
using test::value_text;

const WantedFields everything{.whole = true, .members = {}};

WantedFields these(std::initializer_list<const char*> names) {
  WantedFields wanted;
  for (const char* name : names) wanted.members.emplace_back(name, everything);
  return wanted;
}

// The value, "none", or what is wrong with the schema.
std::string told(const std::vector<std::string>& schemas, std::string_view bytes, const WantedFields& wanted = everything) {
  const auto program = Program::compile(schemas, &wanted);
  if (!program) return program.error().context;
  RecordArena arena;
  const auto value = program->read(bytes, arena);
  if (value) {
    EXPECT_EQ(program->length(std::string(bytes) + "x"), bytes.size());
  }
  return value ? value_text(*value) : "none";
}
std::string told(const std::string& schema, const AvroBytes& bytes, const WantedFields& wanted = everything) {
  return told(std::vector<std::string>{schema}, bytes.bytes(), wanted);
}

TEST(AvroProgram, reads_primitive_values) {
  EXPECT_EQ(told(R"("null")", AvroBytes()), "null");
  EXPECT_EQ(told(R"("boolean")", AvroBytes().raw("\x01")), "true");
  EXPECT_EQ(told(R"("boolean")", AvroBytes().raw("\x02")), "none");
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{63}, std::int64_t{64}, std::int64_t{-65},
                               std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(told(R"("long")", AvroBytes().integer(n)), std::to_string(n));
  }
  EXPECT_EQ(told(R"({"type":"int"})", AvroBytes().integer(-7)), "-7");
  EXPECT_EQ(told(R"("float")", AvroBytes().number(0.1F)), "0.10000000149011612f");
  EXPECT_EQ(told(R"("double")", AvroBytes().number(0.1)), "0.1f");
  EXPECT_EQ(told(R"("string")", AvroBytes().text("größer als acht")), "\"größer als acht\"");
  EXPECT_EQ(told(R"("bytes")", AvroBytes().text("abc")), "\"abc\"");
  EXPECT_EQ(told(R"({"type":"fixed","name":"f","size":3})", AvroBytes().raw("abc")), "\"abc\"");
  EXPECT_EQ(told(R"({"type":"enum","name":"e","symbols":["A","B"]})", AvroBytes().integer(1)), "\"B\"");
  EXPECT_EQ(told(R"({"type":"enum","name":"e","symbols":["A","B"]})", AvroBytes().integer(2)), "none");
}

TEST(AvroProgram, refuses_numbers_that_do_not_end) {
  EXPECT_EQ(told({R"("long")"}, std::string(10, '\xFF')), "none");
  EXPECT_EQ(told({R"("long")"}, std::string(9, '\xFF') + "\x02"), "none");
  EXPECT_EQ(told({R"("long")"}, "\x80"), "none");
}

TEST(AvroProgram, refuses_texts_that_are_no_utf8_where_they_are_wanted) {
  const std::string schema =
      R"({"type":"record","name":"r","fields":[{"name":"a","type":"string"},{"name":"b","type":"int"}]})";
  for (const char* text : {"\xFF", "abc\xC3", "a long text that ends in \xFF"}) {
    EXPECT_EQ(told(schema, AvroBytes().text(text).integer(1)), "none");
    EXPECT_EQ(told(schema, AvroBytes().text(text).integer(1), these({"b"})), "{b:1,}");
  }
}

TEST(AvroProgram, takes_times_as_typed) {
  const auto logical = [](const char* type, const char* name) {
    return std::string(R"({"type":")") + type + R"(","logicalType":")" + name + "\"}";
  };
  EXPECT_EQ(told(logical("long", "timestamp-millis"), AvroBytes().integer(1'700'000'000'001)), "@1700000000001");
  EXPECT_EQ(told(logical("long", "timestamp-micros"), AvroBytes().integer(1'700'000'000'001'999)), "@1700000000001");
  EXPECT_EQ(told(logical("long", "timestamp-micros"), AvroBytes().integer(-1)), "@-1");
  EXPECT_EQ(told(logical("long", "timestamp-micros"), AvroBytes().integer(-1000)), "@-1");
  EXPECT_EQ(told(logical("long", "timestamp-nanos"), AvroBytes().integer(1'700'000'000'001'000'000)), "@1700000000001");
  EXPECT_EQ(told(logical("int", "date"), AvroBytes().integer(19'675)), "@1699920000000");
  EXPECT_EQ(told(logical("int", "date"), AvroBytes().integer(std::numeric_limits<std::int64_t>::max())),
            "@9223372036854775807");
  EXPECT_EQ(told(logical("long", "local-timestamp-millis"), AvroBytes().integer(5)), "5");
  EXPECT_EQ(told(logical("int", "time-millis"), AvroBytes().integer(5)), "5");
  EXPECT_EQ(told(logical("string", "uuid"), AvroBytes().text("u")), "\"u\"");
  EXPECT_EQ(told(logical("string", "date"), AvroBytes().text("u")), "\"u\"");
}

TEST(AvroProgram, reads_decimals_as_json_reads_their_digits) {
  const std::string cents = R"({"type":"bytes","logicalType":"decimal","precision":20,"scale":2})";
  const std::string whole = R"({"type":"fixed","name":"d","size":9,"logicalType":"decimal","precision":20})";
  using namespace std::string_view_literals;
  EXPECT_EQ(told(cents, AvroBytes().text("\x04\xE2"sv)), "12.5f");
  EXPECT_EQ(told(cents, AvroBytes().text("\xFF\xFF"sv)), "-0.01f");
  EXPECT_EQ(told(cents, AvroBytes().text("\x80"sv)), "-1.28f");
  EXPECT_EQ(told(cents, AvroBytes().text("")), "0f");
  EXPECT_EQ(told(whole, AvroBytes().raw("\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv)), "18446744073709551615");
  EXPECT_EQ(told(whole, AvroBytes().raw("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE"sv)), "-2");
  EXPECT_EQ(told(whole, AvroBytes().raw("\x01\x00\x00\x00\x00\x00\x00\x00\x00"sv)), "18446744073709551616f");
  EXPECT_EQ(told(cents, AvroBytes().text(std::string(65, '\x01'))), "inff");
}

TEST(AvroProgram, reads_lists_and_maps_in_blocks_of_either_kind) {
  const std::string list = R"({"type":"array","items":"int"})";
  EXPECT_EQ(told(list, AvroBytes().integer(0)), "[]");
  EXPECT_EQ(told(list, AvroBytes().integer(2).integer(5).integer(6).integer(0)), "[5,6,]");
  EXPECT_EQ(told(list, AvroBytes().integer(-2).integer(2).integer(5).integer(6).integer(1).integer(7).integer(0)),
            "[5,6,7,]");
  EXPECT_EQ(told(list, AvroBytes().integer(2).integer(5).integer(6)), "none");
  EXPECT_EQ(told(list, AvroBytes().integer(std::numeric_limits<std::int64_t>::max()).integer(5)), "none");
  EXPECT_EQ(told(list, AvroBytes().integer(std::numeric_limits<std::int64_t>::min()).integer(5)), "none");
  EXPECT_EQ(told(list, AvroBytes().integer(-1).integer(-1).integer(5).integer(0)), "none");
  const std::string map = R"({"type":"map","values":"int"})";
  AvroBytes bytes;
  bytes.integer(-2).integer(6).text("a").integer(1).text("b").integer(2).integer(1).text("a").integer(3).integer(0);
  EXPECT_EQ(told(map, bytes), "{a:1,b:2,a:3,}");
  EXPECT_EQ(told(map, bytes, these({"c", "a"})), "{c:null,a!:1,}");
}

TEST(AvroProgram, gives_the_wanted_members_in_their_order) {
  const std::string schema = R"({"type":"record","name":"r","namespace":"x","fields":[
    {"name":"a","type":["null","string"]},
    {"name":"b","type":{"type":"record","name":"s","fields":[{"name":"c","type":"int"}]}},
    {"name":"d","type":{"type":"array","items":"x.s"}},{"name":"e","type":["null","s"]}]})";
  AvroBytes bytes;
  bytes.integer(1).text("t").integer(1).integer(2).integer(2).integer(3).integer(0).integer(0);
  EXPECT_EQ(told(schema, bytes), "{a:\"t\",b:{c:1,},d:[{c:2,},{c:3,},],e:null,}");
  EXPECT_EQ(told(schema, bytes, these({"d", "none", "a"})), "{d:[{c:2,},{c:3,},],none:null,a:\"t\",}");
  WantedFields deep;
  deep.members.emplace_back("d", these({"x", "c"}));
  EXPECT_EQ(told(schema, bytes, deep), "{d:[{x:null,c:2,},{x:null,c:3,},],}");
}

TEST(AvroProgram, follows_types_that_name_themselves_to_a_bounded_depth) {
  const std::string schema =
      R"({"type":"record","name":"n","fields":[{"name":"v","type":"int"},{"name":"next","type":["null","n"]}]})";
  EXPECT_EQ(told(schema, AvroBytes().integer(1).integer(1).integer(2).integer(0)), "{v:1,next:{v:2,next:null,},}");
  AvroBytes deep;
  for (int i = 0; i < 40; ++i) deep.integer(i).integer(1);
  deep.integer(40).integer(0);
  EXPECT_EQ(told(schema, deep), "none");
  EXPECT_EQ(told(schema, deep, these({"v"})), "none");
  // Without an end it is no value at all.
  EXPECT_EQ(told(R"({"type":"record","name":"n","fields":[{"name":"n","type":"n"}]})", AvroBytes()), "none");
}

TEST(AvroProgram, finds_types_in_schemas_before_it) {
  const std::string item = R"({"type":"record","name":"Item","namespace":"shop","fields":[{"name":"id","type":"string"}]})";
  const std::string list =
      R"({"type":"record","name":"shop.List","fields":[{"name":"items","type":{"type":"array","items":"Item"}}]})";
  EXPECT_EQ(told({item, list}, AvroBytes().integer(1).text("a").integer(0).bytes()), "{items:[{id:\"a\",},],}");
}

TEST(AvroProgram, bounds_entries_that_take_no_bytes) {
  const std::string list = R"({"type":"array","items":"null"})";
  EXPECT_NE(told(list, AvroBytes().integer(1000).integer(0)), "none");
  EXPECT_EQ(told(list, AvroBytes().integer(1001).integer(0)), "none");
  EXPECT_EQ(told(list, AvroBytes().integer(1'000'000'000'000).integer(0)), "none");
}

TEST(AvroProgram, tells_what_is_wrong_with_a_schema) {
  EXPECT_EQ(told("{", AvroBytes()), "the schema is no JSON");
  EXPECT_EQ(told("7", AvroBytes()),
            "the schema cannot be used: a type is neither a name, nor an object, nor a list of types");
  EXPECT_EQ(told(R"("strnig")", AvroBytes()), "the schema cannot be used: it has no type `strnig`");
  EXPECT_EQ(told(R"({"type":"record","name":"r"})", AvroBytes()), "the schema cannot be used: a record has no `fields`");
  std::string deep;
  for (int i = 0; i < 70; ++i) deep += R"({"type":"array","items":)";
  EXPECT_EQ(told(deep + "\"int\"" + std::string(70, '}'), AvroBytes()),
            "the schema cannot be used: it has more than 64 levels");
}

}  // namespace
}  // namespace recmeter::avro
