// ComparisonTable: cells in columns, for a terminal or for a page in Markdown. A plain value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/experiment/comparison.h"

namespace recmeter {

struct ComparisonTable {
  std::vector<std::vector<std::string>> rows;  // the first are the names of the columns; all are as long

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string markdown() const;
};

// "+2.4 %" of a share, else "+0.0012".
[[nodiscard]] std::string signed_text(double value, bool is_share);
// "-0.7 % to +5.6 %"; none: it is too wide to say. The minus is that of typesetting.
[[nodiscard]] std::string range_text(const std::optional<Interval>& range, bool is_share, std::string_view between = "to");
// A difference with two significant digits.
[[nodiscard]] std::string rough_range_text(const Interval& range, std::string_view between);
// Four significant digits; none: no list has a value.
[[nodiscard]] std::string value_text(std::optional<double> value);
// "0.034"; "< 0.001" below that.
[[nodiscard]] std::string p_text(double p);
// Says where a table has several differences that some of them come about by chance; "": it has one.
[[nodiscard]] std::string many_text(std::size_t differences);

}  // namespace recmeter
