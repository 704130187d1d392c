// MessageSchema: Protobuf message types, of schema texts or of a descriptor set, parsed by libprotobuf. A schema beyond the
// bounds of schema_bounds.h is refused before libprotobuf builds it, which would take memory and stack without bound.
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "recmeter/base/result.h"

namespace google::protobuf {
class Descriptor;
}

namespace recmeter::protobuf {

struct SchemaPool;

struct SchemaFile {
  std::string name;  // by which others import it
  std::string text;
};

class MessageSchema {
 public:
  // `files`: each before those that import it; messages are of the last. An import that is not there takes the types that it
  // would bring with it, and fields of these are passed over. Errors: input_corrupt, with what is wrong and its line.
  [[nodiscard]] static Result<MessageSchema> of_texts(std::span<const SchemaFile> files);
  // A FileDescriptorSet, as `protoc --include_imports --descriptor_set_out` writes it. Errors: input_corrupt.
  [[nodiscard]] static Result<MessageSchema> of_descriptors(std::string_view bytes);

  // By full name, "shop.ListShown"; null: there is none.
  [[nodiscard]] const google::protobuf::Descriptor* message(std::string_view name) const;
  // By places: of a message of the last file, then of one within it, and so on.
  [[nodiscard]] const google::protobuf::Descriptor* message(std::span<const std::int64_t> places) const;
  // What it takes in memory, with the programs of its messages, at most about.
  [[nodiscard]] std::size_t bytes() const;

 private:
  explicit MessageSchema(std::shared_ptr<const SchemaPool> pool) : pool_(std::move(pool)) {}

  std::shared_ptr<const SchemaPool> pool_;  // which owns the descriptors
};

}  // namespace recmeter::protobuf
