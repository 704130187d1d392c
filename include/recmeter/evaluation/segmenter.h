// Segmenter: a list's segment values as labels, small numbers, one per configured combination. Thread safety: none; one per
// shard.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/window/segment_spec.h"
#include "recmeter/window/segment_values.h"

namespace recmeter {

class Segmenter {
 public:
  // `segments` outlive the segmenter.
  explicit Segmenter(std::span<const SegmentSpec> segments);

  // Label of a list in no row of the combination: a candidate that stands in no list's place and carries none of its keys.
  // [S13.14]
  static constexpr std::uint32_t in_no_row = ~std::uint32_t{0};

  // labels.size() == combinations.
  void label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels);
  [[nodiscard]] SegmentValues values(std::size_t combination, std::uint32_t label) const;
  // Forgets labels last given before `time`; true when there were any.
  bool forget_before(EventTime time);

 private:
  std::span<const SegmentSpec> segments_;
  std::vector<Interner> interners_;  // of packed values, per combination
  std::string packed_;
};

}  // namespace recmeter
