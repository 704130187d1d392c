#include "recmeter/window/sum_parts.h"

#include <boost/sort/spreadsort/integer_sort.hpp>

namespace recmeter {

void SumParts::sort_merged() {
  boost::sort::spreadsort::integer_sort(
      merged_.begin(), merged_.end(), [](const Part& part, unsigned shift) { return part.key >> shift; },
      [](const Part& a, const Part& b) { return a.key < b.key; });
}

}  // namespace recmeter
