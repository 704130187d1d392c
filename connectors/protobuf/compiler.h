// Compiler: the Nodes of message types and of what is wanted of them.
#pragma once

#include <google/protobuf/descriptor.h>

#include <map>
#include <utility>

#include "protobuf/node.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter::protobuf {

class Compiler {
 public:
  explicit Compiler(NodePool& pool) : pool_(pool) {}

  const Node* compile(const google::protobuf::Descriptor& message, const WantedFields& wanted);

 private:
  using Field = google::protobuf::FieldDescriptor;

  void add_field(Node& node, const Field& field, const WantedFields& wanted);
  const Node* compile_map(const Field& field, const WantedFields& wanted);
  const std::map<std::int64_t, std::string>* symbols_of(const google::protobuf::EnumDescriptor& type);
  FieldValue default_of(const Field& field, const FieldNode& node);

  NodePool& pool_;
  std::map<std::pair<const google::protobuf::Descriptor*, const WantedFields*>, const Node*> known_;
  std::map<const google::protobuf::EnumDescriptor*, const std::map<std::int64_t, std::string>*> enums_;
};

}  // namespace recmeter::protobuf
