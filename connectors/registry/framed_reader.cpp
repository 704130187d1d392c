#include "recmeter/registry/framed_reader.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "recmeter/avro/program.h"
#include "recmeter/event/schema_bounds.h"
#include "recmeter/protobuf/program.h"
#include "registry/frame.h"
#include "registry/question.h"

namespace recmeter::registry {
namespace {

constexpr std::size_t places_max = schema_levels_max;  // of a message within a message ...
constexpr std::size_t entry_bytes = 300;               // of a schema that is remembered, whatever it is

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

// Shared by the readers of one registry.
class Shared {
 public:
  explicit Shared(Tell tell) : tell_(std::move(tell)) {}

  // Once of each, of the first hundred.
  void tell(SchemaId id, const std::string& cause) {
    const std::scoped_lock lock(mutex_);
    if (!tell_ || told_.size() == told_max || !told_.emplace(id).second) return;
    tell_(Notice::schema_unusable,
          "the schema with " + Question(id).name() + " cannot be used, and its records are " + "`unknown_schema`: " + cause);
  }

  std::atomic<std::size_t> bytes = 0;  // that their programs take

 private:
  static constexpr std::size_t told_max = 100;
  const Tell tell_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> told_;
};

class FramedReader final : public RecordReader {
 public:
  FramedReader(const WantedFields& wanted, std::shared_ptr<const SchemaRegistry> registry, std::shared_ptr<Shared> shared)
      : wanted_(wanted), registry_(std::move(registry)), shared_(std::move(shared)) {}
  FramedReader(const FramedReader&) = delete;
  FramedReader& operator=(const FramedReader&) = delete;
  ~FramedReader() override { shared_->bytes -= bytes_; }

  void begin(const RecordBatch& /*records*/) override {}
  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override;

 private:
  // None of these: it cannot be used.
  using Program = std::variant<std::monostate, avro::Program, protobuf::Programs>;
  struct Schema {
    Program program;
    std::size_t bytes = 0;
  };

  [[nodiscard]] Schema* schema_of(SchemaId id);
  [[nodiscard]] Schema usable(SchemaId id, const KnownSchema& known) const;
  void forget();

  const WantedFields& wanted_;
  std::shared_ptr<const SchemaRegistry> registry_;
  std::shared_ptr<Shared> shared_;
  std::map<std::string, Schema, std::less<>> schemas_;
  std::size_t bytes_ = 0;  // of these
  std::string last_id_;
  Schema* last_ = nullptr;
};

std::optional<InvalidReason> FramedReader::read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                FieldValue& value) {
  auto frame = frame_of(records, index);
  if (!frame) return InvalidReason::no_frame;
  Schema* const schema = schema_of(frame->id);
  if (schema == nullptr || std::holds_alternative<std::monostate>(schema->program)) return InvalidReason::unknown_schema;
  std::optional<FieldValue> read;
  if (const auto* const program = std::get_if<avro::Program>(&schema->program); program != nullptr) {
    read = program->read(frame->value, arena);
    if (!read) return InvalidReason::not_avro;
  } else {
    const auto places = take_places(frame->value);
    const auto* const message = places ? std::get<protobuf::Programs>(schema->program).of(*places) : nullptr;
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
    Schema made = usable(id, *known);
    if (shared_->bytes + made.bytes > schema_programs_in_all_max) forget();
    shared_->bytes += made.bytes;
    bytes_ += made.bytes;
    found = schemas_.emplace(id, std::move(made)).first;
  }
  last_id_ = id;
  last_ = &found->second;
  return last_;
}

// Programs still needed are made again.
void FramedReader::forget() {
  schemas_.clear();
  last_ = nullptr;
  shared_->bytes -= bytes_;
  bytes_ = 0;
}

FramedReader::Schema FramedReader::usable(SchemaId id, const KnownSchema& known) const {
  const auto unusable = [&](const std::string& cause) {
    shared_->tell(id, cause);
    return Schema{.program = {}, .bytes = entry_bytes};
  };
  switch (known.kind) {
    case KnownSchema::Kind::avro: {
      std::vector<std::string> texts;
      for (const KnownSchema::Part& part : known.parts) texts.push_back(part.text);
      auto program = avro::Program::compile(texts, &wanted_);
      if (!program) return unusable(program.error().context);
      const std::size_t bytes = program->bytes() + entry_bytes;
      return {.program = std::move(*program), .bytes = bytes};
    }
    case KnownSchema::Kind::protobuf: {
      std::vector<protobuf::SchemaFile> files;
      for (const KnownSchema::Part& part : known.parts) files.push_back({part.name, part.text});
      auto messages = protobuf::MessageSchema::of_texts(files);
      if (!messages) return unusable(messages.error().context);
      const std::size_t bytes = messages->bytes() + entry_bytes;
      return {.program = protobuf::Programs(std::move(*messages), wanted_), .bytes = bytes};
    }
    case KnownSchema::Kind::too_large: return unusable("with all that it refers to it is larger than 2 MiB");
    case KnownSchema::Kind::other: break;
  }
  return unusable("it is neither Avro nor Protobuf");
}

}  // namespace

MakeRecordReader framed_reader(std::shared_ptr<const SchemaRegistry> registry, Tell tell) {
  auto shared = std::make_shared<Shared>(std::move(tell));
  return [registry = std::move(registry), shared = std::move(shared)](const WantedFields& wanted) {
    return std::make_unique<FramedReader>(wanted, registry, shared);
  };
}

}  // namespace recmeter::registry
