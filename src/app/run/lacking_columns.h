// Columns that an input's shape reads and a header does not have: a misspelt name, or a log of another kind.
#pragma once

#include <string>
#include <vector>

#include "recmeter/event/shape.h"

namespace recmeter {

// Names that a configuration gave, in the order of their fields. Not among them: our own names of fields, which each input
// reads where nothing else is said; `$3`; a part of `first` where another one is there; what is asked only whether it is
// there. Where a condition of a rule lacks its column, that alone is told of the rule.
[[nodiscard]] std::vector<std::string> lacking_columns(const Shape& shape, const std::vector<std::string>& columns);

// "shown.csv has no column `visitorx`, which the configuration reads; its columns are `shown_at`, `visitor`"; "" without any.
[[nodiscard]] std::string lacking_sentence(const std::string& file, const Shape& shape,
                                           const std::vector<std::string>& columns);

}  // namespace recmeter
