// The name a person most likely meant, for unknown keys and values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter::config {

// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `names` to `written`: equal but for case, `-` and `_`; else within a third of its length; else one that
// begins with it. The first of equally near ones. nullopt when none is near.
[[nodiscard]] std::optional<std::string> nearest(std::string_view written, std::span<const std::string_view> names);

// "did you mean `click`?"; "" where none is near.
[[nodiscard]] std::string name_question(std::string_view written, std::span<const std::string_view> names);

// The question, else what there is: "write `click` or `order`".
[[nodiscard]] std::string question_or_choices(std::string_view written, std::span<const std::string_view> names);

// "`a`, `b` or `c`"
[[nodiscard]] std::string one_of(std::span<const std::string_view> names);

}  // namespace recmeter::config
