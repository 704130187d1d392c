#include "app/infer/input_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "app/infer/kind_column.h"
#include "app/infer/meeting.h"
#include "app/infer/row_lists.h"
#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

constexpr double mostly = 0.9;

std::string percent(double share) {
  return fmt::format("{:.4g} %", 100 * share);
}

struct Side {
  const LogSample* sample;
  const TimeGuess* time;
};

// A list column and the column of the items that actions are on.
struct Pair {
  const ListColumn* items = nullptr;
  const LogSample* list_sample = nullptr;
  const Column* item = nullptr;  // null: lists or flags in the record tell, or no action is known
  const LogSample* action_sample = nullptr;
  const ListColumn* flags = nullptr;
  const ListColumn* done = nullptr;  // a list of those of its entries that something was done to
  bool is_beside = false;            // actions stand in the records of lists
  double score = 0;
};

std::unordered_set<Cell> vocabulary_of(const ListColumn& list) {
  std::unordered_set<Cell> items;
  for (const auto& cells : list.cells) items.insert(cells.begin(), cells.end());
  items.erase(Cell());
  return items;
}

std::string name_of(const ListColumn& list) {
  return list.entry.empty() || list.entry.starts_with('$') ? list.path : list.path + "." + list.entry;
}

// Of entries that may be ids: how often they are several and not the same.
double list_values(const ListColumn& list) {
  std::size_t lists = 0, distinct = 0, all = 0;
  for (const auto& cells : list.cells) {
    if (cells.size() < 2) continue;
    ++lists;
    all += cells.size();
    distinct += std::set<Cell>(cells.begin(), cells.end()).size();
  }
  return lists == 0 ? 0 : Meeting::share(distinct, all);
}

// Flags that some entries of a list have and others not: who was clicked, told in the list.
const ListColumn* flags_of(const LogSample& sample, const ListColumn& list) {
  for (const ListColumn& other : sample.lists) {
    if (&other == &list || other.path != list.path || other.part != list.part) continue;
    std::size_t set = 0, all = 0;
    bool is_flag = true;
    for (const auto& cells : other.cells) {
      for (const Cell cell : cells) {
        is_flag = is_flag && (cell == "0" || cell == "1" || cell == "true" || cell == "false");
        set += cell == "1" || cell == "true" ? 1U : 0U;
        ++all;
      }
    }
    if (is_flag && set > 0 && set * 2 < all) return &other;
  }
  return nullptr;
}

// The list of the record that has some of another's entries and no others: what was done, told in a list of its own.
const ListColumn* done_of(const LogSample& sample, const ListColumn& list) {
  constexpr std::size_t few = 10;
  for (const ListColumn& other : sample.lists) {
    if (other.path == list.path) continue;
    std::size_t with = 0, within = 0, done = 0, shown = 0;
    for (std::size_t i = 0; i < list.cells.size(); ++i) {
      if (other.cells[i].empty()) continue;
      ++with;
      done += other.cells[i].size();
      shown += list.cells[i].size();
      within += std::ranges::all_of(other.cells[i],
                                    [&](Cell cell) { return std::ranges::find(list.cells[i], cell) != list.cells[i].end(); })
                    ? 1U
                    : 0U;
    }
    if (with >= few && within * 100 >= with * 98 && done * 2 < shown) return &other;
  }
  return nullptr;
}

// The share of actions whose items lists have, and whether the actions stand beside their lists.
double fits(const LogSample& list_sample, const ListColumn& list, const std::unordered_set<Cell>& items,
            const LogSample& action_sample, const Column& item, bool& is_beside) {
  std::size_t in_own = 0, beside = 0, known = 0, apart = 0;
  for (std::size_t i = 0; i < item.cells.size(); ++i) {
    const Cell cell = item.cells[i];
    if (cell.empty()) continue;
    if (&list_sample == &action_sample && !list.cells[i].empty()) {
      ++beside;
      in_own += std::ranges::find(list.cells[i], cell) != list.cells[i].end() ? 1U : 0U;
    } else {
      ++apart;
      known += items.contains(cell) ? 1U : 0U;
    }
  }
  is_beside = beside * 2 > list.present;
  if (is_beside) return Meeting::share(in_own, beside);
  return apart < 10 ? 0 : Meeting::share(known, apart);
}

// Items are several, not the same ones, and no times.
bool may_be_items(const ListColumn& list, const TimeGuess& time) {
  if (list.entry == "$2" || list_values(list) < 0.5) return false;
  std::vector<Cell> firsts;
  for (const auto& cells : list.cells) {
    if (!cells.empty()) firsts.push_back(cells.front());
  }
  return !are_times(firsts, time);
}

