// Any bytes are messages of a topic with a registry, each behind a byte that says how long it is and whether its first five
// bytes came in a header. Reading them must not crash, says one of four reasons where it makes no value, gives the same to
// every reader, and keeps nothing of a list of message indexes that means nothing.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/cost.h"
#include "fuzz/require.h"
#include "recmeter/registry/framed_reader.h"
#include "support/value_text.h"

namespace {

using namespace recmeter;
using test::require;
using namespace std::string_view_literals;

constexpr fuzz::CostBounds bounds{.seconds = 2, .bytes = std::size_t{64} << 20};

std::shared_ptr<const registry::KnownSchema> schema(registry::KnownSchema::Kind kind, std::string text) {
  return std::make_shared<const registry::KnownSchema>(
      registry::KnownSchema{.kind = kind, .parts = {{.name = "schema", .text = std::move(text)}}});
}

// Knows ids 1 to 5, two of which cannot be used.
class Known final : public registry::SchemaRegistry {
 public:
  [[nodiscard]] Standing want(registry::SchemaId id) override {
    return find(id) == nullptr ? Standing::unknown : Standing::known;
  }
  [[nodiscard]] std::shared_ptr<const registry::KnownSchema> find(registry::SchemaId id) const override {
    using Kind = registry::KnownSchema::Kind;
    static const std::shared_ptr<const registry::KnownSchema> all[]{
        schema(Kind::avro, R"({"type":"record","name":"r","fields":[{"name":"a","type":"string"},
                               {"name":"b","type":{"type":"array","items":["null","r"]}}]})"),
        schema(Kind::protobuf,
               "syntax = \"proto3\"; message X { message Y { string a = 1; repeated Y b = 2; } Y b = 1; }"
               "message Z { map<string, X> a = 1; repeated sint64 b = 2; }"),
        schema(Kind::avro, R"({"type":"array","items":"null"})"), schema(Kind::avro, "{"), schema(Kind::other, "{}")};
    const bool is_known = id.size() == 5 && id.starts_with("\0\0\0\0"sv) && id[4] >= 1 && id[4] <= 5;
    return is_known ? all[id[4] - 1] : nullptr;
  }
  void wait(std::chrono::milliseconds /*most*/) override {}
  [[nodiscard]] std::string complaint() const override { return {}; }
  [[nodiscard]] std::uint64_t answers() const override { return 0; }
  [[nodiscard]] Counts counts() const override { return {}; }
};

RecordBatch batch_of(std::string_view bytes) {
  RecordBatch batch;
  while (!bytes.empty()) {
    const auto head = static_cast<unsigned char>(bytes.front());
    const std::string_view record = bytes.substr(1, head & 0x7FU);
    bytes.remove_prefix(1 + record.size());
    const std::size_t frame = head >= 0x80 && record.size() >= 5 ? 5 : 0;
    batch.bytes.insert(batch.bytes.end(), record.begin(), record.end());
    Record& added = batch.records.emplace_back();
    added.size = record.size() - frame;
    added.offset = batch.bytes.size() - added.size;
    added.frame = static_cast<std::uint32_t>(frame);
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  return batch;
}

std::string told(RecordReader& reader, const RecordBatch& batch, std::size_t index) {
  RecordArena arena;
  FieldValue value;
  const auto reason = reader.read(batch, index, arena, value);
  if (!reason) return test::value_text(value);
  require(*reason == InvalidReason::no_frame || *reason == InvalidReason::unknown_schema ||
              *reason == InvalidReason::not_avro || *reason == InvalidReason::not_protobuf,
          "a reason is one of four");
  return std::string(to_string(*reason));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const WantedFields wanted = [] {
    WantedFields fields;
    for (const char* name : {"a", "b"}) fields.members.emplace_back(name, WantedFields{.whole = true, .members = {}});
    return fields;
  }();
  const std::string input(data, data + size);
  const fuzz::Cost cost("frame_fuzz", bounds);
  const auto known = std::make_shared<const Known>();
  const MakeRecordReader make = registry::framed_reader(known);
  const auto forwards = make(wanted), backwards = make(wanted);
  const RecordBatch batch = batch_of(input);
  forwards->begin(batch);
  backwards->begin(batch);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < batch.records.size(); ++i) texts.push_back(told(*forwards, batch, i));
  for (std::size_t i = batch.records.size(); i > 0; --i) {
    require(told(*backwards, batch, i - 1) == texts[i - 1], "a record is read alike after any other");
  }
  return 0;
}
