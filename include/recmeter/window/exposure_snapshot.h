// ExposureSnapshot: ExposureFacts that own what they show, for the time between a window's end and its rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "recmeter/metric/exposure_facts.h"
#include "recmeter/metric/overlap_facts.h"

namespace recmeter {

struct ExposureSnapshot {
  std::uint64_t distinct = 0;
  std::uint64_t distinct_in_catalog = 0;
  std::vector<CountLevel> levels;
  bool items_listed = false;                  // the catalogue names its items
  std::vector<CountLevel> levels_in_catalog;  // of those items; meaningful when it does
  std::shared_ptr<const OverlapFacts> overlap;

  // A view, valid while the snapshot is.
  [[nodiscard]] ExposureFacts facts(std::uint64_t catalog_size) const {
    return {.distinct = distinct,
            .distinct_in_catalog = distinct_in_catalog,
            .catalog_size = catalog_size,
            .levels = levels,
            .levels_in_catalog = items_listed ? levels_in_catalog : levels,
            .overlap = overlap.get()};
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof(*this) + (levels.capacity() + levels_in_catalog.capacity()) * sizeof(CountLevel) +
           (overlap ? sizeof(OverlapFacts) : 0);
  }
};

}  // namespace recmeter
