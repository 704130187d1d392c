// Program: how values that were written with one Avro schema are read: the wanted parts are made, the others passed over.
// Apache Avro 1.12, "Binary Encoding". https://avro.apache.org/docs/1.12.0/specification/
//
// Values are those of JSON, but typed: an int or long is an integer, a float or double the number it is, a string, enum,
// bytes or fixed a text, a union the value of its branch, a timestamp or date a time, a decimal the number that JSON would
// read of its digits. Other logical types are as the type below them. A record's members come in the order of the wanted
// ones, null where the schema has none; of a whole record, in the schema's.
//
// Bytes from anywhere are safe, by any schema: a value that is wrong or incomplete, a text that is wanted and no UTF-8, more
// than 64 levels, more than 1,000 entries of lists that take no bytes, or more than record_steps_max steps are no value; time
// and memory are bounded by the bytes and these. Thread safety: immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter::avro {

struct Node;
struct NodePool;

class Program {
 public:
  // `schemas`: JSON; values are of the last, which may name types of those before. `wanted` outlives the program; null: no
  // value is made. Errors: input_corrupt, with what is wrong with the schema, which has the bounds of schema_bounds.h.
  [[nodiscard]] static Result<Program> compile(std::span<const std::string> schemas, const WantedFields* wanted);

  // The value that all of `bytes` are, which refers to them and to `arena`. False: they are none. Behind the bytes `readable`
  // more may be looked at. A record's members come to stand in `root`, if it is given: members(), which read() alone changes.
  [[nodiscard]] bool read(std::string_view bytes, RecordArena& arena, FieldValue& value, std::size_t readable = 0,
                          std::span<FieldMember> root = {}) const;
  [[nodiscard]] std::optional<FieldValue> read(std::string_view bytes, RecordArena& arena) const {
    FieldValue value;
    return read(bytes, arena, value) ? std::optional(value) : std::nullopt;
  }
  // How many bytes the value at the front of `bytes` takes.
  [[nodiscard]] std::optional<std::size_t> length(std::string_view bytes) const;

  // Of a value that is a record, all null; of any other none.
  [[nodiscard]] std::vector<FieldMember> members() const;
  // Memory that it takes, about.
  [[nodiscard]] std::size_t bytes() const;
  // Whether a value may have the wanted member of this place.
  [[nodiscard]] bool may_have(std::size_t member) const;

 private:
  Program(std::shared_ptr<const NodePool> nodes, const Node* root) : nodes_(std::move(nodes)), root_(root) {}

  std::shared_ptr<const NodePool> nodes_;
  const Node* root_;
};

}  // namespace recmeter::avro
