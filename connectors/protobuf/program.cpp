#include "recmeter/protobuf/program.h"

#include <algorithm>
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

bool Program::read(std::string_view bytes, RecordArena& arena, FieldValue& value, std::size_t readable,
                   std::span<FieldMember> root) const {
  return Walk(arena, bytes, readable).read_root(*root_, bytes, value, root);
}

std::vector<FieldMember> Program::members() const {
  return root_->members;
}

bool Program::may_have(std::size_t member) const {
  if (root_->kind != Node::Kind::object) return true;
  return std::ranges::any_of(root_->fields, [member](const FieldNode& field) { return field.slot == member; });
}

Programs::Programs(MessageSchema schema, const WantedFields& wanted)
    : schema_(std::move(schema)),
      wanted_(&wanted),
      nodes_(std::make_shared<NodePool>()),
      compiler_(std::make_unique<Compiler>(*nodes_)) {}
Programs::Programs(Programs&&) noexcept = default;
Programs& Programs::operator=(Programs&&) noexcept = default;
Programs::~Programs() = default;

const Program* Programs::of(std::span<const std::int64_t> places) {
  std::vector<std::int64_t> list(places.begin(), places.end());
  if (const auto known = known_.find(list); known != known_.end()) return &known->second;
  const auto* const message = schema_.message(places);
  if (message == nullptr) return nullptr;  // any bytes may be such a list
  if (known_.size() == index_lists_max) known_.clear();
  const Program program(schema_, nodes_, compiler_->compile(*message, *wanted_));
  return &known_.emplace(std::move(list), program).first->second;
}

namespace {

class MessageReader final : public RecordReader {
 public:
  explicit MessageReader(Program program) : program_(std::move(program)), members_(program_.members()) {}

  void begin(const RecordBatch& /*records*/) override {}
  [[nodiscard]] bool may_have(std::size_t member) const override { return program_.may_have(member); }
  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override {
    const bool is_read = program_.read(records.record(index), arena, value, RecordBatch::padding, members_);
    return is_read ? std::nullopt : std::optional(InvalidReason::not_protobuf);
  }

 private:
  Program program_;
  std::vector<FieldMember> members_;  // of the record in hand
};

}  // namespace

MakeRecordReader message_reader(MessageSchema schema, const google::protobuf::Descriptor& message) {
  return [schema = std::move(schema), &message](const WantedFields& wanted) {
    return std::make_unique<MessageReader>(Program(schema, message, wanted));
  };
}

}  // namespace recmeter::protobuf
