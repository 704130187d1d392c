// A row read again from its JSON, as the state keeps it.
#pragma once

#include <optional>
#include <string_view>

#include "recmeter/result/row.h"

namespace recmeter {

// Without what rows as JSON do not have (numerators). Nothing if the text is no row.
[[nodiscard]] std::optional<Row> row_from_json(std::string_view json);

}  // namespace recmeter
