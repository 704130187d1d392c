// Avro object container files. [I3.22], [S2.38].
#include <gtest/gtest.h>
#include <snappy.h>

#include <limits>

#include "shapes/decoded.h"
#include "support/avro_bytes.h"
#include "unit/file/packed.h"

namespace recmeter::test {
namespace {

constexpr std::string_view schema = R"({"type":"record","name":"Event","namespace":"shop","fields":[
  {"name":"type","type":{"type":"enum","name":"Type","symbols":["impression","click"]}},
  {"name":"ts","type":{"type":"long","logicalType":"timestamp-micros"}},
  {"name":"trace","type":{"type":"map","values":"bytes"}},
  {"name":"list_id","type":["null","string"]},
  {"name":"user_id","type":"string"},
  {"name":"items","type":["null",{"type":"array","items":"string"}]},
  {"name":"item_id","type":["null","string"]},
  {"name":"value","type":["null","double"]},
  {"name":"segments","type":{"type":"map","values":"string"}}]})";

AvroBytes begun(int type, std::int64_t ms, std::string_view list, std::string_view user) {
  AvroBytes bytes;
  bytes.integer(type).integer(ms * 1000 + 999);
  bytes.integer(1).text("span").text("\xFF\xFE").integer(0);
  return bytes.integer(1).text(list).text(user);
}

const std::vector<std::string> records{
    begun(0, 1'700'000'000'000, "l1", "u, \"1\"")
        .integer(1)
        .integer(-2)
        .integer(4)
        .text("a")
        .text("b")
        .integer(0)
        .integer(0)
        .integer(0)
        .integer(1)
        .text("variant")
        .text("A")
        .integer(0)
        .bytes(),
    begun(1, 1'700'000'001'000, "l1", "u, \"1\"").integer(0).integer(1).text("a").integer(1).number(2.5).integer(0).bytes(),
    begun(0, 1'700'000'002'000, "l2", "two\nlines")
        .integer(1)
        .integer(1)
        .text("c")
        .integer(0)
        .integer(0)
        .integer(0)
        .integer(0)
        .bytes()};

const std::vector<std::string> events{
    R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u, \"1\"","items":["a","b"],"segments":{"variant":"A"}})",
    R"({"type":"click","ts":1700000001000,"user_id":"u, \"1\"","item_id":"a","list_id":"l1","value":2.5})",
    R"({"type":"impression","ts":1700000002000,"list_id":"l2","user_id":"two\nlines","items":["c"]})"};

std::string snappy_with_sum(std::string_view data) {
  std::string packed;
  snappy::Compress(data.data(), data.size(), &packed);
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size()));
  for (const int shift : {24, 16, 8, 0}) packed += static_cast<char>(sum >> shift);
  return packed;
}

AvroFile file_of(std::string codec = "null", std::string (*pack)(std::string_view) = AvroFile().pack) {
  AvroFile file;
  file.schema = schema;
  file.codec = std::move(codec);
  file.pack = pack;
  return file;
}
constexpr std::string_view said = "inputs:\n  - format: avro\n";
constexpr std::string_view not_said = "inputs:\n  - allowed_lateness: 1m\n";

// [I3.31].
TEST(AvroFiles, may_have_labels_beside_items) {
  AvroFile file;
  file.schema =
      R"({"type":"record","name":"Shown","fields":[{"name":"ts","type":{"type":"long","logicalType":"timestamp-millis"}},
    {"name":"list_id","type":"string"},{"name":"user_id","type":"string"},
    {"name":"items","type":{"type":"array","items":"string"}},
    {"name":"clicked","type":{"type":"array","items":"boolean"}}]})";
  AvroBytes bytes;
  bytes.integer(1'700'000'000'000).text("l1").text("u1").integer(2).text("a").text("b").integer(0);
  bytes.integer(2).raw(std::string_view("\0\1", 2)).integer(0);
  constexpr std::string_view yaml =
      "inputs:\n  - fields: {ts: ts, user_id: user_id, list_id: list_id, items: items}\n    events:\n      - {type: "
      "impression}\n"
      "      - {type: click, entries: {$2: true}, fields: {items: {zip: [items, clicked]}, items.item_id: $1}}\n";
  EXPECT_EQ(
      decoded(yaml, file.of({bytes.bytes()})),
      (std::vector<std::string>{R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a","b"]})",
                                R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":"b","list_id":"l1"})"}));
}

