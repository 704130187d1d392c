// What decoding a record costs, with the native names and with a renamed table, by a shape, as CSV, Avro and Protobuf. One
// core, batches of about 1 MiB, best of several rounds, in turn so that a busy machine troubles all. Prints one line per kind
// of record.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "recmeter/avro/avro_reader.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/row_reader.h"
#include "support/avro_bytes.h"
#ifdef RECMETER_HAS_PROTOBUF
#include "recmeter/protobuf/program.h"
#endif

namespace {

using recmeter::DecoderOptions;
using recmeter::EventBatch;
using recmeter::EventDecoder;
using recmeter::EventRule;
using recmeter::Field;
using recmeter::FieldSource;
using recmeter::FieldTable;
using recmeter::make_decoder;
using recmeter::RecordBatch;
using recmeter::Shape;
using recmeter::shape_of;
using recmeter::test::AvroBytes;

constexpr std::size_t batch_bytes = 1 << 20;
constexpr int rounds = 60;

void append(RecordBatch& batch, std::string_view record) {
  batch.records.push_back({batch.bytes.size(), record.size(), {}, false});
  batch.bytes.insert(batch.bytes.end(), record.begin(), record.end());
  batch.bytes.push_back('\n');
}

// A list of 10 items with one segment key, or a click.
std::string impression(std::uint64_t n) {
  std::string items;
  for (std::uint64_t i = 0; i < 10; ++i)
    items += (i == 0 ? "\"i" : ",\"i") + std::to_string((n * 7919 + i * 104729) % 100000) + '"';
  return "{\"type\":\"impression\",\"ts\":" + std::to_string(1700000000000 + n) + ",\"list_id\":\"l" + std::to_string(n) +
         "\",\"user_id\":\"u" + std::to_string(n * 31 % 1000000) + "\",\"items\":[" + items +
         "],\"segments\":{\"variant\":\"" + (n % 2 == 0 ? "A" : "B") + "\"}}";
}

std::string click(std::uint64_t n) {
  return "{\"type\":\"click\",\"ts\":" + std::to_string(1700000000000 + n) + ",\"user_id\":\"u" +
         std::to_string(n * 31 % 1000000) + "\",\"item_id\":\"i" + std::to_string(n * 7919 % 100000) + "\",\"list_id\":\"l" +
         std::to_string(n) + "\",\"event_id\":\"e" + std::to_string(n) + "\"}";
}

// The same events as rows.
constexpr const char* header = "type,ts,list_id,user_id,items,item_id,event_id,variant";
std::string impression_row(std::uint64_t n) {
  std::string items;
  for (std::uint64_t i = 0; i < 10; ++i) items += (i == 0 ? "i" : "|i") + std::to_string((n * 7919 + i * 104729) % 100000);
  return "impression," + std::to_string(1700000000000 + n) + ",l" + std::to_string(n) + ",u" +
         std::to_string(n * 31 % 1000000) + "," + items + ",,," + (n % 2 == 0 ? "A" : "B");
}
std::string click_row(std::uint64_t n) {
  return "click," + std::to_string(1700000000000 + n) + ",l" + std::to_string(n) + ",u" + std::to_string(n * 31 % 1000000) +
         ",,i" + std::to_string(n * 7919 % 100000) + ",e" + std::to_string(n) + ",";
}

// And as values of one Avro schema.
constexpr const char* avro_schema = R"({"type":"record","name":"Event","fields":[
  {"name":"type","type":"string"},{"name":"ts","type":{"type":"long","logicalType":"timestamp-millis"}},
  {"name":"list_id","type":["null","string"]},{"name":"user_id","type":"string"},
  {"name":"items","type":["null",{"type":"array","items":"string"}]},{"name":"item_id","type":["null","string"]},
  {"name":"event_id","type":["null","string"]},{"name":"segments","type":["null",{"type":"map","values":"string"}]}]})";
