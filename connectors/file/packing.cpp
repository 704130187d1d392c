#include "file/packing.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace recmeter::file {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view gzip_signature = "\x1f\x8b"sv;
constexpr std::string_view zstd_signature = "\x28\xb5\x2f\xfd"sv;
constexpr std::string_view zstd_skippable_tail = "\x2a\x4d\x18"sv;  // after a byte 50..5F

struct Foreign {
  std::string_view signature;
  std::string_view name;
  std::string_view convert;  // before the file's name; its output is read from standard input
};

constexpr std::array foreign{
    Foreign{"\xfd"
            "7zXZ\0"sv,
            "xz", "xz -dc"},
    Foreign{"BZh"sv, "bzip2", "bzip2 -dc"},
    Foreign{"\x04\x22\x4d\x18"sv, "lz4", "lz4 -dc"},
    Foreign{"\xff\x06\x00\x00sN"sv, "framed snappy", "snzip -dc"},
    Foreign{"PK\x03\x04"sv, "zip", "unzip -p"},
    Foreign{"\x1f\x9d"sv, "compress", "uncompress -c"},
    Foreign{"PAR1"sv, "Parquet", ""},
    Foreign{"\xff\xfe"sv, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
    Foreign{"\xfe\xff"sv, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
};

bool is_zstd(std::string_view start) {
  if (start.starts_with(zstd_signature)) return true;
  return start.size() >= 4 && (static_cast<unsigned char>(start[0]) & 0xf0U) == 0x50U &&
         start.substr(1, 3) == zstd_skippable_tail;
}

std::string_view to_string(Packing packing) {
  return packing == Packing::gzip ? "gzip" : "zstd";
}

}  // namespace

Result<Packing> recognise(std::string_view start, std::string_view name) {
  if (start.starts_with(gzip_signature) || start == gzip_signature.substr(0, 1)) return Packing::gzip;
  if (is_zstd(start)) return Packing::zstd;
  // One byte is not enough here: it is a parenthesis.
  if (start.size() >= 2 && start.size() < zstd_signature.size() && zstd_signature.starts_with(start)) return Packing::zstd;
  for (const Foreign& format : foreign) {
    if (!start.starts_with(format.signature)) continue;
    if (format.convert.empty()) {
      return failure(
          Errc::input_unreadable,
          fmt::format("the input is {}, which is not read; convert it: duckdb -c \"COPY (FROM '{}') TO 'log.jsonl' "
                      "(FORMAT json)\"",
                      format.name, name));
    }
    return failure(Errc::input_unreadable,
                   fmt::format("the input is {}, which is not read; convert it: {} FILE | recmeter replay ... - : {}",
                               format.name, format.convert, name));
  }
  return Packing::plain;
}

tl::unexpected<Error> ends_early(Packing packing, std::string_view name, std::uint64_t offset) {
  return failure(Errc::input_corrupt,
                 fmt::format("the {} input ends early; was it still being written, or its copy cut off? Copy it again, or "
                             "recover what is complete: {} FILE | recmeter replay ... - : {}, byte {}",
                             to_string(packing), packing == Packing::gzip ? "gzip -dc" : "zstd -dc", name, offset));
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
