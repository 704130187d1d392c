// RowForm: how the rows of a log are written besides what every reader recognises: what infer writes under `csv`.
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/file/container.h"

namespace recmeter {

struct RowForm {
  std::size_t skip = 0;    // lines before the header
  char delimiter = '\0';   // that the file says itself; '\0': recognised
  char escape = '\0';      // '\0': none
  char comment = '\0';     // '\0': none
  bool has_nulls = false;  // `\N` stands for no value
  friend bool operator==(const RowForm&, const RowForm&) = default;
};

[[nodiscard]] file::ContainerForm container_form(const RowForm& form);

// The form that the lines before the header tell: `sep=;` of Excel, comments. `start`: of the log, from the line of that
// number on.
[[nodiscard]] RowForm form_of_head(std::string_view start, std::size_t first_line);
// Forms to try where not all rows can be read by `form`, each alone.
[[nodiscard]] std::vector<RowForm> other_forms(const RowForm& form, std::string_view start, std::size_t first_line);

// `csv: {skip: 1, delimiter: ';'}`; "": there is nothing to say.
[[nodiscard]] std::string csv_text(const RowForm& form, bool has_header, bool has_commas);

}  // namespace recmeter
