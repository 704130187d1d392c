// FileFacts: what is counted of each input, whatever the sample. Values.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/event/duplicate_reason.h"
#include "recmeter/event/invalid_sample.h"

namespace recmeter::doctor {

// How often an id looks as none should.
struct IdCounts {
  std::uint64_t seen = 0;
  std::uint64_t spoilt = 0;   // numbers that went through a column of fractions
  std::string example;        // of them
  std::uint64_t rounded = 0;  // beyond 2^53, and as a double prints them
  std::string rounded_example;
  std::map<std::string, std::uint64_t> placeholders;
};

struct FileFacts {
  static constexpr std::size_t samples_max = 64;  // for each reason
  // Times are whole multiples of these; coarser ones imply finer ones.
  static constexpr std::array<std::int64_t, 4> grains{1000, one_minute.ms, one_hour.ms, one_day.ms};

  std::uint64_t events = 0;
  std::uint64_t lists = 0;  // impressions, whole or rows
  std::uint64_t rows = 0;
  std::uint64_t first_rows = 0;  // of position 1
  std::uint64_t feedback = 0;
  std::uint64_t ignored = 0;
  std::uint64_t late = 0;
  std::array<std::uint64_t, duplicate_reason_count> duplicates{};
  std::array<std::uint64_t, invalid_reason_count> invalid{};
  std::array<std::vector<InvalidSample>, invalid_reason_count> samples;  // without their records
  std::array<std::uint64_t, grains.size()> of_grain{};

  [[nodiscard]] std::uint64_t all_invalid() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : invalid) sum += count;
    return sum;
  }
};

struct HourCount {
  std::uint64_t lists = 0;
  std::uint64_t feedback = 0;
};
using Hours = std::map<std::int64_t, HourCount>;  // hours since the epoch; event times span less than 2 million of them

}  // namespace recmeter::doctor
