// Checks of ids: whether feedback finds its list, its user and its item.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "doctor/action_joins.h"
#include "doctor/judges.h"
#include "recmeter/base/event_time.h"

namespace recmeter::doctor {
namespace {

std::uint64_t one_if(bool condition) {
  return condition ? 1 : 0;
}

// What becomes of feedback, whatever the time between it and its list.
struct Joins {
  std::uint64_t all = 0;
  std::uint64_t fits = 0;  // within the longest horizon
  std::uint64_t named = 0;
  std::uint64_t unknown = 0;
  std::uint64_t unknown_in_form = 0;  // lists of another form of the id are there
  std::uint64_t known = 0;            // and of the user's
  std::uint64_t late = 0;             // of these: the item's row came too late for the list
  std::uint64_t misses = 0;           // of these: the item is not in the list for another reason
  std::uint64_t in_form = 0;          // of the misses: it is in another form
  std::uint64_t elsewhere = 0;        // it is in another list of the user
  std::uint64_t on_longest = 0;       // the list is as long as any
  std::uint64_t of_users = 0;
  std::uint64_t of_list_users = 0;
  std::uint64_t of_user_forms = 0;
  std::size_t longest = 0;
};

Joins joins_of(const Evidence& evidence) {
  Joins joins{.all = evidence.log.actions().size()};
  for (const ShownList& list : evidence.log.lists()) joins.longest = std::max(joins.longest, list.items.size());
  const std::int64_t horizon = evidence.spec.join.longest_horizon().ms;
  for (const JoinedAction& joined : evidence.log.actions()) {
    const SeenAction& action = *joined.action;
    const bool in_time = joined.delay.ms >= -evidence.spec.join.skew.ms && joined.delay.ms < horizon;
    joins.fits += one_if(joined.in_list && joined.is_of_user && in_time);
    joins.named += one_if(joined.is_named());
    joins.unknown += one_if(joined.is_named() && !joined.is_known);
    joins.unknown_in_form += one_if(joined.is_named() && !joined.is_known && joined.id_form_known);
    if (!action.nobody && evidence.log.sample().has(action.user.form)) {
      ++joins.of_users;
      joins.of_list_users += one_if(evidence.log.is_list_user(action.user.raw));
      joins.of_user_forms += one_if(evidence.log.is_list_user_form(action.user.form));
    }
    if (!joined.is_known || !joined.is_of_user) continue;
    ++joins.known;
    joins.late += one_if(joined.came_late);
    if (joined.in_list || joined.came_late) continue;
    ++joins.misses;
    joins.in_form += one_if(joined.form_in_list);
    joins.elsewhere += one_if(joined.elsewhere >= 0);
    joins.on_longest += one_if(evidence.log.lists()[static_cast<std::size_t>(joined.list)].items.size() == joins.longest);
  }
  return joins;
}

// By action, whether it names lists none of which is there, while others' are: its id is of something else, and no list is
// lost.
std::vector<bool> names_no_list(const Evidence& evidence) {
  constexpr std::uint64_t enough = 5;
  const std::vector<ActionJoins> actions = joins_by_action(evidence);
  const bool are_others_known = std::ranges::any_of(actions, [](const ActionJoins& action) { return action.known > 0; });
  std::vector<bool> out;
  for (const ActionJoins& action : actions) {
    out.push_back(are_others_known && action.known == 0 && action.named >= enough);
  }
  return out;
}

// Named feedback that could know its list: not of the first horizon of the log.
template <class Visit>
void for_each_late_enough(const Evidence& evidence, const Visit& visit) {
  if (evidence.log.lists().empty()) return;
  const std::int64_t from = evidence.log.lists().front().first->ts + evidence.spec.join.longest_horizon().ms;
  const std::vector<bool> names_none = names_no_list(evidence);
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.is_named() && action.action->ts >= from && !names_none[action.action->action]) visit(action);
  }
}

// How much the share of unknown lists differs between hours: 1 where each hour has all or none.
double unevenness(const Evidence& evidence) {
  constexpr std::uint64_t of_hour_min = 20;
  std::map<std::int64_t, std::pair<std::uint64_t, std::uint64_t>> hours;
  for_each_late_enough(evidence, [&](const JoinedAction& action) {
    auto& [unknown, all] = hours[action.action->ts / one_hour.ms];
    unknown += one_if(!action.is_known);
    ++all;
  });
  double sum = 0;
  double squares = 0;
  double n = 0;
  for (const auto& [hour, counts] : hours) {
    if (counts.second < of_hour_min) continue;
    const double p = share(counts.first, counts.second);
    sum += p;
    squares += p * p;
    ++n;
  }
  const double mean = sum / n;
  return n < 3 || mean == 0 || mean == 1 ? 0 : std::sqrt(std::max(0.0, squares / n - mean * mean) / (mean * (1 - mean)));
}

