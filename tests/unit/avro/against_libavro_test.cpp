// Random schemas and values, written by Apache Avro's C library and read by both.
#include <avro.h>
#include <gtest/gtest.h>

#include "recmeter/avro/program.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/value_text.h"

namespace recmeter::avro {
namespace {

using support::Dice;
using test::number_text;
using test::value_text;

const std::vector<std::string> words{"", "a", "item", "größer", "a text of more than eight bytes", "漢字"};

class RandomSchema {
 public:
  explicit RandomSchema(Dice& dice) : dice_(dice) {}

  std::string type(int depth) {
    if (depth > 4 || dice_.percent(40)) return dice_.pick(primitives_);
    switch (dice_.below(6)) {
      case 0: return R"({"type":"array","items":)" + type(depth + 1) + "}";
      case 1: return R"({"type":"map","values":)" + type(depth + 1) + "}";
      case 2:
        return R"(["null",)" + dice_.pick(primitives_of_unions_) + R"(,{"type":"array","items":)" + type(depth + 1) + "}]";
      case 3: return R"({"type":"enum","name":")" + new_name() + R"(","symbols":["A","B","C"]})";
      case 4: return R"({"type":"fixed","name":")" + new_name() + R"(","size":)" + std::to_string(1 + dice_.below(8)) + "}";
      default: return record(depth);
    }
  }
  std::string record(int depth) {
    const std::string name = new_name();
    std::string fields;
    for (std::size_t i = 0; i <= dice_.below(5); ++i) {
      // Sometimes its own kind again.
      const std::string below = dice_.percent(10) ? R"(["null",")" + name + "\"]" : type(depth + 1);
      fields += (i == 0 ? "" : ",") + std::string(R"({"name":"f)") + std::to_string(i) + R"(","type":)" + below + "}";
    }
    return R"({"type":"record","name":")" + name + R"(","fields":[)" + fields + "]}";
  }

 private:
  std::string new_name() { return "n" + std::to_string(names_++); }

