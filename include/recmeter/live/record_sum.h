// RecordSum: how many records of a store there are of some sort, and the sum of their hashes, so that one that is missing or
// another is noticed. Records come one by one, in any order. A value.
#pragma once

#include <cstdint>
#include <string_view>

#include "recmeter/base/byte_code.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

struct RecordSum {
  std::uint64_t records = 0;
  std::uint64_t sum = 0;  // of the hashes of keys and values, modulo 2^64

  void add(std::string_view key, std::string_view value) {
    ByteWriter whole;
    whole.add_fixed(hash_id(key));
    whole.add_fixed(hash_id(value));
    sum += hash_id(whole.bytes());
    ++records;
  }
  RecordSum& operator+=(const RecordSum& other) {
    records += other.records;
    sum += other.sum;
    return *this;
  }
  RecordSum& operator-=(const RecordSum& other) {
    records -= other.records;
    sum -= other.sum;
    return *this;
  }
  void write(ByteWriter& to) const {
    to.add(records);
    to.add_fixed(sum);
  }
  [[nodiscard]] static RecordSum read(ByteReader& from) {
    const std::uint64_t records = from.number();
    return {.records = records, .sum = from.fixed()};
  }
  friend bool operator==(const RecordSum&, const RecordSum&) = default;
};

}  // namespace recmeter
