// A source read to its end, every batch checked against the invariants of RecordBatch.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/port/record_source.h"

namespace recmeter::test {

inline constexpr std::size_t roomy = std::size_t{1} << 20;

struct Reading {
  std::vector<std::string> records;
  std::string error;
  std::size_t buffer_bytes_max = 0;
};

inline void check_batch(const RecordBatch& batch) {
  for (std::size_t i = 0; i < batch.records.size(); ++i) {
    const Record& record = batch.records[i];
    ASSERT_LE(record.offset + record.size + RecordBatch::padding, batch.bytes.size()) << "invariant (1)";
    const std::string_view text = batch.record(i);
    ASSERT_EQ(text.find('\n'), std::string_view::npos) << "invariant (2)";
  }
  ASSERT_TRUE(batch.last || !batch.records.empty()) << "a batch holds a record unless the partition has ended";
}

// Reads to the end, giving buffers back; suspends before every read if asked to.
inline Reading read_all(RecordSource& source, std::size_t block, bool suspend_always) {
  Reading reading;
  RecordBatch batch;
  std::uint64_t bytes_read = 0;
  do {
    if (suspend_always) source.suspend();
    auto next = source.read(block, std::move(batch));
    if (!next) {
      reading.error = next.error().context;
      return reading;
    }
    batch = std::move(*next);
    check_batch(batch);
    if (::testing::Test::HasFatalFailure()) return reading;
    for (std::size_t i = 0; i < batch.records.size(); ++i) reading.records.emplace_back(batch.record(i));
    reading.buffer_bytes_max = std::max(reading.buffer_bytes_max, batch.bytes.capacity());
    EXPECT_GE(source.bytes_read(), bytes_read) << "progress never goes back";
    bytes_read = source.bytes_read();
  } while (!batch.last);
  return reading;
}

}  // namespace recmeter::test
