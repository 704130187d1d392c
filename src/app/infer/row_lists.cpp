#include "app/infer/row_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "app/infer/meeting.h"
#include "app/infer/yaml_text.h"
#include "recmeter/base/read_number.h"

namespace recmeter {
namespace {

struct Range {
  double least = 0;
  double most = 0;
  bool is_whole = true;  // no fractions
  std::size_t distinct = 0;
};

// Of a column of numbers; nothing where it has others.
std::optional<Range> range_of(const Column& column) {
  Range range;
  std::set<double> values;
  for (const Cell cell : column.cells) {
    if (cell.empty()) continue;
    const auto number = read_number<double>(cell);
    if (!number) return std::nullopt;
    range.least = values.empty() ? *number : std::min(range.least, *number);
    range.most = values.empty() ? *number : std::max(range.most, *number);
    range.is_whole = range.is_whole && *number == static_cast<double>(static_cast<std::int64_t>(*number));
    if (values.size() <= 1000) values.insert(*number);
  }
  range.distinct = values.size();
  return values.empty() ? std::nullopt : std::optional(range);
}

bool is_all_there(const LogSample& sample, const Column& column) {
  return column.present * 100 >= sample.records * 98;
}

// Records by the value of one column, or of two.
using Groups = std::map<std::pair<Cell, Cell>, std::vector<std::size_t>>;

Groups groups_of(const Column& one, const Column* other) {
  Groups groups;
  for (std::size_t i = 0; i < one.cells.size(); ++i) {
    if (!one.cells[i].empty()) groups[{one.cells[i], other == nullptr ? Cell() : other->cells[i]}].push_back(i);
  }
  return groups;
}

// How well places number the records of a group without gaps, each once, from 0 or 1: the share of groups of several.
double numbering(const Groups& groups, const Column& places) {
  std::size_t several = 0, numbered = 0;
  for (const auto& [key, records] : groups) {
    if (records.size() < 2) continue;
    ++several;
    std::set<double> seen;
    for (const std::size_t i : records) {
      if (const auto place = read_number<double>(places.cells[i])) seen.insert(*place);
    }
    const bool is_whole = seen.size() == records.size() && !seen.empty() && (*seen.begin() == 0 || *seen.begin() == 1) &&
                          *seen.rbegin() == *seen.begin() + static_cast<double>(seen.size()) - 1;
    numbered += is_whole ? 1U : 0U;
  }
  return several * 3 < groups.size() ? 0 : Meeting::share(numbered, several);
}

struct RowKey {
  const Column* position = nullptr;
  const Column* list = nullptr;  // the id of a list, or
  const Column* with = nullptr;  // with the time
  double score = 0;
};

std::vector<RowKey> find_row_keys(const LogSample& sample, const TimeGuess& time) {
  std::vector<RowKey> keys;
  for (const Column& position : sample.columns) {
    const auto range = range_of(position);
    if (!is_all_there(sample, position) || !range || !range->is_whole || range->distinct < 2 || range->most > 1000) continue;
    if (range->least != 0 && range->least != 1) continue;
    for (const Column& list : sample.columns) {
      if (&list == &position || &list == time.column || !is_all_there(sample, list)) continue;
      const double alone = numbering(groups_of(list, nullptr), position);
      const double timed = alone > 0.5 ? 0 : numbering(groups_of(list, time.column), position);
      const double joint = std::max(alone, timed);
      if (joint < 0.5) continue;
      const double name = (name_score(Role::position, position.path) + name_score(Role::list_id, list.path)) / 2;
      keys.push_back(
          {&position, &list, timed > alone ? time.column : nullptr, score_of(name, timed > alone ? 0.8 : 1, joint)});
    }
  }
  std::ranges::stable_sort(keys, std::ranges::greater(), &RowKey::score);
  return keys;
}

bool is_flag(const Column& column) {
  std::set<Cell> values(column.cells.begin(), column.cells.end());
  values.erase(Cell());
  return values == std::set<Cell>{"0", "1"} || values == std::set<Cell>{"true", "false"};
}

// Each with how often its values come again, over lists and not within one.
std::vector<Candidate> item_candidates(const LogSample& sample, const RowKey& key, const std::set<const Column*>& taken) {
  const Groups lists = groups_of(*key.list, key.with);
  std::vector<Candidate> candidates;
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    const Column& column = sample.columns[c];
    if (taken.contains(&column) || !is_all_there(sample, column) || is_flag(column)) continue;
    const auto range = range_of(column);
    if (range && !range->is_whole) continue;
    std::size_t distinct = 0, all = 0;
    std::unordered_set<Cell> values;
    for (const auto& [id, records] : lists) {
      std::set<Cell> within;
      for (const std::size_t i : records) within.insert(column.cells[i]);
      distinct += within.size();
      all += records.size();
      values.insert(within.begin(), within.end());
    }
    if (values.size() < 3) continue;
    const double again = std::min(1.0, static_cast<double>(all) / (3.0 * static_cast<double>(values.size())));
    const double joint = Meeting::share(distinct, all);
    if (joint < 0.5) continue;
    candidates.push_back({column.path, fmt::format("{} values, {:.3g} % differ within a list", values.size(), 100 * joint),
                          score_of(name_score(Role::item_id, column.path), again, joint), c});
  }
  return candidates;
}

// Each is one for all records of a list.
std::vector<Candidate> user_candidates(const LogSample& sample, const RowKey& key, const std::set<const Column*>& taken) {
  const Groups lists = groups_of(*key.list, key.with);
  std::vector<Candidate> candidates;
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    const Column& column = sample.columns[c];
    if (taken.contains(&column) || !is_all_there(sample, column) || column.as_boolean > 0) continue;
    std::size_t one = 0;
    std::unordered_set<Cell> values;
    for (const auto& [id, records] : lists) {
      const bool is_one =
          std::ranges::all_of(records, [&](std::size_t i) { return column.cells[i] == column.cells[records.front()]; });
      one += is_one ? 1U : 0U;
      values.insert(column.cells[records.front()]);
    }
    const auto range = range_of(column);
    if (values.size() < 5 || values.size() * 20 < lists.size() || (range && !range->is_whole)) continue;
    const double joint = Meeting::share(one, lists.size());
    if (joint < 0.95) continue;
    candidates.push_back({column.path, fmt::format("{} values in {} lists", values.size(), lists.size()),
                          score_of(name_score(Role::user_id, column.path), values.size() < lists.size() ? 1 : 0.5, joint),
                          c});
  }
  return candidates;
}