Judged unknown_lists(const Evidence& evidence, double threshold, bool uneven) {
  constexpr double even_max = 0.5;
  Tally tally(evidence);
  for_each_late_enough(evidence,
                       [&](const JoinedAction& action) { tally.add(action.action->file, one_if(!action.is_known), 1); });
  Judged judged = tally.above(threshold);
  if ((unevenness(evidence) > even_max) != uneven) judged.sureness = Sureness::silent;
  return judged;
}

Judgements foreign_users(const Evidence& evidence, double threshold, bool other_form) {
  constexpr double gain_min = 0.5;
  const Joins joins = joins_of(evidence);
  Judged judged{
      .sureness = below(joins.of_list_users, joins.of_users, threshold), .cases = joins.of_list_users, .of = joins.of_users};
  const double of_forms = share(joins.of_user_forms, joins.of_users);
  if ((of_forms - share(joins.of_list_users, joins.of_users) >= gain_min) != other_form || evidence.log.lists().empty())
    judged.sureness = Sureness::silent;
  const bool named = 2 * (joins.named - joins.unknown) > joins.of_users;
  if (named) judged.settings = {{"join.key", "list"}};
  judged.words = {{"form", percent(of_forms)}, {"instead", named ? ", or join by list id alone: join.key: list" : ""}};
  return {judged};
}

Judgements missed(const Evidence& evidence, double threshold, bool in_form) {
  const Joins joins = joins_of(evidence);
  Judged judged = share_above(joins.misses, joins.known, threshold);
  if ((2 * joins.in_form >= joins.misses) != in_form) judged.sureness = Sureness::silent;
  return {judged};
}

// Some of the rows of a list may come again, or late, and are no list of their own: they have no item that it lacks.
bool has_other_items(const Evidence& evidence, const ShownList& a, const ShownList& b) {
  if (!a.first->by_row && !b.first->by_row) {
    return !std::ranges::equal(evidence.log.sample().items(*a.first), evidence.log.sample().items(*b.first));
  }
  const auto lacks = [](const ShownList& list, const ShownList& other) {
    return std::ranges::any_of(other.items, [&](std::uint32_t item) {
      return item != Sample::no_item && std::ranges::find(list.items, item) == list.items.end();
    });
  };
  return lacks(a, b) && lacks(b, a);
}

bool are_different(const Evidence& evidence, const ShownList& a, const ShownList& b) {
  return a.first->user.raw != b.first->user.raw || has_other_items(evidence, a, b);
}

}  // namespace

Judgements list_id_form(const Evidence& evidence, double threshold) {
  const Joins joins = joins_of(evidence);
  Judged judged = share_above(joins.unknown_in_form, joins.unknown, threshold);
  if (50 * joins.unknown < joins.named) judged.sureness = Sureness::silent;
  return {judged};
}

Judgements list_id_foreign(const Evidence& evidence, double threshold) {
  const Joins joins = joins_of(evidence);
  return {share_above(joins.unknown, joins.named, threshold)};
}

Judgements list_id_unknown(const Evidence& evidence, double threshold) {
  return {unknown_lists(evidence, threshold, true)};
}

Judgements impressions_sampled(const Evidence& evidence, double threshold) {
  Judged judged = unknown_lists(evidence, threshold, false);
  struct User {
    std::uint64_t known = 0;
    std::uint64_t unknown = 0;
  };
  std::map<std::uint64_t, User> users;
  for_each_late_enough(evidence, [&](const JoinedAction& action) {
    User& user = users[action.action->user.raw];
    ++(action.is_known ? user.known : user.unknown);
  });
  std::uint64_t several = 0;
  std::uint64_t mixed = 0;
  for (const auto& [id, user] : users) {
    if (user.known + user.unknown < 3) continue;
    ++several;
    mixed += one_if(user.known > 0 && user.unknown > 0);
  }
  const bool by_user = several >= 10 && share(mixed, several) < 0.2;
  judged.words = {{"how", by_user ? "by user" : "list by list"}};
  return {judged};
}

Judgements list_id_stale(const Evidence& evidence, double threshold) {
  const Joins joins = joins_of(evidence);
  Judged judged = share_above(joins.elsewhere, joins.known, threshold);
  if (10 * joins.elsewhere <= 3 * joins.misses) judged.sureness = Sureness::silent;
  return {judged};
}

// Lists of one id by their time, those that came twice left out.
Judgements list_id_reused(const Evidence& evidence, double threshold) {
  std::vector<const ShownList*> lists;
  for (const ShownList& list : evidence.log.lists()) lists.push_back(&list);
  const auto id_of = [](const ShownList* list) { return list->first->id.raw; };
  std::ranges::stable_sort(lists, {}, id_of);
  std::uint64_t ids = 0;
  std::uint64_t reused = 0;
  for (std::size_t begin = 0; begin < lists.size();) {
    std::size_t end = begin;
    bool differs = false;
    for (; end < lists.size() && id_of(lists[end]) == id_of(lists[begin]); ++end) {
      differs = differs || are_different(evidence, *lists[end], *lists[begin]);
    }
    ++ids;
    reused += one_if(differs);
    begin = end;
  }
  return {share_above(reused, ids, threshold)};
}

