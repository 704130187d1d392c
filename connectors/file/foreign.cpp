#include "file/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "recmeter/base/utf8.h"

namespace recmeter::file {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  Foreign foreign;
  std::size_t at = 0;
  bool is_binary = false;  // letters of a text may be the same: a byte that no text has must be among the first
};

constexpr Foreign utf16{"UTF-16", "convert it: iconv -f UTF-16 -t UTF-8 FILE | recmeter replay ... -"};
constexpr Foreign workbook{"an Excel workbook",
                           "save the sheet as CSV UTF-8, or convert it: libreoffice --headless --convert-to csv FILE"};
constexpr Foreign orc{
    "ORC",
    "convert it: python3 -c \"import pandas; pandas.read_orc('FILE').to_json('log.jsonl', orient='records', lines=True)\""};
constexpr Foreign arrow{"an Arrow file",
                        "convert it: python3 -c \"import pandas; pandas.read_feather('FILE').to_json('log.jsonl', "
                        "orient='records', lines=True)\""};

constexpr std::array signatures{
    Signature{"\xfd"
              "7zXZ\0"sv,
              {"xz", "convert it: xz -dc FILE | recmeter replay ... -"}},
    Signature{"BZh"sv, {"bzip2", "convert it: bzip2 -dc FILE | recmeter replay ... -"}},
    Signature{"\x04\x22\x4d\x18"sv, {"lz4", "convert it: lz4 -dc FILE | recmeter replay ... -"}},
    Signature{"\xff\x06\x00\x00sN"sv, {"framed snappy", "convert it: snzip -dc FILE | recmeter replay ... -"}},
    Signature{"PK\x03\x04"sv, {"zip", "convert it: unzip -p FILE | recmeter replay ... -"}},
    Signature{"\x1f\x9d"sv, {"compress", "convert it: uncompress -c FILE | recmeter replay ... -"}},
    Signature{"ustar"sv,
              {"a tar archive", "take its files out: tar -xf FILE, or tar -xOf FILE | recmeter replay ... -"},
              257,
              true},
    Signature{"PAR1"sv, {"Parquet", "convert it: duckdb -c \"COPY (FROM 'FILE') TO 'log.jsonl' (FORMAT json)\""}},
    Signature{"ORC"sv, orc, 0, true},
    Signature{"ARROW1"sv, arrow},
    Signature{"FEA1"sv, arrow, 0, true},
    Signature{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, workbook},
    Signature{"\xff\xfe"sv, utf16},
    Signature{"\xfe\xff"sv, utf16},
    Signature{"version https://git-lfs.github.com/spec/"sv,
              {"a pointer of Git LFS, not the file itself", "fetch the file: git lfs pull"}},
};

bool is_binary(std::string_view start) {
  return std::ranges::any_of(start, [](char c) { return static_cast<unsigned char>(c) < '\t'; });
}

// The first names in the archive are those of Office.
bool is_workbook(std::string_view start) {
  constexpr std::size_t name_at = 30;
  if (!start.starts_with("PK\x03\x04"sv) || start.size() < name_at) return false;
  const std::string_view name = start.substr(name_at);
  return name.starts_with("[Content_Types].xml") || name.starts_with("_rels/") || name.starts_with("xl/") ||
         name.starts_with("docProps/");
}

// The flags of the frame's first byte behind the signature.
bool needs_dictionary(std::string_view start) {
  return start.size() > 4 && start.starts_with("\x28\xb5\x2f\xfd"sv) && (static_cast<unsigned char>(start[4]) & 3U) != 0;
}

bool is_html(std::string_view start) {
  start.remove_prefix(std::min(start.find_first_not_of("\xef\xbb\xbf \t\r\n"), start.size()));
  const auto begins_with = [start](std::string_view tag) {
    return start.size() >= tag.size() && std::ranges::equal(start.substr(0, tag.size()), tag, [](char given, char lower) {
             return (given >= 'A' && given <= 'Z' ? static_cast<char>(given - 'A' + 'a') : given) == lower;
           });
  };
  return begins_with("<!doctype html") || begins_with("<html");
}

// ASCII in UTF-16 without a byte-order mark: every second byte is zero. `zeros_at`: 1 where the low byte comes first.
bool is_wide(std::string_view start, std::size_t zeros_at) {
  constexpr std::size_t looked_at = 6;
  if (start.size() < looked_at) return false;
  for (std::size_t i = 0; i < looked_at; ++i) {
    if ((start[i] == '\0') != (i % 2 == zeros_at)) return false;
  }
  return true;
}

}  // namespace

std::optional<Foreign> foreign_of(std::string_view start) {
  start = start.substr(0, foreign_bytes);
  if (is_workbook(start)) return workbook;
  if (needs_dictionary(start)) {
    return Foreign{"zstd with a dictionary", "convert it: zstd -dc -D DICTIONARY FILE | recmeter replay ... -"};
  }
  for (const Signature& signature : signatures) {
    if (start.size() < signature.at || !start.substr(signature.at).starts_with(signature.bytes)) continue;
    if (!signature.is_binary || is_binary(start)) return signature.foreign;
  }
  if (is_html(start)) {
    return Foreign{"a page of HTML",
                   "it may be what a server says in the place of the log: look at it, and fetch the log again"};
  }
  if (is_wide(start, 1)) {
    return Foreign{"UTF-16 without a mark", "convert it: iconv -f UTF-16LE -t UTF-8 FILE | recmeter replay ... -"};
  }
  if (is_wide(start, 0)) {
    return Foreign{"UTF-16 without a mark", "convert it: iconv -f UTF-16BE -t UTF-8 FILE | recmeter replay ... -"};
  }
  return std::nullopt;
}

std::optional<Foreign> encoding_of(std::string_view start) {
  if (is_binary(start)) return std::nullopt;  // no text in any encoding
  std::size_t lines = 0, foreign = 0;
  for (std::size_t end = start.find('\n'); end != std::string_view::npos; end = start.find('\n')) {
    ++lines;
    foreign += is_utf8(start.substr(0, end)) ? 0U : 1U;
    start.remove_prefix(end + 1);
  }
  if (2 * foreign <= lines) return std::nullopt;
  return Foreign{"not UTF-8 and may be Latin-1, as older programs write",
                 "convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE | recmeter replay ... -"};
}

Error foreign_error(const Foreign& foreign, std::string_view unpacker, std::string_view name) {
  std::string remedy(foreign.remedy);
  const std::size_t at = remedy.find("FILE");
  if (!unpacker.empty() && at != std::string::npos) remedy.replace(at, 4, fmt::format("<({} FILE)", unpacker));
  return {Errc::input_unreadable, fmt::format("the input{} is {}, which is not read; {}: {}",
                                              unpacker.empty() ? "" : ", unpacked,", foreign.name, remedy, name)};
}

}  // namespace recmeter::file
