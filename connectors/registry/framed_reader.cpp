#include "recmeter/registry/framed_reader.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "recmeter/avro/program.h"
#include "recmeter/protobuf/program.h"
#include "registry/frame.h"

namespace recmeter::registry {
namespace {

constexpr std::size_t places_max = 64;  // of a message within a message ...

// A number at the front, which is taken off.
std::optional<std::int64_t> take_zigzag(std::string_view& bytes) {
  std::uint64_t bits = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    bits |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return static_cast<std::int64_t>((bits >> 1U) ^ (~(bits & 1U) + 1U));
  }
  return std::nullopt;
}

// Which message of the schema the value is; a zero alone is the first.
std::optional<std::vector<std::int64_t>> take_places(std::string_view& value) {
  const auto count = take_zigzag(value);
  if (!count || *count < 0 || *count > static_cast<std::int64_t>(places_max)) return std::nullopt;
  std::vector<std::int64_t> places(static_cast<std::size_t>(*count));
  for (std::int64_t& place : places) {
    const auto taken = take_zigzag(value);
    if (!taken) return std::nullopt;
    place = *taken;
  }
  return places.empty() ? std::vector<std::int64_t>{0} : places;
}

// The messages of one schema.
class Messages {
 public:
  explicit Messages(protobuf::MessageSchema schema) : schema_(std::move(schema)) {}

  [[nodiscard]] const protobuf::Program* program(const std::vector<std::int64_t>& places, const WantedFields& wanted) {
    const auto [program, is_new] = programs_.try_emplace(places);
    const auto* const message = is_new ? schema_.message(places) : nullptr;
    if (message != nullptr) program->second.emplace(schema_, *message, wanted);
    return program->second ? &*program->second : nullptr;
  }

 private:
  protobuf::MessageSchema schema_;
  std::map<std::vector<std::int64_t>, std::optional<protobuf::Program>> programs_;
};

class FramedReader final : public RecordReader {
 public:
  FramedReader(const WantedFields& wanted, std::shared_ptr<const SchemaRegistry> registry)
      : wanted_(wanted), registry_(std::move(registry)) {}

  void begin(const RecordBatch& /*records*/) override {}
  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override;

 private:
  // None of these: it cannot be used.
  using Schema = std::variant<std::monostate, avro::Program, Messages>;

  [[nodiscard]] Schema* schema_of(SchemaId id);
  [[nodiscard]] Schema usable(const KnownSchema& known) const;

  const WantedFields& wanted_;
  std::shared_ptr<const SchemaRegistry> registry_;
  std::map<std::string, Schema, std::less<>> schemas_;
  std::string last_id_;
  Schema* last_ = nullptr;
};

std::optional<InvalidReason> FramedReader::read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                FieldValue& value) {
  auto frame = frame_of(records, index);
  if (!frame) return InvalidReason::no_frame;
  Schema* const schema = schema_of(frame->id);
  if (schema == nullptr || std::holds_alternative<std::monostate>(*schema)) return InvalidReason::unknown_schema;
  std::optional<FieldValue> read;
  if (const auto* const program = std::get_if<avro::Program>(schema); program != nullptr) {
    read = program->read(frame->value, arena);
    if (!read) return InvalidReason::not_avro;
  } else {
    const auto places = take_places(frame->value);
    const auto* const message = places ? std::get<Messages>(*schema).program(*places, wanted_) : nullptr;
    if (message != nullptr) read = message->read(frame->value, arena);
    if (!read) return InvalidReason::not_protobuf;
  }
  value = *read;
  return std::nullopt;
}

// What is not known now may be later.
FramedReader::Schema* FramedReader::schema_of(SchemaId id) {
  if (last_ != nullptr && id == last_id_) return last_;
  auto found = schemas_.find(id);
  if (found == schemas_.end()) {
    const auto known = registry_->find(id);
    if (known == nullptr) return nullptr;
    found = schemas_.emplace(id, usable(*known)).first;
  }
  last_id_ = id;
  last_ = &found->second;
  return last_;
}

FramedReader::Schema FramedReader::usable(const KnownSchema& known) const {
  if (known.kind == KnownSchema::Kind::avro) {
    std::vector<std::string> texts;
    for (const KnownSchema::Part& part : known.parts) texts.push_back(part.text);
    auto program = avro::Program::compile(texts, &wanted_);
    if (program) return std::move(*program);
  } else if (known.kind == KnownSchema::Kind::protobuf) {
    std::vector<protobuf::SchemaFile> files;
    for (const KnownSchema::Part& part : known.parts) files.push_back({part.name, part.text});
    auto messages = protobuf::MessageSchema::of_texts(files);
    if (messages) return Messages(std::move(*messages));
  }
  return {};
}

}  // namespace

MakeRecordReader framed_reader(std::shared_ptr<const SchemaRegistry> registry) {
  return [registry = std::move(registry)](const WantedFields& wanted) {
    return std::make_unique<FramedReader>(wanted, registry);
  };
}

}  // namespace recmeter::registry
