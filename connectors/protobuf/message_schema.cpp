#include "recmeter/protobuf/message_schema.h"

#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <utility>

#include "recmeter/event/schema_bounds.h"

namespace recmeter::protobuf {

namespace pb = google::protobuf;

// Types of Google's own files are known without them.
struct SchemaPool {
  SchemaPool() : types(pb::DescriptorPool::generated_pool()) { types.AllowUnknownDependencies(); }

  pb::DescriptorPool types;
  const pb::FileDescriptor* last = nullptr;
  std::size_t messages = 0;
  std::size_t parts = 0;
  std::size_t names_bytes = 0;
};

namespace {

// libprotobuf recurses with each level, and what a schema takes there is many times its text: nothing is handed to it that
// is not within the bounds.
constexpr std::size_t part_bytes = 1'000;     // of a field and its like, there and in programs
constexpr std::size_t message_bytes = 2'000;  // of a message
constexpr std::size_t name_copies = 8;        // of a name: full, in lower case, for JSON ...

constexpr std::string_view levels_fault = "it has more than 64 levels of braces";
constexpr std::string_view messages_fault = "it has more than 2000 messages; leave out those that are not needed";
constexpr std::string_view parts_fault =
    "it has more than 20000 fields, values of enums and reserved numbers; leave out messages that are not needed";
constexpr std::string_view names_fault = "its names take more than 16 MiB, or one of a type more than 1000 bytes";
static_assert(schema_levels_max == 64 && schema_messages_max == 2'000 && schema_parts_max == 20'000 &&
              schema_name_bytes_max == 1'000 && schema_program_bytes_max == std::size_t{16} << 20);

// Of the first look at a text: its faults are found again.
class Silent final : public pb::io::ErrorCollector {
 public:
  void AddError(int /*line*/, int /*column*/, const std::string& /*message*/) override {}
};

// Of a text that is not parsed yet: fields and the like end with one of these.
std::string_view text_fault(std::string_view text) {
  Silent silent;
  pb::io::ArrayInputStream bytes(text.data(), static_cast<int>(text.size()));
  pb::io::Tokenizer tokens(&bytes, &silent);
  std::size_t levels = 0, ends = 0;
  while (tokens.Next()) {
    const std::string& token = tokens.current().text;
    if (token.size() != 1) continue;
    if (token == "{" && ++levels > schema_levels_max) return levels_fault;
    if (token == "}" && levels > 0) --levels;
    if ((token == ";" || token == "," || token == "{") && ++ends > 2 * schema_parts_max) return parts_fault;
  }
  return {};
}

// Adds what is counted to the pool. "": it is within the bounds.
class Counter {
 public:
  explicit Counter(SchemaPool& pool) : pool_(pool) {}

  [[nodiscard]] std::string_view fault(const pb::FileDescriptorProto& file) {
    for (const auto& message : file.message_type()) add(message, file.package().size(), 1);
    for (const auto& type : file.enum_type()) add(type, file.package().size());
    pool_.parts += static_cast<std::size_t>(file.extension_size() + file.dependency_size());
    for (const auto& service : file.service()) {
      pool_.parts += static_cast<std::size_t>(service.method_size()) + 1;
      pool_.names_bytes += (file.package().size() + service.name().size()) * static_cast<std::size_t>(service.method_size());
    }
    if (!fault_.empty()) return fault_;
    if (pool_.messages > schema_messages_max) return messages_fault;
    if (pool_.parts > schema_parts_max) return parts_fault;
    return pool_.names_bytes * name_copies > schema_program_bytes_max ? names_fault : std::string_view();
  }

 private:
  // `scope`: bytes of the names around it.
  void add(const pb::DescriptorProto& message, std::size_t scope, std::size_t level) {
    if (level > schema_levels_max) {
      fault_ = levels_fault;
      return;
    }
    const std::size_t name = scope + 1 + message.name().size();
    if (name > schema_name_bytes_max) fault_ = names_fault;
    if (!message.options().map_entry()) ++pool_.messages;
    pool_.parts += static_cast<std::size_t>(message.field_size() + message.extension_size() + message.oneof_decl_size() +
                                            message.reserved_range_size() + message.reserved_name_size() +
                                            message.extension_range_size());
    pool_.names_bytes += name;
    for (const auto& field : message.field()) pool_.names_bytes += field.name().size();
    for (const auto& inner : message.nested_type()) {
      if (fault_.empty()) add(inner, name, level + 1);
    }
    for (const auto& type : message.enum_type()) add(type, name);
  }
  void add(const pb::EnumDescriptorProto& type, std::size_t scope) {
    if (scope + type.name().size() > schema_name_bytes_max) fault_ = names_fault;
    pool_.parts += static_cast<std::size_t>(type.value_size() + type.reserved_range_size() + type.reserved_name_size());
    for (const auto& value : type.value()) pool_.names_bytes += value.name().size();
  }

  SchemaPool& pool_;
  std::string_view fault_;
};

// The first fault.
class Faults final : public pb::io::ErrorCollector, public pb::DescriptorPool::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    add("line " + std::to_string(line + 1) + ", column " + std::to_string(column + 1) + ": " + message);
  }
  void AddError(const std::string& /*file*/, const std::string& element, const pb::Message* /*descriptor*/,
                ErrorLocation /*location*/, const std::string& message) override {
    add(element + ": " + message);
  }
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view fault = {}) {
    if (!fault.empty()) first_ = fault;
    return failure(Errc::input_corrupt, "the Protobuf schema cannot be used: " + (first_.empty() ? "it is none" : first_));
  }

