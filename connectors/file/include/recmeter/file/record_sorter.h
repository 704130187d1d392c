// RecordSorter: partitions' records in the order of keys that the caller gives them; equal keys keep the order they came in.
//
// An external merge sort: records are collected up to the memory given and written as a sorted run to a temporary file, and
// the runs are merged while they are read. Where one source reads alone and its records fit, they stay in memory. The file
// has no name, so that it is gone when the program is, however that ends; it takes the room of the unpacked records and 32
// bytes for each. Records are kept byte for byte, with their broker times. Where more runs come together than can be merged
// within the memory, they become one.
//
// Thread safety: one thread; afterwards the sources, each as RecordSource. Errors: output_failed, with the remedy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/event/record_batch.h"
#include "recmeter/file/sort_space.h"
#include "recmeter/port/record_source.h"

namespace recmeter::file {

class RecordSorter {
 public:
  // `sources_max`: how many of its sources are read at the same time, and share the memory then.
  [[nodiscard]] static Result<std::unique_ptr<RecordSorter>> create(const SortSpace& space, std::size_t sources_max);
  RecordSorter(const RecordSorter&) = delete;
  RecordSorter& operator=(const RecordSorter&) = delete;
  ~RecordSorter();

  // The next records of a partition, with a key for each.
  [[nodiscard]] Result<void> add(const RecordBatch& batch, std::span<const EventTime> keys);
  // Or one that is all in its bytes.
  [[nodiscard]] Result<void> add(std::string_view record, EventTime key);
  // All records were added: a source of them in order, which goes by the name of `of`. The next partition may begin.
  [[nodiscard]] Result<std::unique_ptr<RecordSource>> finish(const RecordSource& of);
  // What was added since the last finish() is forgotten.
  void drop();

 private:
  class Impl;
  explicit RecordSorter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter::file
