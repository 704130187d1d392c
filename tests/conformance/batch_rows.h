// Rows as JSON lines in the layout of [I4], by a writer of the batch evaluator's own.
#pragma once

#include <string>

#include "recmeter/result/report.h"
#include "recmeter/result/row.h"

namespace recmeter::conformance {

// Without the newline.
[[nodiscard]] std::string row_line(const Row& row);

// The counts of the report, one JSON object over few lines, for the eye and for scripts.
[[nodiscard]] std::string report_text(const Report& report);

}  // namespace recmeter::conformance
