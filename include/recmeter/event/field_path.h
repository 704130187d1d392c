// FieldPath: the way from a record, or from an entry of one of its lists, to a value. [I3.17].
//
// As text: names joined by dots, `a.b`; `a[0]` an entry of a list; `a[key=x]` its first entry that is an object whose `key`
// is x; `a:json` what the text at `a` is, read as JSON. A backslash before `.`, `[`, `:` or itself makes it part of a name.
// The name `$3` is the third column of a row, or part of a split entry. A step that meets anything but what it leads through
// leads nowhere: the value is absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

struct PathStep {
  enum class Kind : std::uint8_t { name, index, match, json };

  Kind kind = Kind::name;
  std::string name = {};   // name; match: the key
  std::string value = {};  // match: as text
  std::size_t index = 0;   // index: from 0; name: where the member stands in what a reader makes (WantedFields)
  bool is_placed = false;  // name: it stands there in every object that a reader makes
  friend bool operator==(const PathStep&, const PathStep&) = default;
};
using FieldPath = std::vector<PathStep>;

inline constexpr std::size_t path_steps_max = 16;

// Nothing when the text is no path: an empty name, a bracket that does not close, more than path_steps_max steps.
[[nodiscard]] std::optional<FieldPath> parse_path(std::string_view text);
// What parse_path() reads as this path.
[[nodiscard]] std::string path_text(const FieldPath& path);
[[nodiscard]] FieldPath path_of_names(const std::vector<std::string>& names);

}  // namespace recmeter
