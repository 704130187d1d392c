#include "app/infer/join_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

constexpr double mostly = 0.9;

std::string percent(double share) {
  return fmt::format("{:.4g} %", 100 * share);
}

// Columns that may be the id of somebody or something: several values, not one for all, and no list.
bool may_be_id(const LogSample& sample, const Column& column) {
  const auto is_it = [&](const ListColumn& list) { return list.path == column.path || list.path == column.path + ":json"; };
  if (std::ranges::any_of(sample.lists, is_it)) return false;
  std::unordered_set<Cell> values(column.cells.begin(), column.cells.end());
  values.erase(Cell());
  return values.size() >= 5 && column.as_boolean == 0 && values.size() * 200 >= column.present;
}

struct Key {
  const Column* list = nullptr;
  const Column* action = nullptr;
  Meeting meeting;
};

// Pairs of columns through which actions meet lists at all: of one input the same column.
std::vector<Key> find_keys(const ListSide& lists, const ActionSide& actions) {
  std::vector<Key> keys;
  for (const Column& list : lists.sample.columns) {
    if (!may_be_id(lists.sample, list) || &list == lists.time.column) continue;
    for (const Column& action : actions.sample.columns) {
      const bool is_same = &lists.sample == &actions.sample;
      if (is_same ? &action != &list : &action == actions.time.column) continue;
      if (&action == &actions.item) continue;
      if (!is_same && list.path != action.path && !may_be_id(actions.sample, action)) continue;
      Key key{&list, &action, meet(lists, list, actions, action)};
      if (key.meeting.actions >= 10 && key.meeting.any_share() > 0.2) keys.push_back(key);
    }
  }
  return keys;
}

// Leaves one of candidates whose columns hold the same in every record, such as the key of a message and its user: the best,
// and of equals that with the best name. `name`: how well a candidate is named.
template <class IsSame, class Name>
void drop_copies(std::vector<Candidate>& candidates, const IsSame& is_same, const Name& name) {
  std::ranges::stable_sort(candidates, [&](const Candidate& one, const Candidate& other) {
    return one.score != other.score ? one.score > other.score : name(one) > name(other);
  });
  std::vector<Candidate> kept;
  for (Candidate& one : candidates) {
    if (std::ranges::none_of(kept, [&](const Candidate& other) { return is_same(one, other); }))
      kept.push_back(std::move(one));
  }
  candidates = std::move(kept);
}

void drop_copies(std::vector<Candidate>& candidates, const std::vector<Key>& keys, Role role) {
  const auto is_same = [&keys](const Candidate& one, const Candidate& other) {
    const Key &a = keys[one.index], &b = keys[other.index];
    return a.list->cells == b.list->cells && a.action->cells == b.action->cells;
  };
  const auto name = [&](const Candidate& one) {
    return name_score(role, keys[one.index].list->path) + name_score(role, keys[one.index].action->path);
  };
  drop_copies(candidates, is_same, name);
}

std::vector<Candidate> list_candidates(const std::vector<Key>& keys) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Meeting& meeting = keys[i].meeting;
    if (meeting.one_list_share() < mostly || meeting.any_share() < 0.5) continue;
    const double name =
        std::max(name_score(Role::list_id, keys[i].list->path), name_score(Role::list_id, keys[i].action->path));
    // A user with one list each looks like a list, too: ids of lists are many.
    const double values = meeting.one_list_share() * std::min(1.0, 1.2 * Meeting::share(meeting.keys, meeting.lists));
    candidates.push_back({.value = keys[i].list->path,
                          .evidence = fmt::format("{} of {} actions that name one are on its items",
                                                  percent(meeting.any_share()), meeting.actions),
                          .score = score_of(name, values, meeting.any_share()),
                          .index = i});
  }
  drop_copies(candidates, keys, Role::list_id);
  return candidates;
}

