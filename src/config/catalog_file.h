// The catalogue of items, read whole from a file. [S8].
//
// One item a line: its id as it stands, or, when the first line that is not blank begins with `{`, a JSON object with
// `item_id`. An id as it stands has no blanks or control characters and none of " ' ` , ; < > ( ) [ ] { } |, so that a file
// of another kind is not taken for ids; that of an object may be any text. Every other member with a string, number or
// boolean is an attribute `name=value` of the item, and an array of these is one for each; null, nested objects or arrays,
// and numbers that are not finite are none, and 1 and "1" are one value. Numbers are read as those of events: [S2.19]. Blank
// lines, a byte-order mark and CR at the end of a line are skipped. Every id occurs once, is valid UTF-8 and has 1 to
// `id_bytes_max` bytes. Memory: the ids, and 4 bytes for each attribute of each item. Errors: input_missing,
// input_unreadable; config_invalid for what stands in the file, with the line. `item_group`: the attribute by whose values
// items are divided; "": they are not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/window/catalog.h"

namespace recmeter {

[[nodiscard]] Result<Catalog> load_catalog(const std::string& path, std::size_t id_bytes_max,
                                           const std::string& item_group = {});

// The same for a text; `name` is what errors call it.
[[nodiscard]] Result<Catalog> parse_catalog(std::string_view text, const std::string& name, std::size_t id_bytes_max,
                                            const std::string& item_group = {});

}  // namespace recmeter
