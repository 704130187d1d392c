// Packing: what an input's first bytes say it is packed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "file/byte_stream.h"
#include "file/stored_file.h"

namespace recmeter::file {

enum class Packing : std::uint8_t { plain, gzip, zstd };

// How many first bytes decide; a pipe is not waited for longer.
inline constexpr std::size_t packing_bytes = 6;

// `start`: the first packing_bytes of the input or more, fewer if it is shorter. A whole input that is only the beginning of
// a signature is taken for the packing, so that it is reported as cut off. Fails on formats that are known and not read, with
// the command that converts them.
[[nodiscard]] Result<Packing> recognise(std::string_view start, std::string_view name);

// "gzip -dc"; "": nothing is packed.
[[nodiscard]] std::string_view unpacker_of(Packing packing);

// The end of a packed input came too soon. `offset`: in its stored form.
[[nodiscard]] tl::unexpected<Error> ends_early(Packing packing, std::string_view name, std::uint64_t offset);
// A packed input is damaged, or something else follows it. `cause`: what the unpacker says.
[[nodiscard]] tl::unexpected<Error> is_damaged(Packing packing, std::string_view cause, std::string_view name,
                                               std::uint64_t offset);
[[nodiscard]] tl::unexpected<Error> is_followed(Packing packing, std::string_view name, std::uint64_t offset);

}  // namespace recmeter::file
