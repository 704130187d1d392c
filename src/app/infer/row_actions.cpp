#include "app/infer/row_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "app/infer/flag_words.h"
#include "app/infer/kind_column.h"
#include "app/infer/name_words.h"
#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

constexpr std::size_t few_records = 10;

std::size_t rows_of(const RowLists& rows) {
  return static_cast<std::size_t>(std::ranges::count(rows.is_row, true));
}

// A flag that some rows have and others of their list have not, and that does not go with the item as its price does.
bool is_action_flag(const RowLists& rows, const Column& column) {
  if (!is_flag(column)) return false;
  std::size_t set = 0, with = 0, whole = 0;
  for (const auto& list : rows.lists) {
    const auto here = static_cast<std::size_t>(std::ranges::count_if(list, [&](auto i) { return is_set(column.cells[i]); }));
    set += here;
    with += here > 0 ? 1U : 0U;
    whole += here == list.size() && list.size() > 1 ? 1U : 0U;
  }
  if (set == 0 || set * 2 > rows_of(rows) || whole * 2 > with) return false;
  struct OfItem {
    std::size_t shown = 0, set = 0;
  };
  std::unordered_map<Cell, OfItem> items;
  for (std::size_t i = 0; i < rows.is_row.size(); ++i) {
    if (!rows.is_row[i]) continue;
    OfItem& item = items[rows.item.cells[i]];
    ++item.shown;
    item.set += is_set(column.cells[i]) ? 1U : 0U;
  }
  std::size_t often = 0, mixed = 0;
  for (const auto& [id, item] : items) {
    if (item.set == 0 || item.shown < 3) continue;
    ++often;
    mixed += item.set < item.shown ? 1U : 0U;
  }
  return often < few_records || mixed * 5 > often;
}

std::string name_of(const Column& column) {
  const std::size_t dot = column.path.rfind('.');
  return dot == std::string::npos ? column.path : column.path.substr(dot + 1);
}

// Seeing is no action yet, and what was done may stand elsewhere.
bool is_of_seeing(const Column& column) {
  return action_word(name_of(column)).sense == ActionWord::Sense::seen;
}

// The word for what a column says that happened; a click where its name says nothing.
std::string word_of(const Column& column) {
  return action_word(name_of(column)).is_known() ? name_of(column) : "click";
}

void add_flags(const RowLists& rows, LogGuess& guess, InputGuess& input) {
  std::vector<const Column*> flags;
  for (const Column& column : rows.sample.columns) {
    if (!is_of_seeing(column) && is_action_flag(rows, column)) flags.push_back(&column);
  }
  // Of several those count whose names say what was done.
  const auto is_named = [](const Column* column) { return action_word(column->path).is_known(); };
  if (std::ranges::any_of(flags, is_named)) std::erase_if(flags, [&](const Column* flag) { return !is_named(flag); });
  for (const Column* flag : flags) {
    const auto set = static_cast<std::size_t>(std::ranges::count_if(flag->cells, is_set));
    const Cell word = *std::ranges::find_if(flag->cells, is_set);
    EventGuess event{.type = {},
                     .when = {{yaml_text(flag->path), word == "1" || word == "true" ? std::string(word) : yaml_text(word)}},
                     .fields = {{"position", "null"}},
                     .entries = {},
                     .evidence = fmt::format("{} of {} records", set, flag->present)};
    if (!is_named(flag) && flags.size() > 1) {
      event.evidence = fmt::format("UNSURE: were items clicked where {} is set, or where {} is?", flag->path, flags[1]->path);
    }
    add_action(guess, input, word_of(*flag), std::move(event));
    if (!is_named(flag)) return;
  }
}

