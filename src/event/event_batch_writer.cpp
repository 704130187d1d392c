#include "event/event_batch_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

void EventBatchWriter::begin(std::size_t records, std::size_t bytes, std::size_t strings) {
  batch_ = EventBatch();
  batch_.records_ = records;
  batch_.events_.reserve(records);
  batch_.bytes_.reserve(bytes);
  batch_.strings_.reserve(std::max(expected_.strings, strings));
  batch_.numbers_.reserve(expected_.numbers);
}

void EventBatchWriter::take_back(const Mark& mark) {
  batch_.bytes_.shrink(mark.bytes);
  batch_.strings_.resize(mark.strings);
  batch_.numbers_.resize(mark.numbers);
}

EventBatch EventBatchWriter::finish() {
  constexpr std::size_t max = std::numeric_limits<std::uint32_t>::max();
  RECMETER_CHECK(batch_.bytes_.size() <= max && batch_.strings_.size() <= max && batch_.numbers_.size() <= max,
                 "a batch is addressed by 32 bits; sources hand over batches of a few MiB");
  expected_ = mark();
  return std::exchange(batch_, EventBatch());
}

}  // namespace recmeter
