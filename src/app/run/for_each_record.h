// Every record of a file by itself. Thread safety: as its source.
#pragma once

#include <fmt/format.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "recmeter/port/record_source.h"

namespace recmeter {

// take(record) says what is wrong with one. Returns how many there are. Errors have the file and the number of the record,
// with what a record is called.
template <class Take>
[[nodiscard]] Result<std::uint64_t> for_each_record(RecordSource& source, std::string_view noun,
                                                    const std::atomic<bool>& stop, const Take& take) {
  constexpr std::size_t block_bytes = std::size_t{1} << 20;
  std::uint64_t records = 0;
  RecordBatch batch;
  while (!batch.last) {
    if (stop) return failure(Errc::interrupted, "interrupted; nothing was written");
    auto read = source.read(block_bytes, std::move(batch));
    if (!read) return tl::unexpected(std::move(read).error());
    batch = std::move(*read);
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
      ++records;
      auto taken = take(batch.record(i));
      if (!taken) {
        return failure(taken.error().code, fmt::format("{}, {} {}: {}", source.name(), noun, records, taken.error().context));
      }
    }
  }
  return records;
}

}  // namespace recmeter