Choice choice_of(Role role, std::string value, std::string evidence, double score) {
  return {.role = role, .best = {std::move(value), std::move(evidence), score, 0}, .runner_up = {}, .question = {}};
}

// What is clicked: by a flag, or by the word that a few records have.
void add_clicks(const LogSample& sample, LogGuess& guess, InputGuess& input) {
  for (const Column& column : sample.columns) {
    if (!is_flag(column)) continue;
    const auto set = static_cast<std::size_t>(
        std::ranges::count_if(column.cells, [](Cell cell) { return cell == "1" || cell == "true"; }));
    if (set * 2 > column.present) continue;
    const Cell word = column.cells.front() == "0" || column.cells.front() == "1" ? "1" : "true";
    input.events.push_back({.type = "click",
                            .when = {{yaml_text(column.path), std::string(word)}},
                            .fields = {{"position", "null"}},
                            .entries = {},
                            .evidence = fmt::format("{} of {} records", set, column.present)});
    guess.actions.push_back(action_word("click"));
    return;
  }
}

std::optional<LogGuess> guess_lists(const LogSample& sample, const TimeGuess& time, const RowKey& key) {
  LogGuess guess;
  InputGuess& input = guess.inputs.emplace_back();
  input.sample = &sample;
  input.time = time;
  input.events.push_back(
      {.type = "impression", .when = {}, .fields = {}, .entries = {}, .evidence = "a record is a place of a list"});
  std::set<const Column*> taken{key.position, key.list, time.column};
  const std::vector<Candidate> items = item_candidates(sample, key, taken);
  if (items.empty()) return std::nullopt;
  Choice item = choose(Role::item_id, items);
  taken.insert(&sample.columns[item.best.index]);
  item.best.value = yaml_text(item.best.value);
  const std::string id = key.with == nullptr
                             ? yaml_text(key.list->path)
                             : fmt::format("{{join: [{}, {}]}}", yaml_text(key.list->path), yaml_text(key.with->path));
  input.choices.push_back(choice_of(Role::list_id, id, "groups whose places count up without a gap", key.score));
  input.choices.push_back(std::move(item));
  input.choices.push_back(choice_of(Role::position, yaml_text(key.position->path), "they count up without gaps", key.score));
  taken.erase(key.list);
  if (key.with == nullptr) taken.insert(key.list);
  const std::vector<Candidate> users = user_candidates(sample, key, taken);
  guess.joins_by_list = true;
  if (!users.empty()) {
    Choice user = choose(Role::user_id, users);
    user.best.value = yaml_text(user.best.value);
    if (!user.is_unsure()) input.choices.push_back(std::move(user));
  }
  for (const Column& column : sample.columns) {
    const auto range = range_of(column);
    if (!range || range->is_whole || range->least <= 0 || range->most > 1 || name_score(Role::propensity, column.path) == 0)
      continue;
    input.choices.push_back(choice_of(Role::propensity, yaml_text(column.path), "between 0 and 1", 7));
  }
  add_clicks(sample, guess, input);
  return guess.actions.empty() ? std::nullopt : std::optional(std::move(guess));
}

