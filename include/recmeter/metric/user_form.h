// UserForm: a value of one user, made of sums over its lists; the metric is its mean over users. [S8].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "recmeter/base/exact_sum.h"
#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

// What an experiment sums over the lists of an arm's users to have the numerator: the value is not the same sum when it is
// taken of each user.
enum class UserTotal : std::uint8_t {
  columns,    // what add() adds (metric/wide_column.h)
  lists,      // the user's lists
  is_acting,  // 1 for a user whose columns are not 0
};

struct UserForm {
  UserTotal total = UserTotal::columns;
  std::size_t columns = 0;   // that a user's lists add to
  std::size_t uncut_at = 0;  // where what they add to without `cap` begins, as wide; 0: nowhere
  // Adds a list's part. Not asked for lists on which nobody did what the metric is of.
  void (*add)(const ScoredList& list, const MetricOptions& options, std::span<std::int64_t> columns) = nullptr;
  // Of a user, in 2^-32; below 2^91.
  Int128 (*value)(std::span<const std::int64_t> columns, std::uint64_t lists) = nullptr;
};

}  // namespace recmeter
