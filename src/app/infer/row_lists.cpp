#include "app/infer/row_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

#include "app/infer/flag_words.h"
#include "app/infer/kind_column.h"
#include "app/infer/meeting.h"
#include "app/infer/row_actions.h"
#include "app/infer/yaml_text.h"
#include "config/config.h"
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

// Which records are places of lists.
using Rows = std::vector<std::size_t>;

Rows all_records(const LogSample& sample) {
  Rows rows(sample.records);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

Rows rows_with(const Column& position) {
  Rows rows;
  for (std::size_t i = 0; i < position.cells.size(); ++i) {
    if (!position.cells[i].empty()) rows.push_back(i);
  }
  return rows;
}

// Those of the word that the most of them have, where a column says what happened: actions may say a position, too.
Rows rows_of_kind(const LogSample& sample, const Column& position, const Rows& rows) {
  const Column* const kind = find_kind_column(sample, {}, nullptr);
  if (kind == nullptr || kind == &position) return {};
  std::map<Cell, Rows> by_word;
  for (const std::size_t i : rows) by_word[kind->cells[i]].push_back(i);
  const auto most = std::ranges::max_element(by_word, {}, [](const auto& word) { return word.second.size(); });
  return most->second.size() == rows.size() ? Rows() : most->second;
}

bool is_all_there(const Rows& rows, const Column& column) {
  const auto there = std::ranges::count_if(rows, [&](std::size_t i) { return !column.cells[i].empty(); });
  return static_cast<std::size_t>(there) * 100 >= rows.size() * 98;
}

// Rows by the value of one column, or of two.
using Groups = std::map<std::pair<Cell, Cell>, Rows>;

Groups groups_of(const Rows& rows, const Column& one, const Column* other) {
  Groups groups;
  for (const std::size_t i : rows) {
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
  Rows rows = {};
};

void add_keys(const LogSample& sample, const TimeGuess& time, const Column& position, const Rows& rows,
              std::vector<RowKey>& keys) {
  for (const Column& list : sample.columns) {
    if (&list == &position || &list == time.column || !is_all_there(rows, list)) continue;
    const double alone = numbering(groups_of(rows, list, nullptr), position);
    const double timed = alone > 0.5 ? 0 : numbering(groups_of(rows, list, time.column), position);
    const double joint = std::max(alone, timed);
    if (joint < 0.5) continue;
    const double name = (name_score(Role::position, position.path) + name_score(Role::list_id, list.path)) / 2;
    keys.push_back(
        {&position, &list, timed > alone ? time.column : nullptr, score_of(name, timed > alone ? 0.8 : 1, joint), rows});
  }
}

std::vector<RowKey> find_row_keys(const LogSample& sample, const TimeGuess& time) {
  std::vector<RowKey> keys;
  for (const Column& position : sample.columns) {
    const auto range = range_of(position);
    const bool are_ranks =
        range && range->is_whole && range->distinct >= 2 && range->most <= 1000 && (range->least == 0 || range->least == 1);
    if (!are_ranks || position.present * 5 < sample.records) continue;
    const Rows rows = rows_with(position);
    const std::size_t before = keys.size();
    add_keys(sample, time, position, rows, keys);
    if (keys.size() > before) continue;
    if (const Rows of_kind = rows_of_kind(sample, position, rows); !of_kind.empty()) {
      add_keys(sample, time, position, of_kind, keys);
    }
  }
  std::ranges::stable_sort(keys, std::ranges::greater(), &RowKey::score);
  return keys;
}

// Each with how often its values come again, over lists and not within one.
std::vector<Candidate> item_candidates(const LogSample& sample, const RowKey& key, const std::set<const Column*>& taken) {
  const Groups lists = groups_of(key.rows, *key.list, key.with);
  std::vector<Candidate> candidates;
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    const Column& column = sample.columns[c];
    if (taken.contains(&column) || !is_all_there(key.rows, column) || is_flag(column)) continue;
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
  const Groups lists = groups_of(key.rows, *key.list, key.with);
  std::vector<Candidate> candidates;
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    const Column& column = sample.columns[c];
    if (taken.contains(&column) || !is_all_there(key.rows, column) || column.as_boolean > 0) continue;
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

// Tells whether nearly all records that name a list, be they rows of it or not, have one user for it.
bool is_one_user(const LogSample& sample, const RowKey& key, const Column& user) {
  const auto list_of = [&key](std::size_t i) {
    return std::pair(key.list->cells[i], key.with == nullptr ? Cell() : key.with->cells[i]);
  };
  std::map<std::pair<Cell, Cell>, Cell> users;
  for (const std::size_t i : key.rows) users.try_emplace(list_of(i), user.cells[i]);
  std::size_t named = 0, other = 0;
  for (std::size_t i = 0; i < sample.records; ++i) {
    const auto list = users.find(list_of(i));
    if (key.list->cells[i].empty() || list == users.end()) continue;
    ++named;
    other += user.cells[i].empty() || user.cells[i] != list->second ? 1U : 0U;
  }
  return other * 100 <= named;
}

Choice choice_of(Role role, std::string value, std::string evidence, double score) {
  return {.role = role, .best = {std::move(value), std::move(evidence), score, 0}, .runner_up = {}, .question = {}};
}

// How long after the first place of its list each other place came. A place that is taken begins another list.
std::vector<Duration> delays_of(const Groups& lists, const Column& position, const TimeGuess& time) {
  std::vector<Duration> delays;
  for (const auto& [id, records] : lists) {
    std::vector<std::size_t> in_order;
    std::ranges::copy_if(records, std::back_inserter(in_order), [&](std::size_t i) { return time.times[i].has_value(); });
    std::ranges::stable_sort(in_order, {}, [&](std::size_t i) { return *time.times[i]; });
    std::set<Cell> taken;
    EventTime first;
    for (const std::size_t i : in_order) {
      if (!taken.insert(position.cells[i]).second) taken = {position.cells[i]};
      if (taken.size() == 1) first = *time.times[i];
      if (taken.size() > 1) delays.push_back(*time.times[i] - first);
    }
  }
  std::ranges::sort(delays);
  return delays;
}

// The smallest that takes 99 % of the rows, where the default does not.
std::optional<Duration> assemble_for(const std::vector<Duration>& delays) {
  constexpr std::array<std::int64_t, 11> seconds{15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600};
  if (delays.empty()) return std::nullopt;
  const Duration most = delays[(delays.size() - 1) * 99 / 100];
  if (most < Config().spec.join.assemble) return std::nullopt;
  const auto enough = std::ranges::find_if(seconds, [&](std::int64_t each) { return most.ms < each * 1000; });
  return Duration{(enough == seconds.end() ? seconds.back() : *enough) * 1000};
}

std::optional<LogGuess> guess_lists(const LogSample& sample, const TimeGuess& time, const RowKey& key) {
  LogGuess guess;
  InputGuess& input = guess.inputs.emplace_back();
  input.sample = &sample;
  input.time = time;
  std::set<const Column*> taken{key.position, key.list, time.column};
  const std::vector<Candidate> items = item_candidates(sample, key, taken);
  if (items.empty()) return std::nullopt;
  Choice item = choose(Role::item_id, items);
  const std::size_t item_index = item.best.index;
  taken.insert(&sample.columns[item_index]);
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
  if (Choice user = users.empty() ? Choice() : choose(Role::user_id, users); !users.empty() && !user.is_unsure()) {
    guess.joins_by_list = !is_one_user(sample, key, sample.columns[user.best.index]);
    user.best.value = yaml_text(user.best.value);
    input.choices.push_back(std::move(user));
  }
  for (const Column& column : sample.columns) {
    const auto range = range_of(column);
    if (!range || range->is_whole || range->least <= 0 || range->most > 1 || name_score(Role::propensity, column.path) == 0)
      continue;
    input.choices.push_back(choice_of(Role::propensity, yaml_text(column.path), "between 0 and 1", 7));
  }
  const Groups lists = groups_of(key.rows, *key.list, key.with);
  RowLists rows{.sample = sample,
                .time = time,
                .item = sample.columns[item_index],
                .position = *key.position,
                .lists = {},
                .is_row = std::vector<bool>(sample.records, false),
                .are_moments = key.with != nullptr};
  for (const auto& [key_of, records] : lists) rows.lists.push_back(records);
  for (const std::size_t i : key.rows) rows.is_row[i] = true;
  add_row_events(rows, guess, input);
  add_segments(input, rows.lists);
  guess.assemble = assemble_for(delays_of(lists, *key.position, time));
  return guess.actions.empty() ? std::nullopt : std::optional(std::move(guess));
}

// A few numbers that users give items.
std::optional<LogGuess> guess_ratings(const LogSample& sample, const TimeGuess& time) {
  std::vector<Candidate> values, ids;
  const Rows all = all_records(sample);
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    const Column& column = sample.columns[c];
    if (!is_all_there(all, column) || &column == time.column) continue;
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

bool numbers_lists(const LogSample& sample, const TimeGuess& time) {
  return !find_row_keys(sample, time).empty();
}

std::optional<LogGuess> guess_rows(const LogSample& sample, const TimeGuess& time) {
  for (const RowKey& key : find_row_keys(sample, time)) {
    if (auto guess = guess_lists(sample, time, key)) return guess;
  }
  return guess_ratings(sample, time);
}

}  // namespace recmeter
