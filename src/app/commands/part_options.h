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

// The option by which the log is cut, and what it says.
[[nodiscard]] inline std::string option_of(const PartOptions& options) {
  return options.part.empty() && !options.partitions.empty() ? "--partitions" : "--part";
}
[[nodiscard]] inline const std::string& text_of(const PartOptions& options) {
  return options.part.empty() ? options.partitions : options.part;
}
[[nodiscard]] inline bool is_asked_for(const PartOptions& options) {
  return !options.part.empty() || !options.partitions.empty() || !options.partials.empty() || options.is_stamped;
}
void add_part(const AddOption& add, PartOptions& options);

// Of "I/N", which is not empty. Errors, here and below: config_invalid.
[[nodiscard]] Result<Part> part_of(const std::string& option, const std::string& text);
// Requires: it is asked for.
[[nodiscard]] Result<Part> part_from(const PartOptions& options);
// Whether some metric needs what the users of all parts did.
[[nodiscard]] Result<void> check_can_be_parted(const EvaluatorPlan& plan);
[[nodiscard]] PartialHeader partial_header(const Config& config, Part part, const Merger::Range& range);

}  // namespace recmeter
