// The cells of a table for a terminal: texts that are safe to show, numbers with as many digits as they are worth.
//
// Pure functions; any thread. Widths are in terminal columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "recmeter/result/row.h"

namespace recmeter {

[[nodiscard]] std::size_t text_width(std::string_view text);

// `text` with everything escaped that a terminal would act on or not show: \n, \x1b, \u{202e}.
[[nodiscard]] std::string printable(std::string_view text);

// The beginning of `text` and an ellipsis, `width` columns at most. Requires: width > 0.
[[nodiscard]] std::string shortened(std::string text, std::size_t width);

// "variant=A surface=home", "all" for the whole. Values that would be misread are quoted.
[[nodiscard]] std::string segment_cell(const Row& row);

// Rounded down: 100% is said only when it is true.
[[nodiscard]] std::string percent_cell(double share);

// "0.7 %": two digits that tell it from nothing and from all.
[[nodiscard]] std::string share_cell(double share);

// "p 62%" for a provisional row, then a letter per reason of incompleteness; see reason_mark. That a row is truncated, or
// begins before its log, is no fault of it, and said once below the table.
[[nodiscard]] std::string note_cell(const Row& row);

// What a reason of incompleteness is shown as, and what that means. An unknown reason stands for itself, without meaning.
struct ReasonMark {
  std::string_view mark;
  std::string_view meaning;
};
[[nodiscard]] ReasonMark reason_mark(std::string_view reason);

// Digits after the point that `metric` deserves: two significant ones of half its interval, without one four of the value.
[[nodiscard]] int decimals_worth(const MetricValue& metric);
// Those with which values up to `largest` keep three digits.
[[nodiscard]] int decimals_least(double largest);
inline constexpr int decimals_max = 6;

// How an interval is shown: "[0.0239 0.0263]" or "±0.0012".
enum class IntervalStyle { bounds, half_width };

struct MetricCell {
  std::string value;     // "-" if there is none
  std::string interval;  // empty if there is none
};
// `fewer`: digits after the point that half a width has less than the value.
[[nodiscard]] MetricCell metric_cell(const MetricValue& metric, int decimals, IntervalStyle style, int fewer = 0);

}  // namespace recmeter