// Times of some rows that are not before their own: when something was done to the item.
void add_times(const RowLists& rows, LogGuess& guess, InputGuess& input) {
  for (const Column& column : rows.sample.columns) {
    const bool is_sparse = column.present >= few_records && column.present * 2 <= rows_of(rows);
    if (&column == rows.time.column || !is_sparse || is_of_seeing(column)) continue;
    const auto times = times_of(column, rows.time);
    std::size_t read = 0, after = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!times[i] || !rows.time.times[i]) continue;
      ++read;
      after += *times[i] >= *rows.time.times[i] ? 1U : 0U;
    }
    if (read * 100 < column.present * 98 || after * 100 < read * 98) continue;
    const bool is_named = action_word(column.path).is_known();  // rows are updated and loaded later, too
    add_action(guess, input, word_of(column),
               {.type = {},
                .when = {{yaml_text(column.path), "\"*\""}},
                .fields = {{"ts", time_source(column, rows.time)}, {"position", "null"}},
                .entries = {},
                .evidence = is_named ? fmt::format("{} of {} records say when", column.present, rows.sample.records)
                                     : fmt::format("UNSURE: was the item clicked at {}?", column.path)});
  }
}

struct OtherRecords {
  const Column* type = nullptr;
  const Column* item = nullptr;               // what they are on
  std::map<Cell, std::size_t> on_items = {};  // by word, those on items of lists
  std::size_t known = 0;
};

std::optional<OtherRecords> other_records(const RowLists& rows, const Column* type) {
  std::unordered_set<Cell> shown;
  for (std::size_t i = 0; i < rows.is_row.size(); ++i) {
    if (rows.is_row[i]) shown.insert(rows.item.cells[i]);
  }
  OtherRecords best{.type = type};
  for (const Column& column : rows.sample.columns) {
    OtherRecords others{.type = best.type, .item = &column};
    std::size_t all = 0;
    for (std::size_t i = 0; i < rows.is_row.size(); ++i) {
      if (rows.is_row[i] || column.cells[i].empty()) continue;
      ++all;
      if (!shown.contains(column.cells[i])) continue;
      ++others.known;
      if (others.type != nullptr) ++others.on_items[others.type->cells[i]];
    }
    const bool is_better = others.known > best.known || (others.known == best.known && &column == &rows.item);
    if (others.known >= few_records && others.known * 2 >= all && is_better) best = std::move(others);
  }
  return best.item == nullptr ? std::nullopt : std::optional(std::move(best));
}

void add_others(const RowLists& rows, const OtherRecords& others, LogGuess& guess, InputGuess& input) {
  std::vector<std::pair<std::string, std::string>> fields{{"position", "null"}};
  if (rows.are_moments) fields.emplace_back("list_id", "null");
  if (others.item != &rows.item) fields.emplace_back("item_id", yaml_text(others.item->path));
  if (others.type == nullptr) {
    return add_action(guess, input, "click",
                      {.type = {},
                       .when = {{yaml_text(rows.position.path), "null"}, {yaml_text(others.item->path), "\"*\""}},
                       .fields = fields,
                       .entries = {},
                       .evidence = {}});
  }
  for (const auto& [word, count] : others.on_items) {
    add_action(guess, input, word,
               {.type = {},
                .when = {{yaml_text(others.type->path), yaml_text(word)}},
                .fields = fields,
                .entries = {},
                .evidence = {}});
  }
}

// Which records are rows.
std::vector<std::pair<std::string, std::string>> condition_of(const RowLists& rows, const Column* type) {
  if (std::ranges::find(rows.is_row, false) == rows.is_row.end()) return {};
  if (type == nullptr) return {{yaml_text(rows.position.path), "\"*\""}};
  std::set<std::string> words;
  for (std::size_t i = 0; i < rows.is_row.size(); ++i) {
    if (rows.is_row[i]) words.insert(yaml_text(type->cells[i]));
  }
  const std::string text = words.size() == 1 ? *words.begin() : fmt::format("[{}]", fmt::join(words, ", "));
  return {{yaml_text(type->path), text}};
}

}  // namespace

void add_row_events(const RowLists& rows, LogGuess& guess, InputGuess& input) {
  const Column* const type = find_kind_column(rows.sample, rows.is_row, &rows.item);
  const auto others = other_records(rows, type);
  input.events.push_back({.type = "impression",
                          .when = condition_of(rows, type),
                          .fields = {},
                          .entries = {},
                          .evidence = "a record is a place of a list"});
  if (others) add_others(rows, *others, guess, input);
  add_flags(rows, guess, input);
  add_times(rows, guess, input);
}

}  // namespace recmeter
