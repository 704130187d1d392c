// Paired lists as a table, in Markdown or as JSON ("recmeter.lists_comparison/1"). Pure functions; any thread.
#pragma once

#include <span>
#include <string>

#include "app/compare/paired_lists.h"

namespace recmeter {

[[nodiscard]] std::string paired_text(std::span<const PairedLists::Pair> pairs, std::string_view control);
[[nodiscard]] std::string paired_markdown(std::span<const PairedLists::Pair> pairs, std::string_view control);
// A line for each pair.
[[nodiscard]] std::string paired_json(std::span<const PairedLists::Pair> pairs, std::string_view control);

}  // namespace recmeter
