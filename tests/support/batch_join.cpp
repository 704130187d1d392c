#include "support/batch_join.h"

#include <algorithm>
#include <set>

#include "support/batch_history.h"
#include "support/batch_relevance.h"

namespace recmeter::support {

BatchJoin::BatchJoin(const EvaluatorSpec& spec, const AcceptedEvents& events)
    : spec_(spec), events_(events), relevant_(relevant_by_value(spec, events)), popularity_(list_popularity(spec, events)) {
  const auto timeline_of = [this](const std::string& owner, const std::string& list_id) -> Timeline& {
    return timelines_[{owner, owner.empty() ? list_id : std::string()}];
  };
  for (std::size_t i = 0; i < events.lists.size(); ++i) {
    timeline_of(events.lists[i].owner, events.lists[i].list_id).lists.push_back(i);
  }
  for (std::size_t i = 0; i < events.feedback.size(); ++i) {
    timeline_of(events.feedback[i].owner, events.feedback[i].list_id).feedback.push_back(i);
  }
  for (auto& [key, timeline] : timelines_) {
    std::stable_sort(timeline.lists.begin(), timeline.lists.end(), [&events](std::size_t a, std::size_t b) {
      const BatchList& x = events.lists[a];
      const BatchList& y = events.lists[b];
      return x.ts != y.ts ? x.ts < y.ts : x.list_id < y.list_id;
    });
  }
}

// min(h, own horizon of a)
std::int64_t BatchJoin::reach(std::size_t action, Duration horizon) const {
  const auto& own = spec_.join.actions[action].horizon;
  return own ? std::min(own->ms, horizon.ms) : horizon.ms;
}

// x ∈ L.items, "a row's item only if that row's ts ≤ until"
bool BatchJoin::holds(const BatchList& list, ItemNumber item, std::int64_t until) const {
  return std::any_of(list.ranks.begin(), list.ranks.end(),
                     [item, until](const ShownItem& shown) { return shown.item == item && shown.ts <= until; });
}

// −skew ≤ t − L.ts < min(h, own horizon of a)
bool BatchJoin::in_time(const BatchFeedback& feedback, const BatchList& list, Duration horizon) const {
  const std::int64_t delay = feedback.ts - list.ts;
  return -spec_.join.skew.ms <= delay && delay < reach(feedback.action, horizon);
}

// The places in timeline.lists of the lists that the feedback fits, ascending by (ts, list id).
std::vector<std::size_t> BatchJoin::fitting(const Timeline& timeline, const BatchFeedback& feedback, Duration horizon,
                                            const Credits& credits) const {
  const std::int64_t skew = spec_.join.skew.ms;
  const auto& after = spec_.join.actions[feedback.action].after;
  const std::int64_t earliest = feedback.ts - reach(feedback.action, horizon);
  const auto first = std::partition_point(timeline.lists.begin(), timeline.lists.end(),
                                          [&](std::size_t list) { return events_.lists[list].ts <= earliest; });
  std::vector<std::size_t> result;
  for (auto it = first; it != timeline.lists.end(); ++it) {
    const BatchList& list = events_.lists[*it];
    if (list.ts > feedback.ts + skew) break;
    const bool is_on_list = spec_.join.actions[feedback.action].on_list;
    if (!in_time(feedback, list, horizon)) continue;
    if (is_on_list ? events_.has_foreign_ids : !holds(list, feedback.item, feedback.ts + skew)) continue;
    const auto place = static_cast<std::size_t>(it - timeline.lists.begin());
    if (after) {
      const auto before = credits[place].find({feedback.item, *after});
      if (before == credits[place].end() || before->second.ts > feedback.ts) continue;
    }
    result.push_back(place);
  }
  return result;
}

// In a lane whose lists were not shown an id says something where a list of it, of this user, is in time: docs/semantics.md,
// section 13.
bool BatchJoin::names_list(const Timeline& timeline, const BatchFeedback& feedback, Duration horizon) const {
  if (feedback.list_id.empty()) return false;
  if (spec_.join.actions[feedback.action].on_list) return true;
  if (!events_.has_foreign_ids || feedback.owner.empty()) return true;
  return std::ranges::any_of(timeline.lists, [&](std::size_t i) {
    return events_.lists[i].list_id == feedback.list_id && in_time(feedback, events_.lists[i], horizon);
  });
}

// The lists that take the credit: [S4.6], [S4.8].
std::vector<std::size_t> BatchJoin::chosen(const Timeline& timeline, const BatchFeedback& feedback, Duration horizon,
                                           const Credits& credits) const {
  std::vector<std::size_t> fits = fitting(timeline, feedback, horizon, credits);
  if (names_list(timeline, feedback, horizon)) {
    // "credited to the latest list of that id that it fits"
    std::erase_if(fits, [&](std::size_t place) { return events_.lists[timeline.lists[place]].list_id != feedback.list_id; });
    if (fits.empty()) return {};
    return {fits.back()};
  }
  if (fits.empty() || spec_.join.credit == Credit::every_touch) return fits;
  return {spec_.join.credit == Credit::last_touch ? fits.back() : fits.front()};
}

// How many actions must have been there before.
std::size_t BatchJoin::depth(std::size_t action) const {
  const auto& after = spec_.join.actions[action].after;
  return after ? 1 + depth(*after) : 0;
}

// "A credited return takes back its value, without value all that was paid" until then; by (ts, depth, order of [S2]).
BatchJoin::Balances BatchJoin::balances(std::vector<Payment> payments) const {
  std::stable_sort(payments.begin(), payments.end(),
                   [](const Payment& a, const Payment& b) { return a.ts != b.ts ? a.ts < b.ts : a.depth < b.depth; });
  Balances result;
  for (const Payment& payment : payments) {
    const Action& action = spec_.join.actions[payment.action];
    Balance& balance = result[{payment.item, action.undoes ? *action.after : payment.action}];
    if (!action.undoes) {
      balance.paid += payment.value.value_or(0);
    } else {
      balance.paid -= payment.value ? *payment.value : std::max(0.0, balance.paid);
      balance.returned = true;
    }
  }
  return result;
}

// Of what undoes there is none.
BatchJoin::Balance BatchJoin::balance_of(const Balances& balances, const std::pair<ItemNumber, std::size_t>& what) {
  const auto found = balances.find(what);
  return found == balances.end() ? Balance{} : found->second;
}

BatchJoin::Credited BatchJoin::credit(const Timeline& timeline, Duration horizon) const {
  Credited result;
  result.credits.resize(timeline.lists.size());
  result.repeated.resize(timeline.lists.size());
  result.payments.resize(timeline.lists.size());
  result.assignments.resize(timeline.feedback.size());
  // Actions with `after` look at the credits of those before them, and only at those ([S4.5]).
  for (const std::size_t deep : {0U, 1U, 2U}) {
    for (std::size_t i = 0; i < timeline.feedback.size(); ++i) {
      const BatchFeedback& feedback = events_.feedback[timeline.feedback[i]];
      if (depth(feedback.action) != deep) continue;
      for (const std::size_t place : chosen(timeline, feedback, horizon, result.credits)) {
        result.assignments[i].anywhere = true;
        result.payments[place].push_back({feedback.item, feedback.action, feedback.ts, deep, feedback.value});
        const bool is_new = result.credits[place]
                                .try_emplace({feedback.item, feedback.action},
                                             First{feedback.ts, feedback.value, relevant_[timeline.feedback[i]]})
                                .second;
        if (is_new) {
          result.assignments[i].first = true;
        } else {
          ++result.repeated[place][feedback.action];
        }
      }
    }
  }
  return result;
}

// "over the user's b and its returns on the item in the list's range, as [S4.24] nets them (whatever took the credit)"
BatchJoin::Balances BatchJoin::balances_in_range(const Timeline& timeline, const BatchList& list, Duration horizon) const {
  std::vector<Payment> payments;
  for (const std::size_t i : timeline.feedback) {
    const BatchFeedback& feedback = events_.feedback[i];
    if (!in_time(feedback, list, horizon)) continue;
    payments.push_back({feedback.item, feedback.action, feedback.ts, depth(feedback.action), feedback.value});
  }
  return balances(std::move(payments));
}

// Grades of the items at no time in the list on which the same user acted, whatever list took the credit. [S4.16].
std::vector<double> BatchJoin::missed(const Timeline& timeline, const BatchList& list, Duration horizon,
                                      std::optional<std::size_t> only) const {
  if (list.owner.empty()) return {};  // "nothing is missed" by nobody
  const std::int64_t earliest = list.ts - spec_.join.skew.ms;
  const auto first = std::partition_point(timeline.feedback.begin(), timeline.feedback.end(),
                                          [&](std::size_t i) { return events_.feedback[i].ts < earliest; });
  const bool has_returns = std::ranges::any_of(spec_.join.actions, [](const Action& action) { return action.undoes; });
  const Balances balances = has_returns ? balances_in_range(timeline, list, horizon) : Balances();
  std::map<ItemNumber, double> grades;
  for (auto it = first; it != timeline.feedback.end(); ++it) {
    const BatchFeedback& feedback = events_.feedback[*it];
    if (feedback.ts >= list.ts + horizon.ms) break;
    const Action& action = spec_.join.actions[feedback.action];
    const double gain = !only ? action.gain : feedback.action == *only ? 1 : 0;
    if (gain <= 0 || action.after || !relevant_[*it] || !in_time(feedback, list, horizon)) continue;
    const bool shown = std::any_of(list.ranks.begin(), list.ranks.end(),
                                   [&feedback](const ShownItem& rank) { return rank.item == feedback.item; });
    // "An item is not missed for an action b that is undone where ... the net value is 0 and there is a return."
    if (shown || balance_of(balances, {feedback.item, feedback.action}).is_undone()) continue;
    double& grade = grades[feedback.item];
    grade = std::max(grade, gain);
  }
  std::vector<double> result;
  for (const auto& [item, grade] : grades) result.push_back(grade);
  return result;
}

// Of all that was credited or repeated, which stands in the order of [S2]: but the first.
std::vector<double> BatchJoin::rated_again(const std::vector<Payment>& given, ItemNumber item, std::size_t action) {
  std::vector<double> values;
  bool is_first = true;
  bool has_first = false;
  for (const Payment& rating : given) {
    if (rating.item != item || rating.action != action) continue;
    if (is_first) has_first = rating.value.has_value();
    if (!is_first && has_first && rating.value) values.push_back(*rating.value);
    is_first = false;
  }
  return values;
}

std::vector<std::vector<std::uint32_t>> BatchJoin::attributes(const BatchList& list) const {
  std::vector<std::vector<std::uint32_t>> result(list.ranks.size());
  std::set<ItemNumber> before;
  for (std::size_t i = 0; i < list.ranks.size() && spec_.catalog; ++i) {
    const auto& item = list.ranks[i].item;
    if (!item || !before.insert(*item).second) continue;
    const auto found = spec_.catalog->attributes.find(events_.item_ids[*item]);
    if (found != spec_.catalog->attributes.end()) result[i] = found->second;
  }
  return result;
}

namespace {

ListRelevance without_missed(ListRelevance list) {
  list.missed.clear();
  list.by_action.clear();
  list.by_worth.clear();
  return list;
}

}  // namespace

ListRelevance BatchJoin::of_action(const ListRelevance& whole, const Timeline& timeline, const BatchList& list,
                                   const ListCredits& credits, const Balances& balances, Duration horizon,
                                   std::size_t action) const {
  ListRelevance one = whole;
  one.by_action.clear();
  one.by_worth.clear();
  one.worth.assign(one.grades.size(), 0);
  std::fill(one.grades.begin(), one.grades.end(), 0);
  one.first_ms = one.reach_ms = reach(action, horizon);
  one.acted_ms.assign(one.grades.size(), std::nullopt);
  for (const auto& [what, first] : credits) {
    if (what.second != action) continue;
    if (spec_.join.actions[action].on_list) {
      one.is_acted_on = true;
      one.first_ms = std::min(one.first_ms, std::max<std::int64_t>(0, first.ts - list.ts));
      continue;
    }
    const auto rank = std::find_if(list.ranks.begin(), list.ranks.end(),
                                   [item = what.first](const ShownItem& shown) { return shown.item == item; });
    const Balance balance = balance_of(balances, what);
    if (balance.is_undone()) continue;
    const auto at = static_cast<std::size_t>(rank - list.ranks.begin());
    one.worth[at] = std::max(0.0, balance.paid);
    if (!first.is_relevant) continue;
    one.grades[at] = 1;
    one.acted_ms[at] = std::max<std::int64_t>(0, first.ts - list.ts);
    one.first_ms = std::min(one.first_ms, *one.acted_ms[at]);
  }
  one.missed = missed(timeline, list, horizon, action);
  return one;
}

// "shown: a logged list of the user has it, at any rank, whose time is less than the horizon before or after".
// docs/semantics.md, section 13.
BesideShown BatchJoin::beside_shown(const BatchList& list, Duration horizon) const {
  BesideShown beside;
  for (const ShownItem& rank : list.ranks) {
    const auto& item = beside.items.emplace_back(rank.item);
    beside.seen.push_back(std::ranges::any_of(events_.shown, [&](const BatchList& shown) {
      const bool is_of_user = shown.owner == list.owner && (!list.owner.empty() || shown.list_id == list.list_id);
      const bool is_near = shown.ts - list.ts < horizon.ms && list.ts - shown.ts < horizon.ms;
      return is_of_user && is_near && item && std::ranges::find(shown.ranks, item, &ShownItem::item) != shown.ranks.end();
    }));
  }
  if (!list.stands_for) return beside;
  beside.in_its_place.emplace();
  for (const ShownItem& rank : events_.shown[*list.stands_for].ranks) beside.in_its_place->push_back(rank.item);
  return beside;
}

void BatchJoin::visit_relevance(Duration horizon, const std::function<void(std::size_t, const ListRelevance&)>& visit) const {
  const std::size_t action_count = spec_.join.actions.size();
  for (const auto& [key, timeline] : timelines_) {
    const Credited credited = credit(timeline, horizon);
    for (std::size_t place = 0; place < timeline.lists.size(); ++place) {
      const BatchList& list = events_.lists[timeline.lists[place]];
      const Balances balances = this->balances(credited.payments[place]);
      ListRelevance relevance;
      for (const ShownItem& shown : list.ranks) relevance.items.push_back(shown.item);
      relevance.grades.resize(list.ranks.size());
      relevance.credited.resize(action_count);
      relevance.repeated.resize(action_count);
      relevance.ratings.resize(list.ranks.size());
      relevance.judged.resize(list.ranks.size());
      relevance.rated_again.resize(list.ranks.size());
      for (const ShownItem& shown : list.ranks) relevance.scores.push_back(shown.score);
      for (const auto& [what, first] : credited.credits[place]) {
        const auto [item, action] = what;
        ++relevance.credited[action];
        if (spec_.join.actions[action].on_list) continue;
        ++relevance.credited_items;
        // "An item that occurs twice in a list is credited at its first rank"
        const auto rank = std::find_if(list.ranks.begin(), list.ranks.end(),
                                       [wanted = item](const ShownItem& shown) { return shown.item == wanted; });
        const auto at = static_cast<std::size_t>(rank - list.ranks.begin());
        relevance.judged[at] = true;
        relevance.credited_with_score += rank->score ? 1U : 0U;
        if (spec_.join.actions[action].name == "rating") {
          relevance.ratings[at] = first.value;
          relevance.rated_again[at] = rated_again(credited.payments[place], item, action);
        }
        if (balance_of(balances, what).is_undone() || !first.is_relevant) continue;
        double& grade = relevance.grades[at];
        grade = std::max(grade, spec_.join.actions[action].gain);
      }
      for (const auto& [action, count] : credited.repeated[place]) relevance.repeated[action] = count;
      relevance.missed = missed(timeline, list, horizon);
      relevance.attributes = attributes(list);
      relevance.latency = list.latency;
      const auto asks_known = [](const MetricRequest& request) { return request.name == "known_share"; };
      if (std::ranges::any_of(spec_.metrics.requests, asks_known)) {
        relevance.known = known_items(spec_, events_, timeline.feedback, list);
      }
      if (spec_.lanes.is_wanted()) relevance.shown = beside_shown(list, horizon);
      relevance.popularity = popularity_[timeline.lists[place]];
      for (std::size_t action = 0; action < action_count; ++action) {
        const auto asks = [&](const MetricRequest& one) { return one.options.action == spec_.join.actions[action].name; };
        if (looked_at_.contains(action) || std::ranges::any_of(spec_.metrics.requests, asks)) {
          relevance.by_action[action] =
              of_action(relevance, timeline, list, credited.credits[place], balances, horizon, action);
          ListRelevance& graded = relevance.by_worth[action] = relevance.by_action[action];
          graded.grades = graded.worth;
        }
      }
      const auto is_alone = [](const MetricRequest& request) { return request.options.universe == Universe::list; };
      if (std::ranges::any_of(spec_.metrics.requests, is_alone)) {
        for (auto* const parts : {&relevance.by_action, &relevance.by_worth}) {
          for (auto& [action, part] : *parts) part.alone = {without_missed(part)};
        }
        relevance.alone = {without_missed(relevance)};
      }
      visit(timeline.lists[place], relevance);
    }
  }
}

void BatchJoin::count_outcome(const Timeline& timeline, const BatchFeedback& feedback, Assignment assignment,
                              Duration longest, FeedbackCounts& counts) const {
  const Action& action = spec_.join.actions[feedback.action];
  const bool asks_value = std::ranges::any_of(spec_.metrics.requests, [&](const MetricRequest& request) {
    const bool is_of_value = request.name == "income" || request.name == "reward" || request.options.grade == Grade::value;
    return is_of_value && request.options.action == action.name;
  });
  if (assignment.anywhere && asks_value && !feedback.value) ++counts.without_value;
  if (!assignment.anywhere && action.undoes) ++counts.returned_late;
  if (assignment.first) {
    ++counts.credited;
  } else if (assignment.anywhere) {
    ++counts.repeated;
  } else if (!names_list(timeline, feedback, longest)) {
    ++counts.organic;
  } else {
    const bool lacked = std::any_of(timeline.lists.begin(), timeline.lists.end(), [&](std::size_t i) {
      const BatchList& list = events_.lists[i];
      return !action.on_list && list.list_id == feedback.list_id && in_time(feedback, list, longest) &&
             !holds(list, feedback.item, feedback.ts + spec_.join.skew.ms);
    });
    ++(lacked ? counts.not_in_list : counts.unmatched);
  }
}

FeedbackCounts BatchJoin::outcomes() const {
  Duration longest{0};
  for (const Duration horizon : spec_.join.horizons) longest = std::max(longest, horizon);
  FeedbackCounts counts;
  for (const auto& [key, timeline] : timelines_) {
    const Credited credited = credit(timeline, longest);
    for (std::size_t i = 0; i < timeline.feedback.size(); ++i) {
      count_outcome(timeline, events_.feedback[timeline.feedback[i]], credited.assignments[i], longest, counts);
    }
  }
  return counts;
}

}  // namespace recmeter::support