// A few numbers that users give items.
std::optional<LogGuess> guess_ratings(const LogSample& sample, const TimeGuess& time) {
  std::vector<Candidate> values, ids;
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    const Column& column = sample.columns[c];
    if (!is_all_there(sample, column) || &column == time.column) continue;
    const auto range = range_of(column);
    if (range && range->distinct >= 2 && range->distinct <= 20 && range->least >= 0 && range->most <= 100) {
      values.push_back({column.path, fmt::format("{:g} to {:g}", range->least, range->most),
                        score_of(name_score(Role::rating, column.path), 1, 1), c});
    } else if (!range || range->is_whole) {
      std::unordered_set<Cell> distinct(column.cells.begin(), column.cells.end());
      ids.push_back({column.path, fmt::format("{} values", distinct.size()), static_cast<double>(distinct.size()), c});
    }
  }
  if (values.empty() || ids.size() != 2) return std::nullopt;
  LogGuess guess;
  guess.has_lists = false;
  InputGuess& input = guess.inputs.emplace_back();
  input.sample = &sample;
  input.time = time;
  for (const Role role : {Role::user_id, Role::item_id}) {
    std::vector<Candidate> candidates;
    const auto named = [&](std::size_t i) { return name_score(role, ids[i].value); };
    for (std::size_t i = 0; i < ids.size(); ++i) {
      // Users come first in nearly all such logs; a name says more.
      const double joint = named(i) != named(1 - i)              ? (named(i) > named(1 - i) ? 1 : 0)
                           : (role == Role::user_id) == (i == 0) ? 0.6
                                                                 : 0.4;
      candidates.push_back({ids[i].value, ids[i].evidence, score_of(named(i), 1, joint), i});
    }
    Choice id = choose(role, std::move(candidates));
    id.best.value = yaml_text(id.best.value);
    input.choices.push_back(std::move(id));
  }
  Choice value = choose(Role::rating, values);
  value.best.value = yaml_text(value.best.value);
  input.choices.push_back(std::move(value));
  input.events.push_back({.type = "rating", .when = {}, .fields = {}, .entries = {}, .evidence = {}});
  guess.actions.push_back(action_word("rating"));
  return guess;
}

}  // namespace

std::optional<LogGuess> guess_rows(const LogSample& sample, const TimeGuess& time) {
  for (const RowKey& key : find_row_keys(sample, time)) {
    if (auto guess = guess_lists(sample, time, key)) return guess;
  }
  return guess_ratings(sample, time);
}

}  // namespace recmeter