AvroBytes avro_begin(const char* type, std::uint64_t n) {
  AvroBytes bytes;
  bytes.text(type).integer(static_cast<std::int64_t>(1700000000000 + n));
  return bytes.integer(1).text("l" + std::to_string(n)).text("u" + std::to_string(n * 31 % 1000000));
}
std::string impression_avro(std::uint64_t n) {
  AvroBytes bytes = avro_begin("impression", n);
  bytes.integer(1).integer(10);
  for (std::uint64_t i = 0; i < 10; ++i) bytes.text("i" + std::to_string((n * 7919 + i * 104729) % 100000));
  bytes.integer(0).integer(0).integer(0).integer(1).integer(1).text("variant").text(n % 2 == 0 ? "A" : "B").integer(0);
  return bytes.bytes();
}
std::string click_avro(std::uint64_t n) {
  AvroBytes bytes = avro_begin("click", n);
  bytes.integer(0).integer(1).text("i" + std::to_string(n * 7919 % 100000)).integer(1).text("e" + std::to_string(n));
  return bytes.integer(0).bytes();
}

// And as messages of one Protobuf type.
std::string protobuf_text(char tag, std::string_view text) {
  return std::string{tag, static_cast<char>(text.size())} + std::string(text);
}
std::string protobuf_begin(const char* type, std::uint64_t n) {
  std::string bytes = protobuf_text(0x0A, type) + '\x10';
  for (std::uint64_t ts = 1700000000000 + n; true; ts >>= 7U) {
    bytes += static_cast<char>(ts >= 0x80 ? ts | 0x80U : ts);
    if (ts < 0x80) break;
  }
  return bytes + protobuf_text(0x1A, "l" + std::to_string(n)) + protobuf_text(0x22, "u" + std::to_string(n * 31 % 1000000));
}
std::string impression_protobuf(std::uint64_t n) {
  std::string items;
  for (std::uint64_t i = 0; i < 10; ++i) {
    items += protobuf_text(0x0A, "i" + std::to_string((n * 7919 + i * 104729) % 100000));
  }
  const std::string segment = protobuf_text(0x0A, "variant") + protobuf_text(0x12, n % 2 == 0 ? "A" : "B");
  return protobuf_begin("impression", n) + protobuf_text(0x2A, items) + protobuf_text(0x42, segment);
}
std::string click_protobuf(std::uint64_t n) {
  return protobuf_begin("click", n) + protobuf_text(0x32, "i" + std::to_string(n * 7919 % 100000)) +
         protobuf_text(0x3A, "e" + std::to_string(n));
}

// Rows by their header; objects by rules.
DecoderOptions of_rows() {
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  Shape shape = shape_of(FieldTable::native());
  shape.common.fields[static_cast<std::size_t>(Field::items)] =
      FieldSource{.kind = FieldSource::Kind::split, .path = {{.name = "items"}}, .text = "|"};
  shape.common.segments.emplace_back("variant", FieldSource{.path = {{.name = "variant"}}});
  shape.absent = {""};
  shape.text_numbers = true;
  options.fields.shape = shape;
  options.reader = recmeter::row_reader({}, {});
  return options;
}
DecoderOptions of_avro() {
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  options.fields.shape = shape_of(FieldTable::native());
  options.reader = recmeter::avro::avro_reader(
      std::make_shared<const recmeter::RecordLayout>(recmeter::RecordLayout{.text = avro_schema}));
  return options;
}
#ifdef RECMETER_HAS_PROTOBUF
DecoderOptions of_protobuf() {
  const recmeter::protobuf::SchemaFile file{.name = "shop.proto", .text = R"(syntax = "proto3"; package shop;
    message Shown { repeated string items = 1; }
    message Event { string type = 1; int64 ts = 2; string list_id = 3; string user_id = 4; Shown shown = 5;
      string item_id = 6;
      string event_id = 7; map<string, string> segments = 8; })"};
  const auto schema = recmeter::protobuf::MessageSchema::of_texts({&file, 1});
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  Shape shape = shape_of(FieldTable::native());
  shape.common.fields[static_cast<std::size_t>(Field::items)] = FieldSource{.path = {{.name = "shown"}, {.name = "items"}}};
  options.fields.shape = shape;
  options.reader = recmeter::protobuf::message_reader(*schema, *schema->message("shop.Event"));
  return options;
}
#endif
DecoderOptions of_shape() {
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  Shape shape;
  const Shape native = shape_of(FieldTable::native());
  for (const char* type : {"impression", "click"}) {
    EventRule rule{.type = type,
                   .when = {{.path = {{.name = "type"}}, .patterns = {{.text = type}}}},
                   .entries = {},
                   .fields = native.common};
    shape.rules.push_back(rule);
  }
  shape.common = native.common;
  options.fields.shape = shape;
  return options;
}

