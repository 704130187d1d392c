// StartForm: how the starts of a table's rows are written: as much of date and time as tells them apart.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "recmeter/result/row.h"

namespace recmeter {

struct StartForm {
  bool one_day = true;   // the date stands in the title
  bool alone = true;     // no other start: parts of a second tell nothing
  bool midnight = true;  // dates alone will do
  bool seconds = false;
  bool milliseconds = false;

  [[nodiscard]] std::string text(EventTime start) const;
};

// The form of the rows of these numbers. Requires: there is one.
[[nodiscard]] StartForm start_form(std::span<const Row> all, std::span<const std::size_t> rows);

}  // namespace recmeter
