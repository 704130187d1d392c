#include "recmeter/protobuf/message_schema.h"

#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <utility>

namespace recmeter::protobuf {

namespace pb = google::protobuf;

// Types of Google's own files are known without them.
struct SchemaPool {
  SchemaPool() : types(pb::DescriptorPool::generated_pool()) { types.AllowUnknownDependencies(); }

  pb::DescriptorPool types;
  const pb::FileDescriptor* last = nullptr;
};

namespace {

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
  [[nodiscard]] tl::unexpected<Error> failed() const {
    return failure(Errc::input_corrupt, "the Protobuf schema cannot be used: " + (first_.empty() ? "it is none" : first_));
  }

 private:
  void add(std::string fault) {
    if (first_.empty()) first_ = std::move(fault);
  }
  std::string first_;
};

bool add(SchemaPool& pool, const pb::FileDescriptorProto& file, Faults& faults) {
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
    pb::io::ArrayInputStream bytes(file.text.data(), static_cast<int>(file.text.size()));
    pb::io::Tokenizer tokens(&bytes, &faults);
    pb::compiler::Parser parser;
    parser.RecordErrorsTo(&faults);
    pb::FileDescriptorProto parsed;
    if (!parser.Parse(&tokens, &parsed)) return faults.failed();
    parsed.set_name(file.name);
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
