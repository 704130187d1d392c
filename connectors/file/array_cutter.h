// ArrayCutter: records that are the values of a JSON array, which may stand within a document, {"hits":{"hits":[...]}}; there
// may be several documents, one behind the other. Or objects one behind the other, each a record.
//
// It looks at brackets, strings and commas alone; whether a value is valid JSON the decoder says. Memory is bounded by the
// longest record and the block.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file/record_cutter.h"

namespace recmeter::file {

class ArrayCutter final : public RecordCutter {
 public:
  // `keys`: those that lead to the array from the root of a document; none: the root is the array, or a record of several.
  ArrayCutter(std::size_t record_bytes_max, std::vector<std::string> keys, std::string name)
      : record_bytes_max_(record_bytes_max), keys_(std::move(keys)), name_(std::move(name)) {}

  [[nodiscard]] Result<void> read(ByteStream& from, std::size_t block, RecordBatch& into) override;
  [[nodiscard]] std::uint64_t position() const override { return place_ == Place::value ? record_at_ : offset_; }
  void rewind() override;

 private:
  // Where in a document the scan stands.
  enum class Place : std::uint8_t {
    outside,  // of the array
    before,   // a value of it
    value,    // within one
  };

  // Each takes bytes off the front of `bytes`, at least one.
  [[nodiscard]] Result<void> take_outside(std::string_view& bytes, const RecordBatch& into);
  [[nodiscard]] Result<void> open(char bracket);
  [[nodiscard]] bool begins_root_record(char c) const;
  void begin_value(const RecordBatch& into);
  [[nodiscard]] Result<void> take_before(std::string_view& bytes, const RecordBatch& into);
  void take_value(std::string_view& bytes, RecordBatch& into);
  [[nodiscard]] bool passes_string(char c);
  void add(std::string_view bytes, RecordBatch& into);
  void end_record(RecordBatch& into);
  [[nodiscard]] Result<void> end() const;
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;

  std::size_t record_bytes_max_;
  std::vector<std::string> keys_;
  std::string name_;
  std::vector<char> block_;
  std::optional<Error> failed_;  // told once what came before it has been handed out

  std::uint64_t offset_ = 0;     // of the byte in hand
  std::uint64_t record_at_ = 0;  // of the record's first
  Place place_ = Place::outside;
  bool is_string_ = false;
  bool is_escaped_ = false;
  bool has_array_ = false;       // one was found
  std::size_t roots_ = 0;        // records that stand in no array
  bool is_root_ = false;         // the value in hand is one
  std::size_t depth_ = 0;        // open brackets of the document outside of the array
  std::size_t value_depth_ = 0;  // of the value
  // Of the way to the array: `matched_` keys have led to the object in hand, which is a bracket deeper.
  std::size_t matched_ = 0;
  bool wants_key_ = false;  // the next string of the object is a key
  bool is_on_way_ = false;  // the value that comes is of the next key
  std::string key_;
  std::vector<char> carry_;  // what is kept of it between two batches
  std::size_t begun_ = 0;    // where it begins in the batch's bytes
};

}  // namespace recmeter::file