TEST(AvroFiles, give_the_same_events_with_each_codec_and_whatever_the_blocks) {
  for (const AvroFile& file :
       {file_of(), file_of("deflate", raw_deflate), file_of("zstandard", zstd), file_of("snappy", snappy_with_sum)}) {
    for (const std::size_t a_block : std::vector<std::size_t>{1, 2, 100}) {
      const std::string bytes = file.of(records, a_block);
      for (const std::size_t block : std::vector<std::size_t>{1, 7, 100, 1 << 16}) {
        EXPECT_EQ(decoded(said, bytes, block), events) << file.codec;
        EXPECT_EQ(decoded(not_said, bytes, block), events) << file.codec;
      }
      EXPECT_EQ(decoded(not_said, gzip(bytes), 5), events) << file.codec;
      EXPECT_EQ(decoded(not_said, zstd(bytes), 5), events) << file.codec;
    }
  }
}

TEST(AvroFiles, may_be_empty_and_have_blocks_without_records) {
  EXPECT_EQ(told(said, file_of().of({})), "");
  const AvroFile file = file_of("zstandard", zstd);
  EXPECT_EQ(decoded(said, file.header() + file.block(0, "") + file.block(1, records[0]) + file.block(0, ""), 1),
            std::vector<std::string>{events[0]});
}

// What is told behind the events that came before.
std::string told_behind(const std::string& file, std::size_t events_before) {
  auto all = decoded(said, file, 1);
  EXPECT_EQ(all.size(), events_before + 1);
  if (all.empty()) return "";
  for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_EQ(all[i], events[i]);
  return all.back();
}

TEST(AvroFiles, that_are_cut_are_told_with_their_place_after_what_came_before) {
  const AvroFile file = file_of();
  const std::string whole = file.of(records, 1);
  const std::size_t second = (file.header() + file.block(1, records[0])).size();
  const std::size_t end = second + file.block(1, records[1]).size();
  for (std::size_t size = second + 1; size < end; ++size) {
    const std::string told = told_behind(whole.substr(0, size), 1);
    EXPECT_NE(
        told.find("the Avro file ends within a block at byte " + std::to_string(second) + "; what came before was read"),
        std::string::npos)
        << told;
  }
  for (std::size_t size = 4; size < file.header().size(); ++size) {
    EXPECT_NE(told_behind(whole.substr(0, size), 0).find("header"), std::string::npos) << size;
  }
}

TEST(AvroFiles, that_are_damaged_are_told) {
  const AvroFile file = file_of();
  const std::string start = file.header() + file.block(1, records[0]);
  const auto told = [&](const std::string& more) { return told_behind(start + more, 1); };
  std::string other_sync = file.block(1, records[1]);
  other_sync.back() = '!';
  EXPECT_NE(told(other_sync).find("has a block without its sync marker"), std::string::npos);
  EXPECT_NE(told(file.block(2, records[1])).find("has a block whose records do not match its schema"), std::string::npos);
  EXPECT_NE(told(file.block(1, records[1] + "x")).find("has a block whose records do not match its schema"),
            std::string::npos);
  EXPECT_NE(told(AvroBytes().integer(-1).integer(3).bytes()).find("has a block with a wrong length"), std::string::npos);
  EXPECT_NE(told(AvroBytes().integer(1).integer(-3).bytes()).find("has a block with a wrong length"), std::string::npos);
  EXPECT_NE(told(AvroBytes().integer(1).integer((64 << 20) + 1).bytes()).find("over 64 MiB"), std::string::npos);
  EXPECT_NE(told(std::string(20, '\xFF')).find("has a damaged block"), std::string::npos);
  // A trailing block of which the first is whole: both belong to one read.
  EXPECT_EQ(decoded(said, start + other_sync, 1 << 16).front(), events[0]);
}

TEST(AvroFiles, that_unpack_to_more_than_a_block_may_have_are_told) {
  const std::string bomb(std::size_t{70} << 20, '\0');
  for (const AvroFile& file :
       {file_of("deflate", raw_deflate), file_of("zstandard", zstd), file_of("snappy", snappy_with_sum)}) {
    EXPECT_NE(told_behind(file.header() + file.block(1, bomb), 0).find("does not unpack, or to over 64 MiB"),
              std::string::npos);
    AvroFile plain = file;
    plain.pack = AvroFile().pack;
    EXPECT_NE(told_behind(plain.header() + plain.block(1, "no such data"), 0).find("does not unpack"), std::string::npos);
    const std::string packed = file.pack(records[0]);
    EXPECT_NE(told_behind(plain.header() + plain.block(1, packed.substr(0, packed.size() - 1)), 0).find("does not unpack"),
              std::string::npos)
        << file.codec;
  }
}

