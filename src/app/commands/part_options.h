// The options of `replay` by which it evaluates a part of a log, and what a part cannot be of. [S11].
#pragma once

#include <string>

#include "app/commands/add_option.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/part.h"
#include "recmeter/evaluation/partial_header.h"

namespace recmeter {

struct PartOptions {
  std::string part;         // "I/N", of the users; "": the whole log
  std::string partitions;   // "I/N", of the partitions of topics; "": all
  std::string partials;     // a file
  bool is_stamped = false;  // the inputs are lines of recmeter stamp
};

[[nodiscard]] inline bool is_asked_for(const PartOptions& options) {
  return !options.part.empty() || !options.partitions.empty() || !options.partials.empty() || options.is_stamped;
}
void add_part(const AddOption& add, PartOptions& options);

// Requires: it is asked for. Errors, here and below: config_invalid.
[[nodiscard]] Result<Part> part_of(const std::string& option, const std::string& text);  // of "I/N", not empty
[[nodiscard]] Result<Part> part_from(const PartOptions& options);
// Whether some metric needs what the users of all parts did.
[[nodiscard]] Result<void> check_can_be_parted(const EvaluatorPlan& plan);
[[nodiscard]] PartialHeader partial_header(const Config& config, Part part, const Merger::Range& range);

}  // namespace recmeter
