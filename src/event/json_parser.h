// JsonParser: records as parsed JSON documents. It is the one rule of what valid JSON is: [S2.18], [S2.19].
//
// Languages write numbers that JSON or our types do not have: NaN, Infinity, integers of more than 64 bits, 1e999. They are
// read wherever JSON has a value: an integer as the text of its digits, the others as the double that they are. Such records
// are rare, so they are written anew and parsed again; the others are parsed as they are.
// Thread safety: none; it keeps buffers between calls.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "event/wide_numbers.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/record_batch.h"

namespace recmeter {

class JsonParser {
 public:
  JsonParser();

  // Parses the `index`-th record; its root is an object. Documents live until the next call.
  [[nodiscard]] std::optional<InvalidReason> parse_object(const RecordBatch& records, std::size_t index,
                                                          simdjson::dom::element& object);
  // Any text; whether it is JSON.
  [[nodiscard]] bool parse(std::string_view text, simdjson::dom::element& root);
  // As it was parsed last, followed by SIMDJSON_PADDING readable bytes where parse_object() did. Of the numbers that are
  // written anew only the finite ones stand there as they were.
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  [[nodiscard]] bool parse_anew(simdjson::dom::element& root);

  simdjson::dom::parser parser_;
  WideNumbers wide_;
  std::string_view text_;
};

}  // namespace recmeter