TEST(AvroFiles, of_an_unknown_codec_or_without_a_schema_are_told) {
  EXPECT_NE(told(said, file_of("xz").of(records)).find("packed by `xz`, which is not read"), std::string::npos);
  AvroFile file = file_of();
  file.schema = R"({"type":"record"})";
  EXPECT_NE(told(said, file.of({})).find("has an invalid schema"), std::string::npos);
  EXPECT_NE(told(said, "{}").find("does not begin with the magic bytes"), std::string::npos);
}

TEST(AvroFiles, have_records_that_are_too_long_or_no_texts_one_by_one) {
  const std::string bad =
      begun(1, 1'700'000'001'000, "l1", "\xFF").integer(0).integer(1).text("a").integer(0).integer(0).bytes();
  const std::string longer =
      begun(1, 1'700'000'001'000, std::string(2000, 'l'), "u").integer(0).integer(1).text("a").integer(0).integer(0).bytes();
  EXPECT_EQ(
      decoded("inputs:\n  - format: avro\nlimits: {message_bytes: 1KiB}\n", file_of().of({bad, longer, records[1]}, 10)),
      (std::vector<std::string>{"invalid:not_avro", "invalid:too_long", events[1]}));
}

TEST(AvroFiles, are_read_by_rules_as_any_other_record) {
  EXPECT_EQ(
      decoded(R"(
inputs:
  - fields: {ts: ts, user_id: user_id, list_id: {join: [list_id, user_id]}, segments: {v: segments.variant}}
    events:
      - {type: impression, when: {type: impression}, fields: {items: items}}
      - {type: click, when: {value: 2.5}, fields: {item_id: item_id, list_id: list_id}}
)",
              file_of().of({records[0], records[1]})),
      (std::vector<std::string>{
          R"({"type":"impression","ts":1700000000000,"list_id":"l1:u, \"1\"","user_id":"u, \"1\"","items":["a","b"],"segments":{"v":"A"}})",
          R"({"type":"click","ts":1700000001000,"user_id":"u, \"1\"","item_id":"a","list_id":"l1"})"}));
}

TEST(AvroFiles, whose_values_are_no_records_are_no_objects) {
  AvroFile file = file_of();
  file.schema = R"(["string","long"])";
  EXPECT_EQ(told(said, file.of({AvroBytes().integer(0).text("x").bytes(), AvroBytes().integer(1).integer(7).bytes()})),
            "invalid:not_an_object\ninvalid:not_an_object");
}

// A double of Avro is what JSON writes as NaN, Infinity or null. [S2.11], [S2.37]
TEST(AvroFiles, with_scores_that_are_no_numbers_are_as_json) {
  AvroFile file;
  file.schema = R"({"type":"record","name":"Event","fields":[{"name":"type","type":"string"},{"name":"ts","type":"long"},
    {"name":"list_id","type":"string"},{"name":"user_id","type":"string"},
    {"name":"items","type":{"type":"array","items":"string"}},{"name":"scores","type":{"type":"array","items":"double"}}]})";
  const auto with = [&](double first) {
    AvroBytes bytes;
    bytes.text("impression").integer(1'700'000'000'000).text("l").text("u");
    bytes.integer(2).text("a").text("b").integer(0).integer(2).number(first).number(0.5).integer(0);
    return told(said, file.of({bytes.bytes()}));
  };
  const auto in_json = [](const std::string& first) {
    return told("inputs:\n  - format: jsonl\n",
                R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a","b"],"scores":[)" +
                    first + ",0.5]}\n");
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string without = in_json("null");
  EXPECT_NE(without.find(R"("scores":[null,0.5])"), std::string::npos) << without;
  EXPECT_EQ(with(std::numeric_limits<double>::quiet_NaN()), without);
  EXPECT_EQ(in_json("NaN"), without);
  EXPECT_EQ(with(infinity), "invalid:number_out_of_range");
  EXPECT_EQ(in_json("Infinity"), with(infinity));
  EXPECT_EQ(with(-infinity), in_json("-Infinity"));
  EXPECT_EQ(with(0.25), in_json("0.25"));
}

}  // namespace
}  // namespace recmeter::test
