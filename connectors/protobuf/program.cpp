#include "recmeter/protobuf/program.h"

#include <utility>

#include "protobuf/compiler.h"
#include "protobuf/walk.h"

namespace recmeter::protobuf {

Program::Program(MessageSchema schema, const google::protobuf::Descriptor& message, const WantedFields& wanted)
    : schema_(std::move(schema)) {
  auto nodes = std::make_shared<NodePool>();
  root_ = Compiler(*nodes).compile(message, wanted);
  nodes_ = std::move(nodes);
}

bool Program::read(std::string_view bytes, RecordArena& arena, FieldValue& value, std::size_t readable) const {
  return Walk(arena, bytes, readable).read(*root_, bytes, value);
}

namespace {

class MessageReader final : public RecordReader {
 public:
  explicit MessageReader(Program program) : program_(std::move(program)) {}

  void begin(const RecordBatch& /*records*/) override {}
  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override {
    const bool is_read = program_.read(records.record(index), arena, value, RecordBatch::padding);
    return is_read ? std::nullopt : std::optional(InvalidReason::not_protobuf);
  }

 private:
  Program program_;
};

}  // namespace

MakeRecordReader message_reader(MessageSchema schema, const google::protobuf::Descriptor& message) {
  return [schema = std::move(schema), &message](const WantedFields& wanted) {
    return std::make_unique<MessageReader>(Program(schema, message, wanted));
  };
}

}  // namespace recmeter::protobuf
