// Two answers to one question, held against each other: the first difference as a sentence, or nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "recmeter/result/report.h"
#include "recmeter/result/row.h"

namespace recmeter::support {

// Identity, order, stage, counts, flags and the presence of every value must be equal; values may differ by `tolerance`,
// absolutely, or relatively where they are larger than 1.
[[nodiscard]] std::optional<std::string> first_difference(std::span<const Row> expected, std::span<const Row> actual,
                                                          double tolerance);

// The accounting: records, fates per partition and in total, reasons, outcomes, lists, rows; not speed, not disorder.
[[nodiscard]] std::optional<std::string> first_difference(const Report& expected, const Report& actual);

// Nothing when [S9] holds at the end of a bounded run; else the identity that does not.
[[nodiscard]] std::optional<std::string> broken_identity(const Report& report);

// "minute 1700000040000 +60000 h=1800000 {variant=A} final": which row is meant.
[[nodiscard]] std::string row_name(const Row& row);

}  // namespace recmeter::support
