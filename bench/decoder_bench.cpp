// What decoding a record costs, with the native names and with a renamed table, by a shape, as CSV, Avro and Protobuf. One
// core, batches of about 1 MiB. Each round decodes the batch in every way in turn, so that a busy machine troubles all alike;
// processor time is measured, and of the rounds' times and ratios the median is printed, one line per kind of record.
//
//   decoder_bench             of lists of ten short ids, and of clicks
//   decoder_bench FILE...     of logs: JSON lines with the native names, lists, rows and clicks
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/avro/avro_reader.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/row_reader.h"
#include "same_events.h"
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
using recmeter::bench::SameEvents;

constexpr std::size_t batch_bytes = 1 << 20;
constexpr int rounds = 301;

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

// Rows by their header; objects by rules.
DecoderOptions of_rows(const SameEvents& events) {
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  Shape shape = shape_of(FieldTable::native());
  shape.common.fields[static_cast<std::size_t>(Field::items)] =
      FieldSource{.kind = FieldSource::Kind::split, .path = {{.name = "items"}}, .text = "|"};
  for (const std::string& key : events.segments()) {
    shape.common.segments.emplace_back(key, FieldSource{.path = {{.name = SameEvents::column_of(key)}}});
  }
  shape.absent = {""};
  shape.text_numbers = true;
  options.fields.shape = shape;
  options.reader = recmeter::row_reader({}, {});
  return options;
}
DecoderOptions of_avro(const SameEvents& events) {
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  options.fields.shape = shape_of(FieldTable::native());
  options.reader = recmeter::avro::avro_reader(
      std::make_shared<const recmeter::RecordLayout>(recmeter::RecordLayout{.text = events.avro_schema()}));
  return options;
}
#ifdef RECMETER_HAS_PROTOBUF
DecoderOptions of_protobuf() {
  const recmeter::protobuf::SchemaFile file{.name = "shop.proto", .text = std::string(SameEvents::protobuf_schema)};
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

void finish(RecordBatch& batch) {
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
}
RecordBatch generated(std::string (*record)(std::uint64_t)) {
  RecordBatch batch;
  for (std::uint64_t n = 0; batch.bytes.size() < batch_bytes; ++n) append(batch, record(n + 1000));
  finish(batch);
  return batch;
}
RecordBatch beginning_of(const char* file) {
  RecordBatch batch;
  std::ifstream in(file);
  for (std::string line; batch.bytes.size() < batch_bytes && std::getline(in, line);) append(batch, line);
  finish(batch);
  return batch;
}
// The events in another encoding, one record each.
template <class Write>
RecordBatch written(const EventBatch& events, Write write) {
  RecordBatch batch;
  for (const recmeter::Event& event : events.events()) append(batch, write(event));
  finish(batch);
  return batch;
}

double thread_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double ns_per_record(EventDecoder& decoder, const RecordBatch& batch) {
  const double begin = thread_ns();
  const EventBatch events = decoder.decode(batch);
  const double end = thread_ns();
  if (events.events().size() != batch.records.size() || events.events().front().outcome != recmeter::Outcome::event) {
    std::fputs("the benchmark's records are not what they should be\n", stderr);
    return std::numeric_limits<double>::quiet_NaN();
  }
  return (end - begin) / static_cast<double>(batch.records.size());
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A way to decode the batch.
struct Way {
  const char* name;
  std::unique_ptr<EventDecoder> decoder;
  const RecordBatch* batch;
  std::vector<double> ns = {};      // per record, a round each
  std::vector<double> ratios = {};  // to the first way's of the same round
};

void compare(const char* name, const RecordBatch& native_batch) {
  // The renamed names are as long as the native ones, so that only the table differs, not the bytes.
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
  auto native_decoder = make_decoder(native);
  const EventBatch events = native_decoder->decode(native_batch);
  const SameEvents same(events);
  RecordBatch rows = written(events, [&](const auto& event) { return same.csv(event); });
  rows.layout = std::make_shared<const recmeter::RecordLayout>(recmeter::RecordLayout{.text = same.csv_header()});
  const RecordBatch avro_batch = written(events, [&](const auto& event) { return same.avro(event); });
  std::vector<Way> ways;
  ways.push_back({"native", std::move(native_decoder), &native_batch});
  ways.push_back({"renamed", make_decoder(renamed), &renamed_batch});
  ways.push_back({"by rules", make_decoder(of_shape()), &native_batch});
  ways.push_back({"CSV", make_decoder(of_rows(same)), &rows});
  ways.push_back({"Avro", make_decoder(of_avro(same)), &avro_batch});
#ifdef RECMETER_HAS_PROTOBUF
  const RecordBatch protobuf_batch = written(events, [&](const auto& event) { return same.protobuf(event); });
  ways.push_back({"Protobuf", make_decoder(of_protobuf()), &protobuf_batch});
#endif
  for (int i = 0; i < rounds; ++i) {
    for (Way& way : ways) {
      way.ns.push_back(ns_per_record(*way.decoder, *way.batch));
      way.ratios.push_back(way.ns.back() / ways.front().ns.back());
    }
  }
  std::printf("%-12s %4zu bytes   native %6.1f ns", name, native_batch.bytes.size() / native_batch.records.size(),
              median(ways.front().ns));
  for (const Way& way : ways) {
    if (&way != ways.data()) std::printf("   %s/native %.3f", way.name, median(way.ratios));
  }
  std::puts("");
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) compare(argv[i], beginning_of(argv[i]));
  if (argc > 1) return 0;
  compare("impression", generated(impression));
  compare("click", generated(click));
}
