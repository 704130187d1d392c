#include "file/packing.h"

#include <fmt/format.h>

#include <string>

#include "file/foreign.h"

namespace recmeter::file {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view gzip_signature = "\x1f\x8b"sv;
constexpr std::string_view zstd_signature = "\x28\xb5\x2f\xfd"sv;
constexpr std::string_view zstd_skippable_tail = "\x2a\x4d\x18"sv;  // after a byte 50..5F

bool is_zstd(std::string_view start) {
  if (start.starts_with(zstd_signature)) return true;
  return start.size() >= 4 && (static_cast<unsigned char>(start[0]) & 0xf0U) == 0x50U &&
         start.substr(1, 3) == zstd_skippable_tail;
}

std::string_view to_string(Packing packing) {
  return packing == Packing::gzip ? "gzip" : "zstd";
}

}  // namespace

std::string_view unpacker_of(Packing packing) {
  return packing == Packing::plain ? "" : packing == Packing::gzip ? "gzip -dc" : "zstd -dc";
}

Result<Packing> recognise(std::string_view start, std::string_view name) {
  if (const auto foreign = foreign_of(start)) return tl::unexpected(foreign_error(*foreign, "", name));
  if (start.starts_with(gzip_signature) || start == gzip_signature.substr(0, 1)) return Packing::gzip;
  if (is_zstd(start)) return Packing::zstd;
  // One byte is not enough here: it is a parenthesis.
  if (start.size() >= 2 && start.size() < zstd_signature.size() && zstd_signature.starts_with(start)) return Packing::zstd;
  return Packing::plain;
}

tl::unexpected<Error> ends_early(Packing packing, std::string_view name, std::uint64_t offset) {
  return failure(Errc::input_corrupt,
                 fmt::format("the {} input ends early; was it still being written, or its copy cut off? Copy it again, or "
                             "recover what is complete: {} FILE | recmeter replay ... - : {}, byte {}",
                             to_string(packing), unpacker_of(packing), name, offset));
}

tl::unexpected<Error> is_damaged(Packing packing, std::string_view cause, std::string_view name, std::uint64_t offset) {
  return failure(Errc::input_corrupt, fmt::format("the {0} input is damaged ({1}); copy it again and check it ({0} -t): {2}, "
                                                  "byte {3}",
                                                  to_string(packing), cause, name, offset));
}

tl::unexpected<Error> is_followed(Packing packing, std::string_view name, std::uint64_t offset) {
  return failure(Errc::input_corrupt, fmt::format("data that is not {0} follows the {0} input; was an uncompressed file "
                                                  "appended to it? Pass such files one by one: {1}, byte {2}",
                                                  to_string(packing), name, offset));
}

}  // namespace recmeter::file
