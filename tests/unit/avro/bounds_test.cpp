// What a schema may make of a record, and what it may take: [S2.41], [S2.42].
#include <gtest/gtest.h>

#include "recmeter/avro/program.h"
#include "recmeter/event/schema_bounds.h"
#include "support/avro_bytes.h"

namespace recmeter::avro {
namespace {

const WantedFields everything{.whole = true, .members = {}};

// Records that hold the next one twice: a value takes no bytes and 2^levels records.
std::string doubled(int levels) {
  std::string schema = R"({"type":"record","name":"r0","fields":[]})";
  for (int i = 1; i <= levels; ++i) {
    schema = R"({"type":"record","name":"r)" + std::to_string(i) + R"(","fields":[{"name":"a","type":)" + schema +
             R"(},{"name":"b","type":"r)" + std::to_string(i - 1) + R"("}]})";
  }
  return schema;
}

std::string fault_of(const std::string& schema) {
  const auto program = Program::compile({&schema, 1}, &everything);
  return program ? "" : program.error().context;
}

TEST(AvroBounds, end_a_record_of_more_than_a_million_steps) {
  for (const WantedFields* wanted : {&everything, static_cast<const WantedFields*>(nullptr)}) {
    for (const int levels : {17, 40}) {
      const std::string schema = doubled(levels);
      const auto program = Program::compile({&schema, 1}, wanted);
      ASSERT_TRUE(program) << program.error().context;
      RecordArena arena;
      EXPECT_EQ(program->length("").has_value(), levels == 17);
      if (wanted != nullptr) {
        EXPECT_EQ(program->read("", arena).has_value(), levels == 17);
      }
    }
  }
}

TEST(AvroBounds, are_paid_for_by_bytes) {
  const std::string schema =
      R"({"type":"array","items":{"type":"record","name":"r","fields":[{"name":"a","type":"int"},{"name":"b","type":"int"}]}})";
  const auto program = Program::compile({&schema, 1}, &everything);
  test::AvroBytes bytes;
  constexpr std::int64_t entries = 1'500'000;
  bytes.integer(entries);
  for (std::int64_t i = 0; i < 2 * entries; ++i) bytes.integer(1);
  bytes.integer(0);
  RecordArena arena;
  EXPECT_TRUE(program->read(bytes.bytes(), arena));
}

TEST(AvroBounds, refuse_a_schema_of_more_types_than_there_may_be) {
  const auto fields = [](std::size_t count) {
    std::string schema = R"({"type":"record","name":"r","fields":[)";
    for (std::size_t i = 1; i < count; ++i) {
      const std::string name = "f" + std::to_string(i);
      schema += (i > 1 ? "," : "") + (R"({"name":"f","type":{"type":"fixed","size":1,"name":")" + name) + "\"}}";
    }
    return schema + "]}";
  };
  EXPECT_EQ(fault_of(fields(schema_messages_max)), "");
  EXPECT_NE(fault_of(fields(schema_messages_max + 1)).find("more than 2000 types"), std::string::npos);
}

TEST(AvroBounds, refuse_names_that_are_too_long_and_programs_that_are_too_large) {
  const auto named = [](std::size_t size) { return R"({"type":"fixed","size":1,"name":")" + std::string(size, 'n') + "\"}"; };
  EXPECT_EQ(fault_of(named(schema_name_bytes_max)), "");
  EXPECT_NE(fault_of(named(schema_name_bytes_max + 1)).find("more than 1000 bytes"), std::string::npos);
  std::string schema = R"(["null")";
  for (int i = 0; i < 200'000; ++i) schema += R"(,"int")";
  EXPECT_NE(fault_of(schema + "]").find("16 MiB"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::avro