// Tells whether nearly all lists have a user, and nearly all actions that name a list have its user.
bool have_one_user(const ListSide& lists, const ActionSide& actions, const Key& list_id, const Key& user) {
  std::unordered_map<Cell, Cell> user_of;
  std::size_t records = 0, other = 0;
  for (std::size_t i = 0; i < lists.items.cells.size(); ++i) {
    if (lists.items.cells[i].empty()) continue;
    ++records;
    other += user.list->cells[i].empty() ? 1U : 0U;
    user_of.try_emplace(list_id.list->cells[i], user.list->cells[i]);
  }
  if (other * 100 > records) return false;
  std::size_t named = 0;
  other = 0;
  for (std::size_t i = 0; i < actions.item.cells.size(); ++i) {
    const auto list = user_of.find(list_id.action->cells[i]);
    if (actions.item.cells[i].empty() || list == user_of.end()) continue;
    ++named;
    const Cell own = user.action->cells[i];
    other += own.empty() || own != list->second ? 1U : 0U;
  }
  return other * 100 <= named;
}

// `named`: the list id; null: there is none.
std::vector<Candidate> user_candidates(const std::vector<Key>& keys, const Key* named, const ListSide& lists,
                                       const ActionSide& actions) {
  constexpr std::size_t users_min = 20;  // fewer are groups of users, such as arms
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Meeting& meeting = keys[i].meeting;
    if (named != nullptr && keys[i].list == named->list) continue;
    const bool is_of_newest = meeting.latest_share() >= 0.4;
    // Where a list is acted on days later, its user has newer ones.
    const bool is_of_named = named != nullptr && meeting.keys >= users_min && meeting.several > 0 &&
                             have_one_user(lists, actions, *named, keys[i]);
    if (!is_of_newest && !is_of_named) continue;
    const double name =
        std::max(name_score(Role::user_id, keys[i].list->path), name_score(Role::user_id, keys[i].action->path));
    const double repeats = std::min(1.0, 3 * Meeting::share(meeting.several, meeting.keys));
    candidates.push_back({.value = keys[i].list->path,
                          .evidence = is_of_newest ? fmt::format("{} of {} actions are on the last list that their user saw",
                                                                 percent(meeting.latest_share()), meeting.actions)
                                                   : "that of the list that an action names",
                          .score = score_of(name, repeats, is_of_newest ? meeting.latest_share() : meeting.any_share()),
                          .index = i});
  }
  drop_copies(candidates, keys, Role::user_id);
  return candidates;
}

void add_choice(std::vector<InputGuess>& inputs, const ActionSide& actions, const Choice& choice,
                const std::vector<Key>& keys) {
  for (InputGuess& input : inputs) {
    Choice own = choice;
    if (input.sample == &actions.sample && inputs.size() > 1) own.best.value = keys[choice.best.index].action->path;
    own.best.value = yaml_text(own.best.value);
    input.choices.push_back(std::move(own));
  }
}

// A column that is another one for each list, best one that is called so: an id that no action repeats.
const Column* own_list_id(const InputGuess& input, const ListPair& pair, const std::string& user) {
  const Column* best = nullptr;
  for (const Column& column : input.sample->columns) {
    if (&column == input.time.column || column.path == pair.items->path || yaml_text(column.path) == user) continue;
    if (!may_be_id(*input.sample, column)) continue;
    std::unordered_set<Cell> ids;
    std::size_t lists = 0;
    for (std::size_t i = 0; i < column.cells.size(); ++i) {
      if (pair.items->cells[i].empty()) continue;
      ++lists;
      if (!column.cells[i].empty()) ids.insert(column.cells[i]);
    }
    if (ids.size() != lists) continue;
    const auto named = [](const Column& one) { return name_score(Role::list_id, one.path); };
    if (best == nullptr || named(column) > named(*best)) best = &column;
  }
  return best;
}

// Lists without an id of theirs are known by who saw them and when; those beside their actions by who saw what.
void add_made_list_id(InputGuess& input, const ListPair& pair, const std::string& user) {
  const std::string second = pair.is_beside ? yaml_text(pair.items->path) : yaml_text(input.time.column->path);
  Choice made{.role = Role::list_id, .best = {}, .runner_up = {}, .question = {}};
  made.best.value = user.empty() ? second : fmt::format("{{join: [{}, {}]}}", user, second);
  made.best.evidence = "no column is an id of lists: made of two";
  made.best.score = sure_score;
  if (const Column* own = pair.is_beside ? nullptr : own_list_id(input, pair, user); own != nullptr) {
    made.best.value = yaml_text(own->path);
    made.best.evidence = "each list has its own; actions do not name their list";
  }
  for (EventGuess& event : input.events) {
    if (event.type == "impression" || pair.is_beside || !pair.flags.empty()) continue;
    event.fields.emplace_back("list_id", "null");
  }
  input.choices.push_back(std::move(made));
}

