// Program: how messages of one type are read: the wanted fields made, the others passed over.
// https://protobuf.dev/programming-guides/encoding/
//
// Values are those of JSON, by the fields' own names: 64-bit integers are integers, enums the names of their values (an
// unknown one is its number), bytes texts, maps objects, a google.protobuf.Timestamp a time, a wrapper its value. A field
// that is not there is its default where its presence is not kept (of proto3: zero, false, the enum's first; an empty text is
// null), and null where it is (`optional`, members of a oneof, messages, proto2). A list or map without entries is null: of a
// list one that is_no_entries(). Groups are passed over.
//
// Bytes from anywhere are safe, by any schema: what is no message, a wanted text that is no UTF-8, more than 64 levels or
// more than record_steps_max steps is no value; time and memory are bounded by the bytes and these. Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/record_reader.h"
#include "recmeter/protobuf/message_schema.h"

namespace recmeter::protobuf {

struct Node;
struct NodePool;

class Program {
 public:
  // `message`: of `schema`. `wanted` outlives the program.
  Program(MessageSchema schema, const google::protobuf::Descriptor& message, const WantedFields& wanted);

  // The object that all of `bytes` are, which refers to them and to `arena`. False: they are none. Behind the bytes
  // `readable` more may be looked at.
  [[nodiscard]] bool read(std::string_view bytes, RecordArena& arena, FieldValue& value, std::size_t readable = 0) const;
  [[nodiscard]] std::optional<FieldValue> read(std::string_view bytes, RecordArena& arena) const {
    FieldValue value;
    return read(bytes, arena, value) ? std::optional(value) : std::nullopt;
  }

  // As read(), of an object whose members come to stand in `root`: members(), which read() alone changes.
  [[nodiscard]] bool read(std::string_view bytes, RecordArena& arena, FieldValue& value, std::size_t readable,
                          std::span<FieldMember> root) const;
  [[nodiscard]] std::vector<FieldMember> members() const;
  // Whether an object may have the wanted member of this place.
  [[nodiscard]] bool may_have(std::size_t member) const;

 private:
  friend class Programs;
  Program(MessageSchema schema, std::shared_ptr<const NodePool> nodes, const Node* root)
      : schema_(std::move(schema)), nodes_(std::move(nodes)), root_(root) {}

  MessageSchema schema_;
  std::shared_ptr<const NodePool> nodes_;
  const Node* root_;
};

class Compiler;

// Programs: those of the messages of one schema, made when they are asked for; what messages have in common is made once.
// Thread safety: none. Memory: bounded by the schema, MessageSchema::bytes().
class Programs {
 public:
  // `wanted` outlives it.
  Programs(MessageSchema schema, const WantedFields& wanted);
  Programs(Programs&&) noexcept;
  Programs& operator=(Programs&&) noexcept;
  ~Programs();

  // Of the message at these places (MessageSchema::message); null: there is none. Lives until the next call.
  [[nodiscard]] const Program* of(std::span<const std::int64_t> places);
  [[nodiscard]] const MessageSchema& schema() const { return schema_; }
  // How many lists of places are remembered: index_lists_max at most.
  [[nodiscard]] std::size_t remembered() const { return known_.size(); }

 private:
  MessageSchema schema_;
  const WantedFields* wanted_;
  std::shared_ptr<NodePool> nodes_;
  std::unique_ptr<Compiler> compiler_;
  std::map<std::vector<std::int64_t>, Program> known_;
};

// Records that are messages of this type; one that is none is not_protobuf.
[[nodiscard]] MakeRecordReader message_reader(MessageSchema schema, const google::protobuf::Descriptor& message);

}  // namespace recmeter::protobuf