 private:
  void add(std::string fault) {
    if (first_.empty()) first_ = std::move(fault);
  }
  std::string first_;
};

bool add(SchemaPool& pool, const pb::FileDescriptorProto& file, Faults& faults) {
  if (const std::string_view fault = Counter(pool).fault(file); !fault.empty()) {
    faults.AddError(file.name(), file.name(), nullptr, {}, std::string(fault));
    return false;
  }
  // What comes with libprotobuf stays as it is there.
  const auto* const known = pb::DescriptorPool::generated_pool()->FindFileByName(file.name());
  pool.last = known != nullptr ? known : pool.types.BuildFileCollectingErrors(file, &faults);
  return pool.last != nullptr;
}

}  // namespace

Result<MessageSchema> MessageSchema::of_texts(std::span<const SchemaFile> files) {
  const auto pool = std::make_shared<SchemaPool>();
  Faults faults;
  for (const SchemaFile& file : files) {
    if (const std::string_view fault = text_fault(file.text); !fault.empty()) return faults.failed(fault);
    pb::io::ArrayInputStream bytes(file.text.data(), static_cast<int>(file.text.size()));
    pb::io::Tokenizer tokens(&bytes, &faults);
    pb::compiler::Parser parser;
    parser.RecordErrorsTo(&faults);
    pb::FileDescriptorProto parsed;
    if (!parser.Parse(&tokens, &parsed)) return faults.failed();
    parsed.set_name(file.name);
    parsed.clear_source_code_info();
    if (!add(*pool, parsed, faults)) return faults.failed();
  }
  if (pool->last == nullptr) return faults.failed();
  return MessageSchema(pool);
}

Result<MessageSchema> MessageSchema::of_descriptors(std::string_view bytes) {
  const auto pool = std::make_shared<SchemaPool>();
  Faults faults;
  pb::FileDescriptorSet set;
  if (!set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return faults.failed();
  // protoc writes each file behind those that it imports.
  for (const pb::FileDescriptorProto& file : set.file()) {
    if (!add(*pool, file, faults)) return faults.failed();
  }
  if (pool->last == nullptr) return faults.failed();
  return MessageSchema(pool);
}

std::size_t MessageSchema::bytes() const {
  return pool_->messages * message_bytes + pool_->parts * part_bytes + pool_->names_bytes * name_copies;
}

const pb::Descriptor* MessageSchema::message(std::string_view name) const {
  return pool_->types.FindMessageTypeByName(std::string(name));
}

const pb::Descriptor* MessageSchema::message(std::span<const std::int64_t> places) const {
  const pb::Descriptor* message = nullptr;
  for (const std::int64_t place : places) {
    const int count = message == nullptr ? pool_->last->message_type_count() : message->nested_type_count();
    if (place < 0 || place >= count) return nullptr;
    const int at = static_cast<int>(place);
    message = message == nullptr ? pool_->last->message_type(at) : message->nested_type(at);
  }
  return message;
}

}  // namespace recmeter::protobuf