std::vector<Pair> find_pairs(const std::vector<Side>& sides) {
  std::vector<Pair> pairs;
  for (const Side& lists : sides) {
    for (const ListColumn& list : lists.sample->lists) {
      const auto items = vocabulary_of(list);
      if (items.size() < 5 || !may_be_items(list, *lists.time)) continue;
      const double values = list_values(list);
      const double named = std::max(name_score(Role::items, list.path), name_score(Role::item_id, name_of(list)));
      if (const ListColumn* flags = flags_of(*lists.sample, list)) {
        pairs.push_back({.items = &list, .list_sample = lists.sample, .flags = flags, .score = score_of(named, values, 1)});
        continue;
      }
      if (const ListColumn* done = done_of(*lists.sample, list)) {
        pairs.push_back({.items = &list, .list_sample = lists.sample, .done = done, .score = score_of(named, values, 1)});
        continue;
      }
      for (const Side& actions : sides) {
        for (const Column& item : actions.sample->columns) {
          if (item.path == list.path) continue;
          Pair pair{.items = &list, .list_sample = lists.sample, .item = &item, .action_sample = actions.sample};
          const double share = fits(*lists.sample, list, items, *actions.sample, item, pair.is_beside);
          if (share < 0.5 || are_times(item.cells, *actions.time)) continue;
          pair.score = score_of((named + name_score(Role::item_id, item.path)) / 2, values, share);
          pairs.push_back(pair);
        }
      }
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater(), &Pair::score);
  return pairs;
}

// Lists of which no action is known; they have the name of such ones.
std::optional<Pair> find_lists_alone(const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    for (const ListColumn& list : side.sample->lists) {
      const bool is_named = name_score(Role::items, list.path) == 1;
      if (!is_named || vocabulary_of(list).size() < 5 || !may_be_items(list, *side.time)) continue;
      return Pair{.items = &list, .list_sample = side.sample};
    }
  }
  return std::nullopt;
}

// By record, whether it has the list.
std::vector<bool> has_list(const ListColumn& list) {
  std::vector<bool> has;
  for (const auto& cells : list.cells) has.push_back(!cells.empty());
  return has;
}

std::string items_source(const ListColumn& list) {
  if (list.separator.empty()) return yaml_text(list.path);
  const std::string part = list.part.empty() ? "" : fmt::format(", part: {}", yaml_text(list.part));
  return fmt::format("{{at: {}, {}: {}{}}}", yaml_text(list.path), list.is_written ? "list" : "split",
                     yaml_text(list.separator), part);
}

// Adds where an event's items stand, and their ids within.
void add_items(const ListColumn& items, EventGuess& event) {
  event.fields.emplace_back("items", items_source(items));
  if (!items.entry.empty()) event.fields.emplace_back("items.item_id", yaml_text(items.entry));
}

