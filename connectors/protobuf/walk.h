// Walk: from field to field over the bytes of a message. Each step says whether the bytes were what they should be; after
// one that were not, nothing is to be had of them.
#pragma once

#include <span>
#include <string_view>

#include "protobuf/node.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/schema_bounds.h"

namespace recmeter::protobuf {

// Hidden: what code of another library might replace, the compiler may not inline.
class [[gnu::visibility("hidden")]] Walk {
 public:
  // Behind the bytes of the message `readable` more may be looked at.
  Walk(RecordArena& arena, std::string_view message, std::size_t readable)
      : arena_(arena),
        readable_end_(message.data() + message.size() + readable),
        steps_left_(record_steps_max + message.size()) {}

  [[nodiscard]] bool read(const Node& node, std::string_view bytes, FieldValue& value, std::size_t depth = 0);
  // Whose members come to stand in `members`: the node's, which nobody else changes.
  [[nodiscard]] bool read_root(const Node& node, std::string_view bytes, FieldValue& value, std::span<FieldMember> members);

 private:
  struct Object;
  // What there is of a member so far, besides a scalar's value.
  struct Slot {
    FieldValue* entries = nullptr;
    FieldMember* members = nullptr;  // of a map
    std::size_t size = 0;            // of these
    std::size_t capacity = 0;
    Object* object = nullptr;  // a message: one that comes twice is one
  };
  struct Object {
    const Node* node = nullptr;
    FieldMember* members = nullptr;
    Slot* slots = nullptr;  // of gathered members

    [[nodiscard]] Slot& slot(std::size_t member) const { return slots[node->place[member]]; }
  };

  // For members that are made, whether they are there or not: what is there takes bytes.
  [[nodiscard]] bool pay(std::size_t steps) {
    if (steps > steps_left_) return false;
    steps_left_ -= steps;
    return true;
  }
  [[nodiscard]] Object begin(const Node& node);
  [[nodiscard]] Slot* new_slots(const Node& node);
  [[nodiscard, gnu::flatten]] bool fill(Object& object, std::string_view bytes, std::size_t depth);
  [[nodiscard]] std::size_t readable_from(const char* at) const { return static_cast<std::size_t>(readable_end_ - at); }
  // Takes a short text at whose tag the bytes are. False: the general way has to see it.
  [[nodiscard]] bool take_short_text(std::string_view& bytes, FieldValue& value) const;
  // As many as there are of the same tag. Not taken: the general way has to see the first. False: one is no text.
  [[nodiscard]] bool take_short_texts(std::string_view& bytes, Slot& slot, bool& is_taken);
  [[nodiscard]] bool take_map_entry(std::string_view bytes, FieldMember& member) const;
  [[nodiscard]] bool take(const FieldNode& field, WireType wire, std::string_view& bytes, Object& object, std::size_t depth);
  [[nodiscard]] bool clear_others(const FieldNode& field, Object& object);
  [[nodiscard]] bool take_packed(const FieldNode& field, std::string_view bytes, Slot& slot);
  [[nodiscard]] bool take_entry(const FieldNode& field, std::string_view bytes, Slot& slot, std::size_t depth);
  [[nodiscard]] bool take_scalar(const FieldNode& field, std::string_view& bytes, FieldValue& value) const;
  [[nodiscard]] static bool skip(WireType wire, std::uint32_t number, std::string_view& bytes, std::size_t depth);
  [[nodiscard]] FieldValue finish(const Object& object);
  void put(Slot& slot, const FieldValue& entry);

  RecordArena& arena_;
  const char* readable_end_;
  std::size_t steps_left_;
};

}  // namespace recmeter::protobuf
