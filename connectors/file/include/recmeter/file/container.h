// Container: how a file holds its records, packing apart. [I3.22].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/event/record_batch.h"

namespace recmeter::file {

enum class Container : std::uint8_t {
  lines,  // a record each
  rows,   // of delimited text: CSV by RFC 4180, whose rows may have line ends within quotes, and TSV
  array,  // of JSON values, which may stand within a document
  avro,   // an Avro object container file
};

// What is said of it; nothing is recognised.
struct ContainerForm {
  std::optional<Container> container = std::nullopt;
  std::optional<char> delimiter = std::nullopt;  // rows; nothing: recognised
  std::optional<char> quote = std::nullopt;      // rows; '\0': none; nothing: `"`
  bool has_header = true;                        // rows: whether the first is the names of the columns
  std::vector<std::string> records = {};         // array: the keys that lead to it from the root of the document
};

// What a file's beginning is in: Avro by its magic, an array by `[`, else a document where it begins with an object that goes
// on in the next line, lines where it begins with another, and rows where one delimiter cuts most lines into the same number
// of columns, two or more. `start`: unpacked.
[[nodiscard]] Container recognise_container(std::string_view start);

// The delimiter of `,`, `;`, tab and `|` that cuts most of the lines into the same number of columns, the first line among
// them, and the largest; nothing where none cuts most of them.
[[nodiscard]] std::optional<char> recognise_delimiter(std::string_view start, char quote);

// How many unpacked bytes are looked at.
inline constexpr std::size_t container_bytes = std::size_t{64} << 10;

}  // namespace recmeter::file