RecordBatch make_batch(std::string (*record)(std::uint64_t), std::size_t count) {
  RecordBatch batch;
  for (std::uint64_t n = 0; n < count; ++n) append(batch, record(n + 1000));
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  return batch;
}

double ns_per_record(EventDecoder& decoder, const RecordBatch& batch) {
  const auto begin = std::chrono::steady_clock::now();
  const EventBatch events = decoder.decode(batch);
  const auto end = std::chrono::steady_clock::now();
  if (events.events().size() != batch.records.size() || events.events().front().outcome != recmeter::Outcome::event) {
    std::fputs("the benchmark's records are not what they should be\n", stderr);
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::chrono::duration<double, std::nano>(end - begin).count() / static_cast<double>(batch.records.size());
}

void compare(const char* name, std::string (*record)(std::uint64_t), std::string (*row)(std::uint64_t),
             std::string (*avro)(std::uint64_t), std::string (*protobuf)(std::uint64_t)) {
  const std::size_t record_bytes = record(1000).size();
  const std::size_t count = batch_bytes / record_bytes;
  // The renamed names are as long as the native ones, so that only the table differs, not the bytes.
  const RecordBatch native_batch = make_batch(record, count);
  RecordBatch renamed_batch = native_batch;
  DecoderOptions native;
  native.actions = {"click", "purchase"};
  DecoderOptions renamed = native;
  for (auto& path : renamed.fields.paths) {
    std::string theirs = path.front();
    theirs.front() = 'z';
    const std::string from = '"' + path.front() + "\":";
    const std::string to = '"' + theirs + "\":";
    for (auto at = renamed_batch.bytes.begin();; at += static_cast<std::ptrdiff_t>(to.size())) {
      at = std::search(at, renamed_batch.bytes.end(), from.begin(), from.end());
      if (at == renamed_batch.bytes.end()) break;
      std::copy(to.begin(), to.end(), at);
    }
    path = {theirs};
  }
  const auto native_decoder = make_decoder(native);
  const auto renamed_decoder = make_decoder(renamed);
  const auto shape_decoder = make_decoder(of_shape());
  const auto row_decoder = make_decoder(of_rows());
  const auto avro_decoder = make_decoder(of_avro());
  const RecordBatch avro_batch = make_batch(avro, count);
#ifdef RECMETER_HAS_PROTOBUF
  const auto protobuf_decoder = make_decoder(of_protobuf());
#endif
  const RecordBatch protobuf_batch = make_batch(protobuf, count);
  RecordBatch rows = make_batch(row, count);
  rows.layout = std::make_shared<const recmeter::RecordLayout>(recmeter::RecordLayout{.text = header});
  double native_ns = std::numeric_limits<double>::infinity();
  double renamed_ns = native_ns, shape_ns = native_ns, row_ns = native_ns, avro_ns = native_ns, protobuf_ns = native_ns;
  for (int i = 0; i < rounds; ++i) {
    native_ns = std::min(native_ns, ns_per_record(*native_decoder, native_batch));
    renamed_ns = std::min(renamed_ns, ns_per_record(*renamed_decoder, renamed_batch));
    shape_ns = std::min(shape_ns, ns_per_record(*shape_decoder, native_batch));
    row_ns = std::min(row_ns, ns_per_record(*row_decoder, rows));
    avro_ns = std::min(avro_ns, ns_per_record(*avro_decoder, avro_batch));
#ifdef RECMETER_HAS_PROTOBUF
    protobuf_ns = std::min(protobuf_ns, ns_per_record(*protobuf_decoder, protobuf_batch));
#endif
  }
  std::printf(
      "%-12s %4zu bytes   native %6.1f ns   renamed/native %.3f   by rules/native %.3f   CSV/native %.3f   Avro/native %.3f  "
      " Protobuf/native %.3f\n",
      name, record_bytes, native_ns, renamed_ns / native_ns, shape_ns / native_ns, row_ns / native_ns, avro_ns / native_ns,
      protobuf_ns / native_ns);
}

}  // namespace

int main() {
  compare("impression", impression, impression_row, impression_avro, impression_protobuf);
  compare("click", click, click_row, click_avro, click_protobuf);
}
