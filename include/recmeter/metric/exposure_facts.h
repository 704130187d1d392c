// ExposureFacts: what was shown in the top k of a window's lists, or shown with a score, as the metrics of family exposure
// see it. [S8].
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

// What of exposure is kept only for the metrics that ask for it. Distinct items always are.
struct ExposureParts {
  bool counts = false;   // how many lists showed each item
  bool overlap = false;  // how alike the lists of different users are
};

// So many items were shown by so many lists each.
struct CountLevel {
  std::uint64_t lists;
  std::uint64_t items;
};

struct OverlapFacts;  // metric/overlap_facts.h

struct ExposureFacts {
  std::uint64_t distinct = 0;             // items
  std::uint64_t distinct_in_catalog = 0;  // those of them in the catalogue; equal to `distinct` when it is a mere size
  std::uint64_t catalog_size = 0;         // 0: none configured
  // ExposureParts::counts: levels ascending, of all items shown and of those in the catalogue; sums of lists x items.
  std::span<const CountLevel> levels = {};
  std::span<const CountLevel> levels_in_catalog = {};
  const OverlapFacts* overlap = nullptr;  // ExposureParts::overlap
};

// Facts have no interval; what is an estimate over users has one.
struct ExposureValue {
  std::optional<double> value = {};
  std::optional<double> se = {};
  std::optional<std::pair<double, double>> ci = {};
};

}  // namespace recmeter
