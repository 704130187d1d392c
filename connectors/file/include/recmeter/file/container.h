// Container: how a file holds its records, packing apart. [I3.22].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/event/record_batch.h"

namespace recmeter::file {

enum class Container : std::uint8_t {
  lines,    // a record each
  rows,     // of delimited text: CSV by RFC 4180, whose rows may have line ends within quotes, and TSV
  array,    // of JSON values, which may stand within a document
  objects,  // of JSON, one behind the other, in a line or over several
  avro,     // an Avro object container file
};

// What is said of it; nothing is recognised.
struct ContainerForm {
  std::optional<Container> container = std::nullopt;
  std::optional<char> delimiter = std::nullopt;  // rows; nothing: recognised
  std::optional<char> quote = std::nullopt;      // rows; '\0': none; nothing: `"`
  char escape = '\0';                            // rows: makes the next character literal; '\0': none does
  char comment = '\0';                           // rows: a line that begins with it is none; '\0': none is
  std::size_t skip = 0;                          // rows: lines at the beginning that are none
  bool has_header = true;                        // rows: whether the first is the names of the columns
  std::vector<std::string> records = {};         // array: the keys that lead to it from the root of the document
};

// A container with what speaks for it.
struct FoundContainer {
  Container container = Container::lines;
  std::optional<char> delimiter = std::nullopt;  // of rows
  std::vector<std::string> columns = {};         // of rows: their names in the header; empty: none, or it was not looked at
  std::string why = {};                          // "97 of its first 100 lines are JSON objects"; empty where it was said
};

// The container that most of the first 100 records fit, as far as they stand in the first container_bytes: Avro by
// its magic; an array where a path of `said` leads to it; objects where most lines have several, or one that goes on in the
// next line has another behind it; lines that are JSON objects; an array by its bracket and what follows, a document by an
// object that goes on in the next line; rows by a delimiter that cuts lines into the same number of columns. A single line
// that is cut, empty or foreign decides nothing. Where the name ends in .tsv, tabs are looked for first; where nothing fits,
// the name says what it is, else they are lines. Lines that are said to be skipped and comments are not looked at. `start`:
// unpacked, at most container_bytes, all of it where it is shorter. `name`: of the file, with what it is packed in; "": it
// has none.
[[nodiscard]] FoundContainer recognise_container(std::string_view start, std::string_view name, const ContainerForm& said);

// "JSON lines", "a JSON array", "CSV with `;`".
[[nodiscard]] std::string format_text(const FoundContainer& found);

// The delimiter of `,`, `;`, tab and `|` that cuts most of the lines into the same number of columns, the first line among
// them, and the largest; nothing where none cuts most of them. But for tabs, JSON is not cut.
[[nodiscard]] std::optional<char> recognise_delimiter(std::string_view start, const ContainerForm& said);

// The first line of rows that is not blank, as it stands; "" where it does not end in `start`.
[[nodiscard]] std::string_view header_of(std::string_view start, const ContainerForm& said);

// How many unpacked bytes are looked at.
inline constexpr std::size_t container_bytes = std::size_t{64} << 10;

}  // namespace recmeter::file
