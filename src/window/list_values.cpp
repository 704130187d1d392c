#include "recmeter/window/list_values.h"

#include <algorithm>

namespace recmeter {

void ListValues::clear() {
  std::fill(user_columns_.begin(), user_columns_.end(), 0);
  for (const ColumnRange& range : ranges_) std::fill(&columns_[range.first], columns_.data() + range.end, 0);
  ranges_.clear();
}

void ListValues::assign(const MetricPlan& plan, const ScoredList& list) {
  nonempty_ = list.length > 0;
  buckets_.clear();
  plan.add_buckets(list, buckets_);
  for_user_ = plan.needs_users();
  if (for_user_) {
    user_columns_.assign(plan.user_columns(), 0);
    plan.add_user_values(list, user_columns_);
  }
  for (const ColumnRange& range : ranges_) std::fill(&columns_[range.first], columns_.data() + range.end, 0);
  ranges_.clear();
  columns_.resize(plan.columns(), 0);
  plan.for_each_moved(list, [this](ColumnRange range) { ranges_.push_back(range); });
  if (!ranges_.empty()) plan.add_values(list, columns_);
}

}  // namespace recmeter
