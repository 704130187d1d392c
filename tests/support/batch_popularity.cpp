#include "support/batch_popularity.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "support/batch_relevance.h"

namespace recmeter::support {
namespace {

bool is_asked_for(const MetricSpec& spec) {
  return std::any_of(spec.requests.begin(), spec.requests.end(), [](const MetricRequest& request) {
    return request.name == "novelty" || request.name == "popularity" || request.name == "serendipity";
  });
}

ListPopularity popularity_of(const BatchList& list, const EvaluatorSpec& spec, const AcceptedEvents& events,
                             const std::vector<bool>& relevant) {
  const PopularitySpec& rule = spec.metrics.popularity;
  // "the largest multiple of `step` since 1970 that is not after the list"; event times are after 1970
  const std::int64_t end = list.ts / rule.step_ms * rule.step_ms;
  std::set<std::string> users;
  std::map<ItemNumber, std::set<std::string>> users_of;
  for (std::size_t i = 0; i < events.feedback.size(); ++i) {
    const BatchFeedback& feedback = events.feedback[i];
    if (feedback.owner.empty() || spec.join.actions[feedback.action].gain <= 0 || !relevant[i]) continue;
    if (feedback.ts < end - rule.period_ms || feedback.ts >= end) continue;
    users.insert(feedback.owner);
    users_of[feedback.item].insert(feedback.owner);
  }
  // "as many users as the `top`-th": of all items with a user, the most popular first; of fewer than `top`, the last
  std::vector<std::uint64_t> counts;
  for (const auto& [item, who] : users_of) counts.push_back(who.size());
  std::sort(counts.begin(), counts.end(), std::greater<>());
  if (counts.size() > rule.top) counts.resize(rule.top);
  ListPopularity result;
  result.users = users.size();
  for (const ShownItem& shown : list.ranks) {
    const auto found = shown.item ? users_of.find(*shown.item) : users_of.end();
    const std::uint64_t count = found == users_of.end() ? 0 : found->second.size();
    result.users_of.push_back(count);
    result.popular.push_back(!counts.empty() && count >= counts.back());
  }
  return result;
}

}  // namespace

std::vector<ListPopularity> list_popularity(const EvaluatorSpec& spec, const AcceptedEvents& events) {
  std::vector<ListPopularity> result(events.lists.size());
  if (!is_asked_for(spec.metrics)) return result;
  const std::vector<bool> relevant = relevant_by_value(spec, events);
  for (std::size_t i = 0; i < events.lists.size(); ++i) result[i] = popularity_of(events.lists[i], spec, events, relevant);
  return result;
}

}  // namespace recmeter::support