  Dice& dice_;
  int names_ = 0;
  const std::vector<std::string> primitives_{R"("null")",  R"("boolean")", R"("int")",    R"("long")",
                                             R"("float")", R"("double")",  R"("string")", R"("bytes")"};
  const std::vector<std::string> primitives_of_unions_{R"("boolean")", R"("long")", R"("double")", R"("string")"};
};

// Gives `value` anything of its type; its text as ours would be.
// style: long because there are fourteen types.
std::string fill(avro_value_t& value, Dice& dice, int depth) {
  const auto number = [&] { return dice.between(-1'000'000, 1'000'000) >> dice.below(20); };
  switch (avro_value_get_type(&value)) {
    case AVRO_NULL: avro_value_set_null(&value); return "null";
    case AVRO_BOOLEAN: {
      const bool is_true = dice.percent(50);
      avro_value_set_boolean(&value, is_true ? 1 : 0);
      return is_true ? "true" : "false";
    }
    case AVRO_INT32: {
      const auto n = static_cast<std::int32_t>(number());
      avro_value_set_int(&value, n);
      return number_text(n);
    }
    case AVRO_INT64: {
      const std::int64_t n = number() * (dice.percent(50) ? 1 : 9'000'000'000'000);
      avro_value_set_long(&value, n);
      return number_text(n);
    }
    case AVRO_FLOAT: {
      const auto n = static_cast<float>(number()) / 7;
      avro_value_set_float(&value, n);
      return number_text(static_cast<double>(n)) + "f";
    }
    case AVRO_DOUBLE: {
      const double n = static_cast<double>(number()) / 7;
      avro_value_set_double(&value, n);
      return number_text(n) + "f";
    }
    case AVRO_STRING: {
      std::string text = dice.pick(words);
      avro_value_set_string_len(&value, text.c_str(), text.size() + 1);
      return '"' + text + '"';
    }
    case AVRO_BYTES: {
      std::string text = dice.pick(words);
      avro_value_set_bytes(&value, text.data(), text.size());
      return '"' + text + '"';
    }
    case AVRO_FIXED: {
      std::string text(static_cast<std::size_t>(avro_schema_fixed_size(avro_value_get_schema(&value))), 'x');
      avro_value_set_fixed(&value, text.data(), text.size());
      return '"' + text + '"';
    }
    case AVRO_ENUM: {
      const auto n = static_cast<int>(dice.below(3));
      avro_value_set_enum(&value, n);
      return '"' + std::string(1, static_cast<char>('A' + n)) + '"';
    }
    case AVRO_UNION: {
      const auto branches = avro_schema_union_size(avro_value_get_schema(&value));
      const int branch = depth > 6 ? 0 : static_cast<int>(dice.below(branches));
      avro_value_t below;
      avro_value_set_branch(&value, branch, &below);
      return fill(below, dice, depth + 1);
    }
    case AVRO_ARRAY: {
      std::string text = "[";
      for (std::size_t i = dice.below(4); i > 0; --i) {
        avro_value_t entry;
        avro_value_append(&value, &entry, nullptr);
        text += fill(entry, dice, depth + 1) + ",";
      }
      return text + "]";
    }
    case AVRO_MAP: {
      std::string text = "{";
      for (std::size_t i = dice.below(4); i > 0; --i) {
        const std::string key = "f" + std::to_string(i);
        avro_value_t entry;
        avro_value_add(&value, key.c_str(), &entry, nullptr, nullptr);
        text += key + ":" + fill(entry, dice, depth + 1) + ",";
      }
      return text + "}";
    }
    case AVRO_RECORD: {
      std::string text = "{";
      std::size_t size = 0;
      avro_value_get_size(&value, &size);
      for (std::size_t i = 0; i < size; ++i) {
        avro_value_t below;
        const char* name = nullptr;
        avro_value_get_by_index(&value, i, &below, &name);
        text += std::string(name) + ":" + fill(below, dice, depth + 1) + ",";
      }
      return text + "}";
    }
    default: ADD_FAILURE() << "a type of its own"; return "";
  }
}

struct Written {
  std::string bytes;
  std::string text;
};

Written write(const std::string& json, Dice& dice) {
  avro_schema_t schema = nullptr;
  EXPECT_EQ(avro_schema_from_json_length(json.data(), json.size(), &schema), 0) << avro_strerror() << json;
  if (schema == nullptr) return {};
  avro_value_iface_t* type = avro_generic_class_from_schema(schema);
  avro_value_t value;
  avro_generic_value_new(type, &value);
  Written written;
  written.text = fill(value, dice, 0);
  std::size_t size = 0;
  avro_value_sizeof(&value, &size);
  written.bytes.resize(size);
  avro_writer_t writer = avro_writer_memory(written.bytes.data(), static_cast<std::int64_t>(size));
  EXPECT_EQ(avro_value_write(writer, &value), 0) << avro_strerror();
  avro_writer_free(writer);
  avro_value_decref(&value);
  avro_value_iface_decref(type);
  avro_schema_decref(schema);
  return written;
}

WantedFields random_wanted(Dice& dice, int depth) {
  WantedFields wanted;
  wanted.whole = depth > 3 || dice.percent(20);
  for (std::size_t i = dice.below(4); i > 0 && !wanted.whole; --i) {
    const std::string name = "f" + std::to_string(i);
    if (wanted.find(name) == wanted.members.size()) wanted.members.emplace_back(name, random_wanted(dice, depth + 1));
  }
  return wanted;
}

const WantedFields everything{.whole = true, .members = {}};

TEST(AvroProgram, reads_what_libavro_writes) {
  support::for_each_seed(3000, 100'000, [](std::uint64_t seed) {
    SCOPED_TRACE("RECMETER_SEED=" + std::to_string(seed));
    Dice dice(seed);
    const std::string schema = RandomSchema(dice).record(0);
    const Written written = write(schema, dice);
    const std::string_view bytes = written.bytes;
    RecordArena arena;
    const auto whole = Program::compile({&schema, 1}, &everything);
    ASSERT_TRUE(whole) << whole.error().context << schema;
    const auto value = whole->read(bytes, arena);
    ASSERT_TRUE(value) << schema;
    EXPECT_EQ(value_text(*value), written.text) << schema;
    EXPECT_EQ(whole->length(written.bytes + "more"), bytes.size());

    const WantedFields wanted = random_wanted(dice, 0);
    const auto some = Program::compile({&schema, 1}, &wanted);
    ASSERT_TRUE(some);
    const auto parts = some->read(bytes, arena);
    ASSERT_TRUE(parts) << schema;
    EXPECT_EQ(value_text(*parts, &wanted), value_text(*value, &wanted)) << schema;
  });
}

TEST(AvroProgram, takes_no_part_of_a_value_for_one_and_survives_any_bytes) {
  support::for_each_seed(500, 20'000, [](std::uint64_t seed) {
    SCOPED_TRACE("RECMETER_SEED=" + std::to_string(seed));
    Dice dice(seed);
    const std::string schema = RandomSchema(dice).record(0);
    std::string bytes = write(schema, dice).bytes;
    const auto program = Program::compile({&schema, 1}, &everything);
    ASSERT_TRUE(program);
    RecordArena arena;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_EQ(program->read(std::string_view(bytes).substr(0, size), arena), std::nullopt);
      EXPECT_EQ(program->length(std::string_view(bytes).substr(0, size)), std::nullopt);
    }
    for (int i = 0; i < 50 && !bytes.empty(); ++i) {
      bytes[dice.below(bytes.size())] = static_cast<char>(dice.below(256));
      const auto value = program->read(bytes, arena);
      EXPECT_TRUE(!value || !value_text(*value).empty());
      arena.clear();
    }
  });
}

}  // namespace
}  // namespace recmeter::avro
