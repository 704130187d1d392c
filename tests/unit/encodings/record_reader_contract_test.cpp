// What every RecordReader keeps: the same record in each encoding is the same value, but for what an encoding has no word
// for.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "recmeter/avro/avro_reader.h"
#include "recmeter/event/record_reader.h"
#include "recmeter/event/row_reader.h"
#include "recmeter/protobuf/program.h"
#include "support/avro_bytes.h"
#include "support/value_text.h"

namespace recmeter::test {
namespace {

// A record with the texts `id` and `user`, either of which may be missing ("").
struct Encoding {
  std::string name;
  MakeRecordReader make;
  std::function<std::string(std::string_view id, std::string_view user)> record;
  std::string broken;
  InvalidReason reason;
  std::shared_ptr<const RecordLayout> layout = nullptr;
};

constexpr std::string_view avro_schema = R"({"type":"record","name":"r","fields":[
  {"name":"noise","type":"long"},{"name":"id","type":["null","string"]},{"name":"user","type":["null","string"]}]})";

std::shared_ptr<const RecordLayout> layout_of(std::string_view text) {
  return std::make_shared<const RecordLayout>(RecordLayout{.text = std::string(text)});
}

Encoding json() {
  const auto record = [](std::string_view id, std::string_view user) {
    const auto member = [](std::string_view name, std::string_view text) {
      return text.empty() ? std::string() : ",\"" + std::string(name) + "\":\"" + std::string(text) + "\"";
    };
    return "{\"noise\":1" + member("user", user) + member("id", id) + "}";
  };
  return {"json", json_reader(), record, "{", InvalidReason::not_json};
}

Encoding rows() {
  const auto record = [](std::string_view id, std::string_view user) {
    return "1," + std::string(id) + "," + std::string(user);
  };
  return {"rows", row_reader({}, {}), record, "1,2", InvalidReason::not_a_row, layout_of("noise,id,user")};
}

Encoding avro() {
  const auto record = [](std::string_view id, std::string_view user) {
    AvroBytes bytes;
    bytes.integer(7);
    for (const std::string_view text : {id, user}) text.empty() ? bytes.integer(0) : bytes.integer(1).text(text);
    return bytes.bytes();
  };
  return {"avro", avro::avro_reader(), record, "\x02", InvalidReason::not_avro, layout_of(avro_schema)};
}

Encoding message() {
  const protobuf::SchemaFile file{
      .name = "r.proto", .text = "syntax = \"proto3\"; message R { int64 noise = 1; string id = 2; string user = 3; }"};
  const auto schema = protobuf::MessageSchema::of_texts({&file, 1});
  const auto record = [](std::string_view id, std::string_view user) {
    std::string bytes("\x08\x07", 2);
    const auto add = [&bytes](char tag, std::string_view text) {
      if (!text.empty()) bytes += std::string{tag, static_cast<char>(text.size())} + std::string(text);
    };
    add('\x12', id);
    add('\x1a', user);
    return bytes;
  };
  return {"protobuf", protobuf::message_reader(*schema, *schema->message("R")), record, "\x12\x7f",
          InvalidReason::not_protobuf};
}

class RecordReaderContract : public testing::TestWithParam<Encoding> {
 protected:
  RecordBatch batch_of(const std::vector<std::string>& records) const {
    RecordBatch batch;
    for (const std::string& record : records) {
      batch.records.push_back({.offset = batch.bytes.size(), .size = record.size(), .broker_time = {}, .tombstone = false});
      batch.bytes.insert(batch.bytes.end(), record.begin(), record.end());
    }
    batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
    batch.layout = GetParam().layout;
    return batch;
  }
  // Of each record its value, or why there is none.
  std::vector<std::string> read(const WantedFields& wanted, const std::vector<std::string>& records) const {
    const auto reader = GetParam().make(wanted);
    const RecordBatch batch = batch_of(records);
    reader->begin(batch);
    std::vector<std::string> values;
    RecordArena arena;
    for (std::size_t i = 0; i < records.size(); ++i) {
      arena.clear();
      FieldValue value;
      const auto reason = reader->read(batch, i, arena, value);
      values.push_back(reason ? std::string(to_string(*reason)) : value_text(value));
    }
    return values;
  }
};

WantedFields these(std::initializer_list<const char*> names) {
  WantedFields wanted;
  for (const char* name : names) wanted.members.emplace_back(name, WantedFields{.whole = true, .members = {}});
  return wanted;
}

TEST_P(RecordReaderContract, gives_what_is_wanted_in_the_order_in_which_it_is_wanted) {
  const std::vector<std::string> records{GetParam().record("a", "b"), GetParam().record("c", "d")};
  EXPECT_EQ(read(these({"id", "user"}), records),
            (std::vector<std::string>{R"({id:"a",user:"b",})", R"({id:"c",user:"d",})"}));
  EXPECT_EQ(read(these({"user", "id"}), records),
            (std::vector<std::string>{R"({user:"b",id:"a",})", R"({user:"d",id:"c",})"}));
}

TEST_P(RecordReaderContract, gives_null_for_what_the_record_or_its_schema_lacks) {
  const std::vector<std::string> values = read(these({"other", "id", "user"}), {GetParam().record("a", "b")});
  EXPECT_EQ(values.front(), R"({other:null,id:"a",user:"b",})");
  const std::string lacking = read(these({"other", "id", "user"}), {GetParam().record("a", "")}).front();
  // A row has no word for nothing but the empty text.
  EXPECT_EQ(lacking, GetParam().name == "rows" ? R"({other:null,id:"a",user:"",})" : R"({other:null,id:"a",user:null,})");
}

TEST_P(RecordReaderContract, may_have_whatever_a_record_has) {
  const WantedFields wanted = these({"other", "id", "user"});
  const auto reader = GetParam().make(wanted);
  reader->begin(batch_of({GetParam().record("a", "b")}));
  EXPECT_TRUE(reader->may_have(1));
  EXPECT_TRUE(reader->may_have(2));
}

TEST_P(RecordReaderContract, keeps_nothing_of_the_record_before) {
  const std::vector<std::string> records{GetParam().record("a", "b"), GetParam().record("c", ""), GetParam().record("", "d")};
  const WantedFields wanted = these({"id", "user"});
  const std::vector<std::string> values = read(wanted, records);
  for (std::size_t i = 0; i < records.size(); ++i) EXPECT_EQ(values[i], read(wanted, {records[i]}).front());
}

TEST_P(RecordReaderContract, says_which_records_are_unreadable_and_reads_on) {
  const std::vector<std::string> records{GetParam().broken, GetParam().record("a", "b")};
  const auto values = read(these({"id"}), records);
  EXPECT_EQ(values[0], to_string(GetParam().reason));
  EXPECT_EQ(values[1], R"({id:"a",})");
}

TEST_P(RecordReaderContract, takes_texts_of_any_length_and_no_bytes_that_are_no_text) {
  const std::string longest(100, 'x');
  EXPECT_EQ(read(these({"id"}), {GetParam().record(longest, "b")}).front(), "{id:\"" + longest + "\",}");
  EXPECT_EQ(read(these({"id"}), {GetParam().record("\xc3\xa9t\xc3\xa9", "b")}).front(), "{id:\"\xc3\xa9t\xc3\xa9\",}");
  EXPECT_EQ(read(these({"id"}), {GetParam().record("\xff\xfe", "b")}).front(), to_string(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(Every, RecordReaderContract, testing::Values(json(), rows(), avro(), message()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace recmeter::test
