// unpack_avro: the data of a block of an Avro file, by the codec that the file names.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace recmeter::file {

inline constexpr std::size_t avro_block_bytes_max = std::size_t{64} << 20;

[[nodiscard]] bool is_avro_codec(std::string_view name);

// Appends the data of `stored` to `to`: at most avro_block_bytes_max bytes. False: it is damaged or larger; what was appended
// means nothing. Requires: is_avro_codec(codec).
[[nodiscard]] bool unpack_avro(std::string_view codec, std::string_view stored, std::vector<char>& to);

}  // namespace recmeter::file
