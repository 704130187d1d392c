// Bounds on what a schema may make of a record, and on what schemas may take, whoever wrote them. [S2.41], [S2.42]
#pragma once

#include <cstddef>

namespace recmeter {

// Steps to read one record, beside one for each of its bytes. A step is a field that is read, passed over or found absent.
// A record that needs more is no value of its schema.
inline constexpr std::size_t record_steps_max = 1'000'000;

// A schema beyond these is none.
inline constexpr std::size_t schema_messages_max = 2'000;    // of Avro: types with a name
inline constexpr std::size_t schema_levels_max = 64;         // of types within types
inline constexpr std::size_t schema_parts_max = 20'000;      // Protobuf: fields, values of enums, what is reserved
inline constexpr std::size_t schema_name_bytes_max = 1'000;  // of a type, with its namespace or package
inline constexpr std::size_t schema_text_bytes_max = std::size_t{2} << 20;      // of a registry, with all that it refers to
inline constexpr std::size_t schema_program_bytes_max = std::size_t{16} << 20;  // of what is made of it

// What is kept of all schemas of a registry, as texts and as what was made of them. Beyond that what is not in use is
// forgotten, and had anew when it is used: no record's fate depends on it.
inline constexpr std::size_t schema_bytes_in_all_max = std::size_t{64} << 20;
inline constexpr std::size_t schema_texts_in_all_max = schema_bytes_in_all_max / 4;
inline constexpr std::size_t schema_programs_in_all_max = schema_bytes_in_all_max - schema_texts_in_all_max;
inline constexpr std::size_t index_lists_max = 1'024;  // of one schema: which message they mean

}  // namespace recmeter