// Lists of `pair.list_sample` and, where it is the same, its actions.
void add_events(LogGuess& guess, InputGuess& input, const Pair& pair) {
  const bool has_lists = input.sample == pair.list_sample;
  const bool has_actions = input.sample == pair.action_sample;
  const Column* type = find_kind_column(*input.sample, has_lists ? has_list(*pair.items) : std::vector<bool>(), pair.item);
  EventGuess impression{.type = "impression", .when = {}, .fields = {}, .entries = {}, .evidence = {}};
  if (has_lists) {
    add_items(*pair.items, impression);
    impression.evidence = fmt::format("{} of {} records have the list", pair.items->present, input.sample->records);
    const bool has_others = pair.items->present < input.sample->records || input.sample->bulk_lines > 0;
    if (has_others) impression.when.emplace_back(yaml_text(pair.items->path), "\"*\"");
    input.events.push_back(impression);
  }
  if (pair.flags != nullptr) {
    EventGuess click{.type = {},
                     .when = impression.when,
                     .fields = impression.fields,
                     .entries = {},
                     .evidence = "a flag behind an entry"};
    const bool is_text = pair.flags->entry == "$2";
    click.entries.emplace_back(yaml_text(pair.flags->entry), is_text                             ? "1"
                                                             : pair.flags->cells.front().empty() ? "true"
                                                                                                 : "[1, true]");
    return add_action(guess, input, "click", std::move(click));
  }
  if (pair.done != nullptr) {
    EventGuess event{
        .type = {}, .when = impression.when, .fields = {}, .entries = {}, .evidence = "some of the list's entries"};
    add_items(*pair.done, event);
    const bool is_known = action_word(pair.done->path).is_known();
    if (!is_known) event.evidence = fmt::format("UNSURE: were the entries of {} clicked?", pair.done->path);
    return add_action(guess, input, is_known ? pair.done->path : "click", std::move(event));
  }
  if (!has_actions) return;
  const std::vector<std::pair<std::string, std::string>> item{{"item_id", yaml_text(pair.item->path)}};
  const std::unordered_set<Cell> shown = vocabulary_of(*pair.items);
  std::map<Cell, std::pair<std::size_t, std::size_t>> words;  // how many actions each has, and how many on items of lists
  for (std::size_t i = 0; type != nullptr && i < type->cells.size(); ++i) {
    const bool is_list = has_lists && !pair.items->cells[i].empty();
    if (pair.item->cells[i].empty() || type->cells[i].empty() || (is_list && !pair.is_beside)) continue;
    auto& [all, known] = words[type->cells[i]];
    ++all;
    known += shown.contains(pair.item->cells[i]) ? 1U : 0U;
  }
  for (const auto& [word, counts] : words) {
    if (counts.second * 2 < counts.first) continue;
    add_action(
        guess, input, word,
        {.type = {}, .when = {{yaml_text(type->path), yaml_text(word)}}, .fields = item, .entries = {}, .evidence = {}});
  }
  const bool has_clicks = std::ranges::find(guess.actions, "click", &ActionWord::action) != guess.actions.end();
  for (EventGuess& event : input.events) {
    if (event.type != "view" || has_clicks) continue;
    event.evidence = "UNSURE: is it a click on the list, or was the list only seen? A view has gain 0";
  }
  if (type == nullptr) {
    add_action(guess, input, "click",
               {.type = {}, .when = {{yaml_text(pair.item->path), "\"*\""}}, .fields = item, .entries = {}, .evidence = {}});
  }
}

// Columns that may be the id of somebody or something: several values, not one for all, and no list.
bool may_be_id(const LogSample& sample, const Column& column) {
  if (std::ranges::find(sample.lists, column.path, &ListColumn::path) != sample.lists.end()) return false;
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
  return candidates;
}

std::vector<Candidate> user_candidates(const std::vector<Key>& keys, const Column* list_id) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Meeting& meeting = keys[i].meeting;
    if (keys[i].list == list_id || meeting.latest_share() < 0.4) continue;
    const double name =
        std::max(name_score(Role::user_id, keys[i].list->path), name_score(Role::user_id, keys[i].action->path));
    const double repeats = std::min(1.0, 3 * Meeting::share(meeting.several, meeting.keys));
    candidates.push_back({.value = keys[i].list->path,
                          .evidence = fmt::format("{} of {} actions are on the newest list of theirs",
                                                  percent(meeting.latest_share()), meeting.actions),
                          .score = score_of(name, repeats, meeting.latest_share()),
                          .index = i});
  }
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
const Column* own_list_id(const InputGuess& input, const Pair& pair, const std::string& user) {
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
void add_made_list_id(InputGuess& input, const Pair& pair, const std::string& user) {
  const std::string second = pair.is_beside ? yaml_text(pair.items->path) : yaml_text(input.time.column->path);
  Choice made{.role = Role::list_id, .best = {}, .runner_up = {}, .question = {}};
  made.best.value = user.empty() ? second : fmt::format("{{join: [{}, {}]}}", user, second);
  made.best.evidence = "no column is an id of lists: made of two";
  made.best.score = sure_score;
  if (const Column* own = pair.is_beside ? nullptr : own_list_id(input, pair, user); own != nullptr) {
    made.best.value = yaml_text(own->path);
    made.best.evidence = "another one for each list; no action names it";
  }
  for (EventGuess& event : input.events) {
    if (event.type == "impression" || pair.is_beside || pair.flags != nullptr) continue;
    event.fields.emplace_back("list_id", "null");
  }
  input.choices.push_back(std::move(made));
}

// Whether each value of the one goes with one value of the other, which has fewer.
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

// Columns of lists with their actions in the same record: joint use says nothing, so ids are told by how often they repeat.
void choose_beside(InputGuess& input, const Pair& pair) {
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
      lists.push_back({column.path, repeated, score_of(name_score(Role::list_id, column.path), 1, distinct), 0});
    } else if (distinct < 0.98) {
      const double repeats = distinct > 0.9 ? 0.5 : 1;
      users.push_back({column.path, repeated, score_of(name_score(Role::user_id, column.path), repeats, 1), c});
    }
  }
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

