// A row read again from its JSON. Any thread.
#pragma once

#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/result/row.h"

namespace recmeter {

// Without what rows as JSON do not have (numerators). Errors: input_corrupt: no JSON, or no row; cause and remedy, the place
// is the caller's to say.
[[nodiscard]] Result<Row> read_row(std::string_view json);

}  // namespace recmeter
