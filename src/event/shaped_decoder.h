// ShapedDecoder: records of any encoding that has a RecordReader become events by an input's shape. [I3.20].
// Thread safety: none; it keeps a reader's buffers between calls.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "event/event_builder.h"
#include "event/field_resolver.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/record_reader.h"

namespace recmeter {

class ShapedDecoder final : public EventDecoder {
 public:
  // Requires: options.fields.shape.
  explicit ShapedDecoder(DecoderOptions options);

  [[nodiscard]] EventBatch decode(const RecordBatch& records) override;

  // As EventBuilder asks of an encoding.
  using Value = FieldValue;
  void find_entry(const FieldValue& entry, FoundFields<FieldValue>& found);
  [[nodiscard]] std::string_view segment_text(std::size_t index, const FieldValue& value);
  [[nodiscard]] static bool is_hole(const FieldValue& value) { return value.is_null(); }

 private:
  using Found = FoundFields<FieldValue>;
  struct Lookup {
    const FieldSource* source = nullptr;
    std::optional<std::size_t> member = std::nullopt;  // of the record, where the source is just that
  };
  // A member of the record that is a field as it is.
  struct Plain {
    std::size_t member;
    Field field;
    std::uint32_t bit;
  };
  // What a rule is to the decoder; records without rules have one without conditions, whose meaning their type says.
  struct Rule {
    const std::vector<FieldCondition>* when = nullptr;
    const std::vector<FieldCondition>* entries = nullptr;
    const ShapedFields* fields = nullptr;
    std::vector<Plain> plain = {};
    std::vector<Plain> likely = {};                      // of these, what records of the batch may have
    std::vector<std::pair<Field, Lookup>> lookups = {};  // of the other fields that there are
    std::vector<std::pair<std::string_view, Lookup>> segments = {};
    std::optional<int> meaning = std::nullopt;
  };
  struct Entry {  // of a shown list
    FieldValue item;
    FieldValue position;
    FieldValue score;
    FieldValue propensity;
    FieldValue team;
  };

  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, FieldValue& root);
  void add_events(const FieldValue& record);
  void uneven_lists(std::string_view lengths);  // [I3.31]
  // Of feedback: it names a basket, in which there is nothing.
  [[nodiscard]] bool is_empty_basket();
  [[nodiscard]] bool shows_a_list(const FieldValue& record);
  [[nodiscard]] Rule rule_of(const std::vector<FieldCondition>& entries, const ShapedFields& fields) const;
  [[nodiscard]] Lookup lookup_of(const FieldSource& source) const;
  void find(const Rule& rule, const FieldValue& record);
  // Counts a key on the way that is there twice against `field`.
  [[nodiscard]] FieldValue find(const Lookup& lookup, Field field, const FieldValue& record);
  void put(Field field, const FieldValue& value);
  [[nodiscard]] FieldValue numeric(std::uint32_t field_bit, const FieldValue& value);
  void put_segments(const Rule& rule, const FieldValue& record);
  [[nodiscard]] bool choose_entries(const std::vector<FieldCondition>& conditions);
  void shape_list(const ShapedFields& fields);
  [[nodiscard]] FieldValue entry_value(const ShapedFields& fields, EntryField field, const FieldValue& entry);
  void order_by_position();
  [[nodiscard]] FieldValue values_of(FieldValue Entry::* part);
  [[nodiscard]] FieldValue as_number(const FieldValue& value) const;
  [[nodiscard]] FieldValue as_numbers(const FieldValue& value);

  DecoderOptions options_;
  const Shape& shape_;
  WantedFields wanted_;
  std::unique_ptr<RecordReader> reader_;
  RecordArena arena_;
  FieldResolver resolver_;
  std::vector<Rule> rules_;
  Rule time_;  // the time alone, of records that no rule matches
  EventBuilder<ShapedDecoder> builder_;

  // The record in hand.
  const Rule* rule_ = nullptr;
  bool has_no_entries_ = false;  // `items` is a null that may be an empty list
  std::vector<Entry> entries_;
  TextRoom segment_room_;
};

}  // namespace recmeter
