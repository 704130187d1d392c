#include "app/infer/input_guess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "app/infer/entry_flags.h"
#include "app/infer/join_columns.h"
#include "app/infer/kind_column.h"
#include "app/infer/list_actions.h"
#include "app/infer/list_pair.h"
#include "app/infer/row_lists.h"
#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

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

// Adds an action of `pair` by a flag of the entries of `impression`.
void add_flag(LogGuess& guess, InputGuess& input, const ListPair& pair, const ListColumn& flag,
              const EventGuess& impression) {
  const std::string name = flag_name(flag);
  const bool is_behind = flag.entry == "$2";  // its path is that of the items
  const bool is_known = !is_behind && action_word(name).is_known();
  EventGuess event{.type = {},
                   .when = impression.when,
                   .fields = impression.fields,
                   .entries = {},
                   .evidence = is_behind  ? "a flag behind an entry"
                               : is_known ? "a flag of each entry"
                                          : fmt::format("UNSURE: were the entries clicked for which {} is set?", name)};
  std::string place = flag.entry;
  if (!is_within(flag, *pair.items)) {
    // Records without labels say nothing of what was done.
    if (flag.present < pair.items->present) {
      const bool has_first =
          std::ranges::none_of(flag.cells, [](const auto& cells) { return !cells.empty() && cells.front().empty(); });
      const bool may_be_empty = flag.separator.empty() && has_first;  // which is no null, and has no first
      event.when.emplace_back(yaml_text(may_be_empty ? flag.path + "[0]" : flag.path), "\"*\"");
    }
    event.fields = {{"items", fmt::format("{{zip: [{}, {}]}}", items_source(*pair.items), items_source(flag))},
                    {"items.item_id", yaml_text(pair.items->entry.empty() ? "$1" : "$1." + pair.items->entry)}};
    place = flag.entry.empty() ? "$2" : "$2." + flag.entry;
  }
  std::vector<std::string> values;
  for (const std::string& value : set_values(flag)) {
    values.push_back(value == "1" || value == "true" ? value : yaml_text(value));
  }
  const std::string set = values.size() == 1 ? values.front() : fmt::format("[{}]", fmt::join(values, ", "));
  event.entries.emplace_back(yaml_text(place), set);
  add_action(guess, input, is_known ? name : "click", std::move(event));
}

// Lists of `pair.list_sample` and, where it is the same, its actions.
void add_events(LogGuess& guess, InputGuess& input, const ListPair& pair) {
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
  for (const ListColumn* flag : pair.flags) add_flag(guess, input, pair, *flag, impression);
  if (!pair.flags.empty()) return;
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
// Tells whether a source of a field or a condition has the path: as a whole, not as a part of a longer one.
bool has_path(std::string_view text, std::string_view path) {
  const auto is_of_path = [](char c) {
    return is_small(c) || is_capital(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  };
  for (std::size_t at = 0; (at = text.find(path, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + path.size();
    if ((at == 0 || !is_of_path(text[at - 1])) && (end == text.size() || !is_of_path(text[end]))) return true;
  }
  return false;
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

void add_segments(InputGuess& input, const ListRecords& lists) {
  std::vector<std::string> used{input.time.column->path};
  const Column* user = nullptr;
  for (const Column& column : input.sample->columns) {
    const std::string path = yaml_text(column.path);
    bool is_used = false;
    for (const Choice& choice : input.choices) {
      if (choice.role == Role::user_id && choice.best.value == path) user = &column;
      is_used = is_used || has_path(choice.best.value, column.path);
    }
    for (const EventGuess& event : input.events) {
      for (const auto& [condition, pattern] : event.when) is_used = is_used || condition == path;
      for (const auto& [field, source] : event.fields) is_used = is_used || has_path(source, column.path);
    }
    if (is_used) used.push_back(column.path);
  }
  input.segments = guess_segments(*input.sample, lists, user, used);
  EventTime first = plus_infinity;
  for (const auto& records : lists) {
    for (const std::size_t i : records) first = input.time.times[i] ? std::min(first, *input.time.times[i]) : first;
  }
  input.first_list = first;
}

std::optional<LogGuess> guess_log(const std::vector<LogSample>& samples, EventTime now, std::size_t attempt) {
  std::vector<TimeGuess> times;
  std::vector<TimedSample> sides;
  times.reserve(samples.size());
  for (const LogSample& sample : samples) {
    auto time = guess_time(sample, now);
    if (!time) return std::nullopt;
    times.push_back(std::move(*time));
    sides.push_back({&sample, &times.back()});
  }
  std::vector<ListPair> pairs = find_pairs(sides);
  if (pairs.empty() && attempt == 0 && samples.size() == 1) {
    if (auto rows = guess_rows(samples.front(), times.front())) return rows;
    if (const auto alone = find_lists_alone(sides)) pairs.push_back(*alone);
  }
  if (attempt >= pairs.size()) return std::nullopt;
  const ListPair& pair = pairs[attempt];
  LogGuess guess;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const TimedSample& side = sides[i];
    // Where the records of lists tell what was done, others tell nothing of their items.
    if (pair.item == nullptr && side.sample != pair.list_sample) continue;
    InputGuess& input = guess.inputs.emplace_back();
    input.number = i;
    input.sample = side.sample;
    input.time = *side.time;
    add_events(guess, input, pair);
  }
  const auto time_of = [&](const LogSample* sample) -> const TimeGuess& {
    return *std::ranges::find(sides, sample, &TimedSample::sample)->time;
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
  for (std::size_t i = 0; i < sides.size() && pair.item == nullptr; ++i) {
    if (sides[i].sample == pair.list_sample) continue;
    InputGuess actions;
    actions.number = i;
    actions.sample = sides[i].sample;
    actions.time = *sides[i].time;
    if (add_list_actions(guess.inputs.front(), guess, actions)) {
      guess.inputs.push_back(std::move(actions));
    } else {
      guess.unread.push_back(sides[i].sample->file);
    }
  }
  for (InputGuess& input : guess.inputs) {
    if (input.sample != pair.list_sample) continue;
    ListRecords lists;
    for (std::size_t i = 0; i < pair.items->cells.size(); ++i) {
      if (!pair.items->cells[i].empty()) lists.push_back({i});
    }
    add_segments(input, lists);
  }
  return guess;
}

}  // namespace recmeter
