// Rows of a mean made of a test's own sums by user group.
#pragma once

#include <memory>

#include "recmeter/attribution/mean_row.h"
#include "support/batch_interval.h"

namespace recmeter::support {

inline MeanRow mean_row_of(const GroupSums& sums) {
  auto out = std::make_shared<recmeter::GroupSums>();
  for (std::size_t g = 0; g < user_groups; ++g) {
    out->value[g] = sums[g].sum;
    out->lists[g] = sums[g].lists;
    out->evidence[g] = sums[g].evidence;
  }
  return {mean_facts(*out), out};
}

}  // namespace recmeter::support
