// Node: a message type, and what is wanted of its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "recmeter/event/field_value.h"
#include "recmeter/event/schema_bounds.h"

namespace recmeter::protobuf {

inline constexpr std::size_t depth_max = schema_levels_max;  // of messages within messages

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, group = 3, group_end = 4, fixed32 = 5 };

enum class Scalar : std::uint8_t { int64, int32, zigzag, uint64, uint32, boolean, enumeration, float32, float64, text };

struct Node;

// A field that is wanted, or whose presence ends that of a wanted one.
struct FieldNode {
  std::uint32_t number = 0;
  std::size_t slot = 0;  // of its value among the object's members; none: it is not wanted
  WireType wire = WireType::varint;
  Scalar scalar = Scalar::int64;
  bool is_repeated = false;
  std::uint8_t text_tag = 0;      // the one byte before each value of a wanted text that ends no other's presence; else 0
  const Node* message = nullptr;  // of fields that are messages, and of a map's entries
  const std::map<std::int64_t, std::string>* symbols = nullptr;  // enumeration
  const std::vector<std::size_t>* oneof = nullptr;  // slots of the wanted members of its oneof, where another one is wanted
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

struct Node {
  enum class Kind : std::uint8_t {
    object,
    map_entry,  // members: key, value
    time,       // google.protobuf.Timestamp; members: seconds, nanos
    wrapper,    // members: value
  };

  Kind kind = Kind::object;
  std::vector<FieldNode> fields = {};      // by number
  std::vector<std::string> names = {};     // of the members
  std::vector<FieldMember> members = {};   // with their defaults
  std::vector<std::size_t> gathered = {};  // slots of members, lists and messages, of which Walk gathers what there is
  std::vector<std::size_t> place = {};     // of members, by slot: where they stand in `gathered`; scalars: none
  std::vector<bool> of_texts = {};         // of gathered members: lists of texts
  bool is_whole_map = false;               // map_entry: all keys are wanted
  std::vector<std::string> keys = {};      // map_entry: else these,
  std::vector<const Node*> of_keys = {};   // and entries of them, whose values are wanted differently
};

struct NodePool {
  std::deque<Node> nodes;
  std::deque<std::map<std::int64_t, std::string>> enums;
  std::deque<std::vector<std::size_t>> oneofs;
};

}  // namespace recmeter::protobuf
