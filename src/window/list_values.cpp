#include "recmeter/window/list_values.h"

namespace recmeter {

void ListValues::assign(const MetricPlan& plan, const ScoredList& list) {
  nonempty_ = list.length > 0;
  for_user_ = plan.needs_users();
  if (for_user_) {
    user_columns_.assign(plan.user_columns(), 0);
    plan.add_user_values(list, user_columns_);
  }
  columns_.clear();
  if (plan.only_counts(list)) return;
  columns_.resize(plan.columns(), 0);
  plan.add_values(list, columns_);
}

}  // namespace recmeter
