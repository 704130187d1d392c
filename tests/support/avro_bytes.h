// AvroBytes: a value written by hand in Avro's binary encoding, and files of such.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter::test {

class AvroBytes {
 public:
  // Of an int, a long, an enum, the branch of a union, or how many entries a block has.
  AvroBytes& integer(std::int64_t value) {
    auto bits = (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
    for (; bits >= 0x80; bits >>= 7U) bytes_ += static_cast<char>(bits | 0x80U);
    bytes_ += static_cast<char>(bits);
    return *this;
  }
  AvroBytes& text(std::string_view value) { return integer(static_cast<std::int64_t>(value.size())).raw(value); }
  AvroBytes& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  template <class Number>
  AvroBytes& number(Number value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return raw(bytes);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Deflate without a header, as Avro's codec has it.
inline std::string raw_deflate(std::string_view content) {
  z_stream zlib{};
  deflateInit2(&zlib, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&zlib, content.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  zlib.avail_in = static_cast<uInt>(content.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  deflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

struct AvroFile {
  std::string schema;
  std::string codec = "null";
  std::string (*pack)(std::string_view) = [](std::string_view data) { return std::string(data); };
  std::string sync = "0123456789abcdef";

  [[nodiscard]] std::string header() const {
    AvroBytes bytes;
    bytes.raw(std::string_view("Obj\x01", 4)).integer(2);
    bytes.text("avro.codec").text(codec).text("avro.schema").text(schema).integer(0);
    return bytes.raw(sync).bytes();
  }
  [[nodiscard]] std::string block(std::size_t count, std::string_view data) const {
    return AvroBytes().integer(static_cast<std::int64_t>(count)).text(pack(data)).raw(sync).bytes();
  }
  [[nodiscard]] std::string of(const std::vector<std::string>& records, std::size_t a_block = 2) const {
    std::string file = header(), data;
    std::size_t count = 0;
    for (const std::string& record : records) {
      data += record;
      if (++count < a_block) continue;
      file += block(std::exchange(count, 0), std::exchange(data, {}));
    }
    return count == 0 ? file : file + block(count, data);
  }
};

}  // namespace recmeter::test
