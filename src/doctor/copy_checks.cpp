// Checks of what is there more than once.
#include <algorithm>
#include <tuple>

#include "doctor/judges.h"

namespace recmeter::doctor {
namespace {

template <class Key>
std::vector<const SeenList*> sorted_lists(const Sample& sample, const Key& key) {
  std::vector<const SeenList*> lists;
  for (const SeenList& list : sample.lists()) lists.push_back(&list);
  std::sort(lists.begin(), lists.end(), [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  return lists;
}

}  // namespace

// Feedback that is equal in every field is a duplicate; in a log of whole seconds that happens by itself.
Judgements copied(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  const auto key = [](const SeenList& list) { return std::tuple(list.id.raw, list.user.raw, list.content, list.ts); };
  const auto lists = sorted_lists(evidence.log.sample(), key);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    tally.add(lists[i]->file, i > 0 && key(*lists[i]) == key(*lists[i - 1]) ? 1 : 0, 1);
  }
  for (const SeenAction& action : evidence.log.sample().actions()) {
    if (action.ts % 1000 != 0) tally.add(action.file, action.again ? 1 : 0, 1);
  }
  return {tally.above(threshold)};
}

Judgements list_again(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  const auto same = [](const SeenList& list) { return std::tuple(list.id.raw, list.user.raw, list.content); };
  const auto key = [&](const SeenList& list) { return std::tuple_cat(same(list), std::tuple(list.ts)); };
  const SeenList* before = nullptr;
  for (const SeenList* list : sorted_lists(evidence.log.sample(), key)) {
    const bool again = before != nullptr && same(*list) == same(*before);
    if (!list->by_row && (!again || list->ts != before->ts)) tally.add(list->file, again ? 1 : 0, 1);
    before = list;
  }
  return {tally.above(threshold)};
}

Judgements impression_twice(const Evidence& evidence, double threshold) {
  constexpr std::int64_t apart_ms = 5000;
  Tally tally(evidence);
  const auto same = [](const SeenList& list) { return std::tuple(list.user.raw, list.content); };
  const auto key = [&](const SeenList& list) { return std::tuple_cat(same(list), std::tuple(list.ts, list.id.raw)); };
  const SeenList* before = nullptr;
  for (const SeenList* list : sorted_lists(evidence.log.sample(), key)) {
    if (list->by_row || list->nobody || list->item_count < 2) continue;
    const bool twice = before != nullptr && same(*list) == same(*before) && list->id.raw != before->id.raw &&
                       list->ts - before->ts <= apart_ms;
    tally.add(list->file, twice ? 1 : 0, 1);
    before = list;
  }
  return {tally.above(threshold)};
}

Judgements feedback_twice(const Evidence& evidence, double threshold) {
  constexpr std::int64_t near_ms = 1000;
  constexpr std::int64_t far_ms = 11'000;
  Tally tally(evidence);
  std::uint64_t far = 0;
  std::vector<const SeenAction*> actions;
  for (const JoinedAction& joined : evidence.log.actions()) actions.push_back(joined.action);
  const auto same = [](const SeenAction& action) {
    return std::tuple(action.user.raw, action.list.raw, action.item, action.action);
  };
  std::stable_sort(actions.begin(), actions.end(), [&](const auto* a, const auto* b) { return same(*a) < same(*b); });
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const bool equal = i > 0 && same(*actions[i]) == same(*actions[i - 1]);
    const std::int64_t apart = equal ? actions[i]->ts - actions[i - 1]->ts : far_ms;
    tally.add(actions[i]->file, apart <= near_ms ? 1 : 0, 1);
    far += apart > near_ms && apart < far_ms ? 1 : 0;
  }
  Judged judged = tally.above(threshold);
  if (tally.cases() <= far) judged.sureness = Sureness::silent;
  return {judged};
}

}  // namespace recmeter::doctor
