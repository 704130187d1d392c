// Paired lists as a table, in Markdown or as JSON ("recmeter.lists_comparison/1"). Pure functions; any thread.
#pragma once

#include <span>
#include <string>

#include "app/compare/paired_lists.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

[[nodiscard]] std::string paired_text(std::span<const PairedLists::Pair> pairs, std::string_view control);
[[nodiscard]] std::string paired_markdown(std::span<const PairedLists::Pair> pairs, std::string_view control);
// "new against old: precision@5 +6.5 % (−20 to +42), not decided", with whether it is better where one look decides.
[[nodiscard]] std::string paired_sentence(const PairedLists::Pair& pair, std::string_view control, Better better);
// A line for each pair.
[[nodiscard]] std::string paired_json(std::span<const PairedLists::Pair> pairs, std::string_view control);

}  // namespace recmeter
