// Compiler: the Nodes of message types and of what is wanted of them.
#pragma once

#include <google/protobuf/descriptor.h>

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "protobuf/node.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter::protobuf {

class Compiler {
 public:
  explicit Compiler(NodePool& pool) : pool_(pool) {}

  // As often as wanted, of messages of one schema: what they have in common is made once.
  const Node* compile(const google::protobuf::Descriptor& message, const WantedFields& wanted);

 private:
  using Field = google::protobuf::FieldDescriptor;
  struct Open {  // a node whose fields are still to be added
    Node* node;
    const google::protobuf::Descriptor* message;
    const WantedFields* wanted;
  };
  // Where the members of a node stand.
  using Slots = std::unordered_map<std::string_view, std::size_t>;
  using Oneofs = std::map<const google::protobuf::OneofDescriptor*, const std::vector<std::size_t>*>;

  // No message is filled in within another: they refer to each other as they like.
  const Node* node_of(const google::protobuf::Descriptor& message, const WantedFields& wanted);
  void fill(const Open& open);
  void add_field(Node& node, const Field& field, const WantedFields& wanted, const Slots& slots, Oneofs& oneofs);
  const std::vector<std::size_t>* slots_of(const google::protobuf::OneofDescriptor& oneof, const Slots& slots,
                                           Oneofs& oneofs);
  const Node* compile_map(const Field& field, const WantedFields& wanted);
  const std::map<std::int64_t, std::string>* symbols_of(const google::protobuf::EnumDescriptor& type);
  FieldValue default_of(const Field& field, const FieldNode& node);

  NodePool& pool_;
  std::vector<Open> open_;
  std::map<std::pair<const google::protobuf::Descriptor*, const WantedFields*>, const Node*> known_;
  std::map<const google::protobuf::EnumDescriptor*, const std::map<std::int64_t, std::string>*> enums_;
};

}  // namespace recmeter::protobuf
