// Checks of lists: their ranks, their items, and what is acted on in them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "doctor/judges.h"
#include "recmeter/metric/list_halves.h"

namespace recmeter::doctor {
namespace {

template <class Counts, class IsCase>
Judged lists_above(const Evidence& evidence, double threshold, const Counts& counts, const IsCase& is_case) {
  Tally tally(evidence);
  for (const ShownList& list : evidence.log.lists()) {
    if (counts(list)) tally.add(list.first->file, is_case(list) ? 1 : 0, 1);
  }
  return tally.above(threshold);
}

bool any_list(const ShownList& /*list*/) {
  return true;
}
bool is_of_rows(const ShownList& list) {
  return list.first->by_row;
}

// A user's further actions on an item, and those of other kinds, say nothing new of its rank.
template <class Visit>
void for_each_acted_rank(const Evidence& evidence, const Visit& visit) {
  std::set<std::tuple<std::int64_t, std::uint32_t>> seen;
  for (const JoinedAction& action : evidence.log.actions()) {
    if (!action.in_list || !action.is_of_user || !seen.emplace(action.list, action.rank).second) continue;
    visit(action, evidence.log.lists()[static_cast<std::size_t>(action.list)]);
  }
}

ListHalves halves(const Evidence& evidence) {
  ListHalves halves;
  for_each_acted_rank(evidence,
                      [&](const JoinedAction& action, const ShownList& list) { halves.add(action.rank, list.items.size()); });
  return halves;
}

Judged judged_halves(const ListHalves& halves) {
  Judged judged{.cases = halves.first(), .of = halves.actions()};
  judged.words = {{"chance", halves.actions() == 0 ? "" : fmt::format("{:.0f} %", 100 * halves.chance())}};
  return judged;
}

}  // namespace

// Where positions begin at 0 and not at 1, rows and lists of entries are invalid; the other way round nothing stands at the
// first rank.
Judgements position_base(const Evidence& evidence, double threshold) {
  Judgements out;
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const FileFacts& file = evidence.facts.files[i];
    const auto reason = static_cast<std::size_t>(InvalidReason::bad_position);
    const bool zeros = std::all_of(file.samples[reason].begin(), file.samples[reason].end(), [](const InvalidSample& sample) {
      return sample.value == "0" || sample.value == "\"0\"";
    });
    Judged judged = share_above(file.invalid[reason], file.rows + file.lists + file.invalid[reason], threshold);
    if (!zeros) judged.sureness = Sureness::silent;
    judged.words = {{"says", "positions are 0"}, {"base", "0"}};
    judged.settings = {{"inputs.position_base", "0"}};
    if (evidence.inputs[i].position_base == 0 && file.rows >= records_min && file.first_rows == 0) {
      judged = {.sureness = Sureness::certain, .cases = file.rows, .of = file.rows};
      judged.words = {{"says", "positions are never 0"}, {"base", "1"}};
      judged.settings = {{"inputs.position_base", "1"}};
    }
    judged.file = evidence.inputs[i].name;
    if (file.lists > 0 || judged.cases > 0) out.push_back(std::move(judged));
  }
  return out;
}

Judgements feedback_position_base(const Evidence& evidence, double threshold) {
  std::map<std::int64_t, std::uint64_t> offsets;
  std::uint64_t all = 0;
  evidence.log.for_each_position(evidence.facts.positions,
                                 [&](const ShownList& /*list*/, std::uint32_t rank, std::uint32_t position) {
                                   if (rank == 0) return;
                                   ++offsets[static_cast<std::int64_t>(position) - rank];
                                   ++all;
                                 });
  Judged judged{.of = all};
  for (const auto& [offset, count] : offsets) {
    if (offset == 0 || count < judged.cases) continue;
    judged = share_above(count, all, threshold);
    judged.words = {{"off", fmt::format("{:+}", offset)}};
  }
  return {judged};
}

Judgements position_clash(const Evidence& evidence, double threshold) {
  return {lists_above(evidence, threshold, is_of_rows, [](const ShownList& list) { return list.has_clash; })};
}

Judgements rows_missing(const Evidence& evidence, double threshold) {
  Judged judged = lists_above(evidence, threshold, is_of_rows, [](const ShownList& list) { return list.has_hole(); });
  if (judged.cases < 20) judged.sureness = Sureness::silent;
  return {judged};
}

Judgements item_repeated(const Evidence& evidence, double threshold) {
  return {lists_above(evidence, threshold, any_list, [](const ShownList& list) {
    std::vector<std::uint32_t> items = list.items;
    std::erase(items, Sample::no_item);
    std::sort(items.begin(), items.end());
    return std::adjacent_find(items.begin(), items.end()) != items.end();
  })};
}

Judgements empty_lists(const Evidence& evidence, double threshold) {
  return {lists_above(evidence, threshold, any_list, [](const ShownList& list) { return list.items.empty(); })};
}

Judgements single_item_lists(const Evidence& evidence, double threshold) {
  const auto counts = [](const ShownList& list) { return !list.items.empty(); };
  return {lists_above(evidence, threshold, counts, [](const ShownList& list) {
    return std::count(list.items.begin(), list.items.end(), Sample::no_item) + 1 ==
           static_cast<std::ptrdiff_t>(list.items.size());
  })};
}

