#include "recmeter/recommend/user_history.h"

#include <algorithm>

namespace recmeter {

void UserHistories::add(const LearnedEvent& event) {
  if (event.user == nobody) return;
  if (event.user >= users_.size()) users_.resize(event.user + 1);
  std::vector<KnownItem>& known = users_[event.user];
  const auto old = std::find_if(known.begin(), known.end(), [&](const KnownItem& one) { return one.item == event.item; });
  if (old != known.end()) {
    known.erase(old);
  } else if (known.size() == items_max_) {
    known.erase(known.begin());
  }
  known.push_back({event.item, event.ts});
}

}  // namespace recmeter