void choose_apart(LogGuess& guess, const Pair& pair, const ListSide& lists, const ActionSide& actions) {
  const std::vector<Key> keys = find_keys(lists, actions);
  std::vector<Candidate> list_ids = list_candidates(keys);
  const Column* list_id = nullptr;
  Choice list;
  if (!list_ids.empty()) {
    list = choose(Role::list_id, list_ids);
    list_id = keys[list.best.index].list;
  }
  const std::vector<Candidate> users = user_candidates(keys, list_id);
  std::string user;
  if (!users.empty()) {
    Choice choice = choose(Role::user_id, users);
    user = yaml_text(choice.best.value);
    add_choice(guess.inputs, actions, choice, keys);
  }
  if (list_id == nullptr) {
    for (InputGuess& input : guess.inputs) {
      if (input.sample == &lists.sample) add_made_list_id(input, pair, user);
    }
    return;
  }
  add_choice(guess.inputs, actions, list, keys);
  const Meeting& named = keys[list.best.index].meeting;
  guess.joins_by_list = users.empty() || (named.any_share() > 0.99 && named.actions == actions.item.present);
}

// Of what no other field is made of.
void add_segments(InputGuess& input, const ListColumn& items) {
  std::vector<std::string> used{input.time.column->path};
  const auto use = [&used, &input](const std::string& text) {
    for (const Column& column : input.sample->columns) {
      if (text.find(column.path) != std::string::npos) used.push_back(column.path);
    }
  };
  for (const Choice& choice : input.choices) use(choice.best.value);
  for (const EventGuess& event : input.events) {
    for (const auto& [path, pattern] : event.when) use(path);
    for (const auto& [field, source] : event.fields) use(source);
  }
  input.segments = guess_segments(*input.sample, items, used);
}

}  // namespace

void add_action(LogGuess& guess, InputGuess& input, std::string_view word, EventGuess event) {
  const ActionWord action = action_word(word);
  event.type = action.action;
  if (!action.is_known()) event.evidence = fmt::format("UNSURE: what `{}` is worth; gain 1 is a guess", word);
  if (action.sense == ActionWord::Sense::rejected) event.evidence = "less of it is wanted, or it is taken back: gain 0";
  const auto known = std::ranges::find(guess.actions, action.action, &ActionWord::action);
  if (known == guess.actions.end()) guess.actions.push_back(action);
  input.events.push_back(std::move(event));
}

std::optional<LogGuess> guess_log(const std::vector<LogSample>& samples, EventTime now, std::size_t attempt) {
  std::vector<TimeGuess> times;
  std::vector<Side> sides;
  times.reserve(samples.size());
  for (const LogSample& sample : samples) {
    auto time = guess_time(sample, now);
    if (!time) return std::nullopt;
    times.push_back(std::move(*time));
    sides.push_back({&sample, &times.back()});
  }
  std::vector<Pair> pairs = find_pairs(sides);
  if (pairs.empty() && attempt == 0 && samples.size() == 1) {
    if (auto rows = guess_rows(samples.front(), times.front())) return rows;
    if (const auto alone = find_lists_alone(sides)) pairs.push_back(*alone);
  }
  if (attempt >= pairs.size()) return std::nullopt;
  const Pair& pair = pairs[attempt];
  LogGuess guess;
  for (const Side& side : sides) {
    InputGuess& input = guess.inputs.emplace_back();
    input.sample = side.sample;
    input.time = *side.time;
    add_events(guess, input, pair);
  }
  const auto time_of = [&](const LogSample* sample) -> const TimeGuess& {
    return *std::ranges::find(sides, sample, &Side::sample)->time;
  };
  guess.repeats_lists = pair.is_beside;
  if (pair.is_beside || pair.item == nullptr) {
    for (InputGuess& input : guess.inputs) {
      if (input.sample == pair.list_sample) choose_beside(input, pair);
    }
  } else {
    choose_apart(guess, pair, {*pair.list_sample, *pair.items, time_of(pair.list_sample)},
                 {*pair.action_sample, *pair.item, time_of(pair.action_sample)});
  }
  for (InputGuess& input : guess.inputs) {
    if (input.sample == pair.list_sample) add_segments(input, *pair.items);
  }
  return guess;
}

}  // namespace recmeter
