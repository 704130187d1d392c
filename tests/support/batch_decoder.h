// BatchDecoder: one line of an input, read by the rules of [S2], in the plainest way.
//
// Every reason that makes a record invalid is noted, and the first in the order of the closed set is given ([S2.25]).
// Thread safety: none. Requires: the spec and the table outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/field_table.h"
#include "support/batch_event.h"

namespace recmeter::support {

// The names of [S2].
[[nodiscard]] FieldTable native_fields();

struct DecodedRecord {
  enum class Outcome { events, ignored, invalid };
  Outcome outcome = Outcome::invalid;
  InvalidReason reason = InvalidReason::not_json;  // when invalid
  std::optional<std::int64_t> ts;                  // of events, and of ignored records where it can be read ([S2.21])
  std::vector<BatchEvent> events;

  // "an ignored record, or one with a bad entry, is one event"
  [[nodiscard]] std::size_t event_count() const { return outcome == Outcome::events ? events.size() : 1; }
};

class BatchDecoder {
 public:
  BatchDecoder(const EvaluatorSpec& spec, const FieldTable& fields) : spec_(spec), fields_(fields) {}
  [[nodiscard]] DecodedRecord decode(std::string_view line) const;

 private:
  const EvaluatorSpec& spec_;
  const FieldTable& fields_;
};

}  // namespace recmeter::support
