// A list within a text, as programs write one: {a,b,c} of Postgres, ['a', 'b'] of Python, ['a' 'b'] of numpy, [a, b] of
// Athena, List(a, b) of Scala, "a, b" of Kibana. [I3.28].
//
// Brackets around the list, a name before them and quotes around it or its entries are taken off, and so are blanks around
// entries. Thread safety: pure.
#pragma once

#include <string_view>
#include <vector>

#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"

namespace recmeter {

// Appends the entries that `separator` stands between, each a text, or null where a bracketed list says that there is none.
// A blank `separator` stands for blanks of any number and kind. Entries refer to `text`, or to `arena` where a quote within
// one was escaped. False: a bracket or a quote is not closed, an entry is a list itself, or entries are left out (...);
// `entries` are then unspecified.
[[nodiscard]] bool append_written_list(std::string_view text, std::string_view separator, RecordArena& arena,
                                       std::vector<FieldValue>& entries);

}  // namespace recmeter
