#include "recmeter/avro/program.h"

#include <algorithm>
#include <utility>

#include "avro/compiler.h"
#include "avro/walk.h"

namespace recmeter::avro {

Result<Program> Program::compile(std::span<const std::string> schemas, const WantedFields* wanted) {
  auto nodes = std::make_shared<NodePool>();
  auto root = compile_schema(schemas, wanted, *nodes);
  if (!root) return tl::unexpected(std::move(root).error());
  if (*root == nullptr) return failure(Errc::input_corrupt, "there is no schema");
  return Program(std::move(nodes), *root);
}

bool Program::read(std::string_view bytes, RecordArena& arena, FieldValue& value, std::size_t readable,
                   std::span<FieldMember> root) const {
  Walk walk(bytes, readable, root);
  return walk.read(*root_, arena, value) && walk.left() == 0;
}

std::vector<FieldMember> Program::members() const {
  return root_->kind == Kind::record ? root_->members : std::vector<FieldMember>();
}

std::size_t Program::bytes() const {
  return nodes_->bytes;
}

bool Program::may_have(std::size_t member) const {
  if (root_->kind != Kind::record) return true;
  return std::ranges::any_of(root_->fields, [member](const Node::Field& field) { return field.slot == member; });
}

std::optional<std::size_t> Program::length(std::string_view bytes) const {
  Walk walk(bytes);
  return walk.skip(*root_) ? std::optional(bytes.size() - walk.left()) : std::nullopt;
}

}  // namespace recmeter::avro