// Tells whether each value of the one goes with one value of the other, which has fewer.
bool is_part_of(const Column& one, const Column& other) {
  std::unordered_map<Cell, Cell> of;
  std::unordered_set<Cell> others;
  for (std::size_t i = 0; i < one.cells.size(); ++i) {
    if (one.cells[i].empty() || other.cells[i].empty()) continue;
    others.insert(other.cells[i]);
    if (of.try_emplace(one.cells[i], other.cells[i]).first->second != other.cells[i]) return false;
  }
  return others.size() < of.size();
}

}  // namespace

void choose_beside(InputGuess& input, const ListPair& pair) {
  std::vector<Candidate> lists, users;
  for (std::size_t c = 0; c < input.sample->columns.size(); ++c) {
    const Column& column = input.sample->columns[c];
    if (!may_be_id(*input.sample, column) || &column == input.time.column || &column == pair.item ||
        column.path == pair.items->path)
      continue;
    const ListSide side{*input.sample, *pair.items, input.time};
    const Column any = column;
    const Meeting meeting =
        meet(side, column, {*input.sample, pair.item == nullptr ? any : *pair.item, input.time, true}, column);
    const double distinct = Meeting::share(meeting.keys, meeting.lists);
    const std::string repeated = fmt::format("{} values in {} lists", meeting.keys, meeting.lists);
    if (meeting.one_list_share() > 0.99 && distinct > 0.3) {
      lists.push_back({column.path, repeated, score_of(name_score(Role::list_id, column.path), 1, distinct), c});
    } else if (distinct < 0.98) {
      const double repeats = distinct > 0.9 ? 0.5 : 1;
      users.push_back({column.path, repeated, score_of(name_score(Role::user_id, column.path), repeats, 1), c});
    }
  }
  const auto& columns = input.sample->columns;
  const auto is_same = [&columns](const Candidate& one, const Candidate& other) {
    return columns[one.index].cells == columns[other.index].cells;
  };
  const auto by_name = [&](Role role) {
    return [&columns, role](const Candidate& one) { return name_score(role, columns[one.index].path); };
  };
  drop_copies(lists, is_same, by_name(Role::list_id));
  drop_copies(users, is_same, by_name(Role::user_id));
  // A session is of one user: of ids of which one is part of the other, the larger counts.
  for (Candidate& one : users) {
    const bool is_part = std::ranges::any_of(users, [&](const Candidate& other) {
      return other.index != one.index && is_part_of(input.sample->columns[one.index], input.sample->columns[other.index]);
    });
    if (is_part) one.score -= score_of(0, 0, 0.6);
  }
  std::string user;
  if (!users.empty()) {
    Choice choice = choose(Role::user_id, users);
    user = choice.best.value = yaml_text(choice.best.value);
    input.choices.push_back(std::move(choice));
  }
  if (lists.empty()) return add_made_list_id(input, pair, user);
  Choice choice = choose(Role::list_id, lists);
  choice.best.value = yaml_text(choice.best.value);
  input.choices.push_back(std::move(choice));
}

void choose_apart(LogGuess& guess, const ListPair& pair, const ListSide& lists, const ActionSide& actions) {
  const std::vector<Key> keys = find_keys(lists, actions);
  std::vector<Candidate> list_ids = list_candidates(keys);
  const Key* named = nullptr;
  Choice list;
  if (!list_ids.empty()) {
    list = choose(Role::list_id, list_ids);
    named = &keys[list.best.index];
  }
  const std::vector<Candidate> users = user_candidates(keys, named, lists, actions);
  std::string user;
  const Key* user_key = nullptr;
  if (!users.empty()) {
    Choice choice = choose(Role::user_id, users);
    user = yaml_text(choice.best.value);
    user_key = &keys[choice.best.index];
    add_choice(guess.inputs, actions, choice, keys);
  }
  if (named == nullptr) {
    for (InputGuess& input : guess.inputs) {
      if (input.sample == &lists.sample) add_made_list_id(input, pair, user);
    }
    return;
  }
  add_choice(guess.inputs, actions, list, keys);
  const bool all_name_one = named->meeting.any_share() > 0.99 && named->meeting.actions == actions.item.present;
  guess.joins_by_list = user_key == nullptr || (all_name_one && !have_one_user(lists, actions, *named, *user_key));
}

}  // namespace recmeter