Judgements sorted_by_id(const Evidence& evidence, double threshold) {
  const auto counts = [](const ShownList& list) { return !list.first->by_row && list.items.size() >= 4; };
  return {lists_above(evidence, threshold, counts, [](const ShownList& list) { return list.first->id_ordered; })};
}

Judgements order_lost(const Evidence& evidence, double threshold) {
  const ListHalves split = halves(evidence);
  Judged judged = judged_halves(split);
  if (split.actions() < ListHalves::actions_min) return {judged};
  if (split.are_equal(threshold)) {
    judged.sureness = Sureness::certain;
  } else if (std::abs(split.over()) < threshold / 2 && split.over() - split.error() < 0) {
    judged.sureness = Sureness::likely;
  }
  return {judged};
}

Judgements order_reversed(const Evidence& evidence, double threshold) {
  const ListHalves split = halves(evidence);
  Judged judged = judged_halves(split);
  if (split.actions() < ListHalves::actions_min || split.over() + split.error() >= -threshold) return {judged};
  judged.sureness = split.over() + split.error() < -2 * threshold ? Sureness::certain : Sureness::likely;
  return {judged};
}

Judgements always_first(const Evidence& evidence, double threshold) {
  std::map<std::int64_t, bool> lists;
  for_each_acted_rank(evidence, [&](const JoinedAction& action, const ShownList& list) {
    if (list.items.size() < 2) return;
    const auto at = lists.emplace(action.list, true).first;
    at->second = at->second && action.rank == 1;
  });
  const auto first = std::count_if(lists.begin(), lists.end(), [](const auto& list) { return list.second; });
  return {share_above(static_cast<std::uint64_t>(first), lists.size(), threshold)};
}

// Below rank f less is acted on than a tenth of half of what a harmonic fall would give.
Judgements fold(const Evidence& evidence, double threshold) {
  constexpr double expected_min = 50;
  std::vector<double> weight;  // of each rank, over the lists that have it
  for (const ShownList& list : evidence.log.lists()) {
    weight.resize(std::max(weight.size(), list.items.size()));
    for (std::size_t i = 0; i < list.items.size(); ++i) weight[i] += 1 / static_cast<double>(i + 1);
  }
  std::vector<std::uint64_t> acted(weight.size());
  std::uint64_t all = 0;
  for_each_acted_rank(evidence, [&](const JoinedAction& action, const ShownList& /*list*/) {
    ++acted[action.rank - 1];
    ++all;
  });
  double total = 0;
  for (const double w : weight) total += w;
  double below = 0;
  std::uint64_t acted_below = 0;
  Judged judged{.of = all};
  for (std::size_t f = weight.size(); f-- > 1;) {
    below += weight[f];
    acted_below += acted[f];
    const double half = static_cast<double>(all) * below / total / 2;
    if (half < expected_min || static_cast<double>(acted_below) >= threshold * half) continue;
    judged.sureness = static_cast<double>(acted_below) < threshold * half / 2 ? Sureness::certain : Sureness::likely;
    judged.cases = acted_below;
    judged.words = {{"rank", std::to_string(f)}, {"half", fmt::format("{:.0f}", half)}};
  }
  return {judged};
}

Judgements only_acted_lists(const Evidence& evidence, double threshold) {
  std::set<std::int64_t> acted;
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.in_list && action.is_of_user) acted.insert(action.list);
  }
  return {share_above(acted.size(), evidence.log.lists().size(), threshold)};
}

Judgements action_on_all(const Evidence& evidence, double threshold) {
  Judgements out;
  std::uint64_t shown = 0;
  for (const ShownList& list : evidence.log.lists()) shown += list.items.size();
  const std::vector<Action>& actions = evidence.spec.join.actions;
  std::vector<std::set<std::pair<std::int64_t, std::uint32_t>>> acted(actions.size());
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.in_list) acted[action.action->action].emplace(action.list, action.action->item);
  }
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].gain == 0 || acted[i].empty()) continue;
    Judged judged = share_above(std::min<std::uint64_t>(acted[i].size(), shown), shown, threshold);
    judged.words = {{"action", actions[i].name}};
    judged.settings = {{"join.actions." + actions[i].name + ".gain", "0"}};
    out.push_back(std::move(judged));
  }
  return out;
}

// Purchases that are found in a list, without a click on the same item before.
Judgements clicks_sampled(const Evidence& evidence, double threshold) {
  const std::vector<Action>& actions = evidence.spec.join.actions;
  const auto named = [&](std::string_view word) {
    return static_cast<std::size_t>(
        std::find_if(actions.begin(), actions.end(),
                     [&](const Action& action) { return action.name.find(word) != std::string::npos; }) -
        actions.begin());
  };
  const std::size_t click = named("click");
  const std::size_t purchase = named("purchase");
  if (click == actions.size() || purchase == actions.size()) return {};
  std::set<std::pair<std::int64_t, std::uint32_t>> clicked;
  Tally tally(evidence);
  std::uint64_t clicks = 0;
  for (const JoinedAction& action : evidence.log.actions()) {
    if (!action.in_list || !action.is_of_user) continue;
    const std::pair key(action.list, action.action->item);
    clicks += action.action->action == click ? 1U : 0U;
    if (action.action->action == click) clicked.insert(key);
    if (action.action->action == purchase && action.delay.ms >= 0)
      tally.add(action.action->file, clicked.contains(key) ? 0 : 1, 1);
  }
  if (clicks == 0) return {};
  return {tally.above(threshold)};
}

}  // namespace recmeter::doctor