Judgements item_id_form(const Evidence& evidence, double threshold) {
  return missed(evidence, threshold, true);
}

Judgements item_not_in_list(const Evidence& evidence, double threshold) {
  return missed(evidence, threshold, false);
}

// Misses where lists are as long as they get, although most are shorter; or positions that the list does not have.
Judgements list_cut(const Evidence& evidence, double threshold) {
  const Joins joins = joins_of(evidence);
  std::uint64_t of_longest = 0;
  for (const ShownList& list : evidence.log.lists()) of_longest += one_if(list.items.size() == joins.longest);
  Judged judged = share_above(joins.on_longest, joins.misses, 0.9);
  if (share(of_longest, evidence.log.lists().size()) > 0.6 || 100 * joins.misses < joins.known)
    judged.sureness = Sureness::silent;
  judged.words = {{"longest", std::to_string(joins.longest)}};
  std::uint64_t beyond = 0;
  std::uint64_t positions = 0;
  evidence.log.for_each_position(evidence.facts.positions,
                                 [&](const ShownList& list, std::uint32_t /*rank*/, std::uint32_t position) {
                                   ++positions;
                                   beyond += one_if(position > list.items.size());
                                 });
  Judged by_position = share_above(beyond, positions, threshold);
  by_position.words = judged.words;
  return {by_position.sureness > judged.sureness ? by_position : judged};
}

Judgements user_id_form(const Evidence& evidence, double threshold) {
  return foreign_users(evidence, threshold, true);
}

Judgements user_id_foreign(const Evidence& evidence, double threshold) {
  return foreign_users(evidence, threshold, false);
}

Judgements user_id_changes(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.is_known) tally.add(action.action->file, one_if(!action.is_of_user), 1);
  }
  Judged judged = tally.above(threshold);
  judged.settings = {{"join.key", "list"}};
  return {judged};
}

// Ids that are known on the other side but for their last digits, which a double does not hold.
Judgements ids_rounded(const Evidence& evidence, double threshold) {
  const Joins joins = joins_of(evidence);
  struct Id {
    std::string_view field;
    const IdCounts& counts;
    std::uint64_t in_form;
    std::uint64_t of;
  };
  const std::array<Id, 3> ids{
      Id{"list_id", evidence.facts.list_ids, joins.unknown_in_form, joins.named},
      Id{"user_id", evidence.facts.user_ids, joins.of_user_forms - joins.of_list_users, joins.of_users},
      Id{"item_id", evidence.facts.item_ids, joins.in_form, joins.known},
  };
  Judgements out;
  for (const Id& id : ids) {
    Judged judged = share_above(id.in_form, id.of, threshold);
    if (2 * id.counts.rounded < id.in_form) judged.sureness = Sureness::silent;
    judged.words = {{"field", std::string(id.field)}, {"example", id.counts.rounded_example}};
    if (judged.sureness != Sureness::silent || out.empty()) out.push_back(std::move(judged));
  }
  return out;
}

Judgements nothing_joins(const Evidence& evidence, double threshold) {
  const Joins joins = joins_of(evidence);
  Judged judged{.sureness = below(joins.fits, joins.all, threshold), .cases = joins.fits, .of = joins.all};
  if (evidence.log.lists().empty()) judged.sureness = Sureness::silent;
  return {judged};
}

// As texts they are ids, if other ones; as numbers of a JSON record they are invalid.
Judgements id_as_number(const Evidence& evidence, double threshold) {
  Judgements out;
  const std::array<std::pair<std::string_view, const IdCounts*>, 3> ids{
      {{"user_id", &evidence.facts.user_ids}, {"item_id", &evidence.facts.item_ids}, {"list_id", &evidence.facts.list_ids}}};
  for (const auto& [field, counts] : ids) {
    std::uint64_t cases = counts->spoilt;
    std::string example = counts->example;
    for (const FileFacts& file : evidence.facts.files) {
      const auto& samples = file.samples[static_cast<std::size_t>(InvalidReason::wrong_type)];
      if (samples.empty() || samples.front().field.find(field == "item_id" ? "item" : field) != 0) continue;
      if (samples.front().value.find_first_not_of("0123456789.e+") != std::string::npos) continue;
      cases += file.invalid[static_cast<std::size_t>(InvalidReason::wrong_type)];
      example = samples.front().value;
    }
    Judged judged = share_above(cases, counts->seen + cases - counts->spoilt, threshold);
    judged.words = {{"field", std::string(field)}, {"example", example}};
    if (judged.sureness != Sureness::silent || out.empty()) out.push_back(std::move(judged));
  }
  return out;
}

}  // namespace recmeter::doctor
