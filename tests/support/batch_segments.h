// Segments of a window's lists: one group a row. [S7.16] to [S7.20].
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/batch_lists.h"

namespace recmeter::support {

// The lists of one row of a window.
struct SegmentGroup {
  std::vector<std::pair<std::string, std::string>> segment;  // key, shown value; empty: the whole
  std::vector<std::size_t> lists;
};

class BatchSegments {
 public:
  BatchSegments(const EvaluatorSpec& spec, const AcceptedEvents& events);

  // The whole, then each combination's values in the order of rows. `lists`: those of one window.
  [[nodiscard]] std::vector<SegmentGroup> split(const std::vector<std::size_t>& lists) const;

 private:
  using Values = std::vector<std::string>;  // shown values, one a key
  void split(std::size_t combination, const std::vector<std::size_t>& lists, std::vector<SegmentGroup>& out) const;

  const EvaluatorSpec& spec_;
  // Per combination: the values that occur, ascending, and the place there of each list's.
  std::vector<std::vector<Values>> values_;
  std::vector<std::vector<std::size_t>> value_of_list_;
  std::vector<std::vector<bool>> is_in_no_row_;  // of each list
};

// The form in which a row shows a real segment value ([I4]).
[[nodiscard]] std::string shown_value(const std::string& value);

}  // namespace recmeter::support
