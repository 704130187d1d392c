#include "app/infer/shortfall.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

#include "app/infer/action_words.h"
#include "app/infer/flag_words.h"
#include "app/infer/input_guess.h"
#include "app/infer/kind_column.h"
#include "app/infer/list_pair.h"
#include "app/infer/name_words.h"
#include "app/infer/row_lists.h"
#include "app/infer/time_guess.h"
#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

constexpr std::size_t kinds_of_files_max = 2;
constexpr std::size_t example_bytes = 40;

// One of the files, and the parts of it that there are.
struct Side {
  const LogSample* sample = nullptr;
  std::optional<TimeGuess> time = {};
  const Column* user = nullptr;
  const Column* item = nullptr;
};

std::string quoted(std::string_view text) {
  return yaml_text(text.substr(0, example_bytes));
}

std::string example_of(const Column& column) {
  const auto first = std::ranges::find_if(column.cells, [](Cell cell) { return !cell.empty(); });
  return first == column.cells.end() ? "nothing" : quoted(*first);
}

std::size_t values_of(const Column& column) {
  std::unordered_set<Cell> values(column.cells.begin(), column.cells.end());
  values.erase(Cell());
  return values.size();
}

// "`sku` of clicks.csv"; of one file without its name.
std::string place_of(std::string_view path, const LogSample& sample, std::size_t files) {
  return fmt::format("`{}`{}", path, files > 1 ? " of " + sample.file : "");
}

// Best by its name; null: none has such a name.
const Column* named_column(const LogSample& sample, Role role) {
  const Column* best = nullptr;
  double best_score = 0;
  for (const Column& column : sample.columns) {
    const double score = column.as_boolean > 0 ? 0 : name_score(role, column.path);
    if (score > best_score) best = &column, best_score = score;
  }
  return best;
}

// Repeated as ids of users and items are, by no name.
const Column* repeated_column(const Side& side) {
  const Column* best = nullptr;
  std::size_t most = 0;
  for (const Column& column : side.sample->columns) {
    const bool is_taken = (side.time && side.time->column == &column) || &column == side.user || &column == side.item;
    const std::size_t values = values_of(column);
    if (is_taken || column.as_boolean > 0 || column.as_double > 0 || values < 5 || values * 10 > column.present * 9) continue;
    if (values > most) best = &column, most = values;
  }
  return best;
}

std::string no_time(const Side& side, EventTime now, std::size_t files) {
  const LogSample& sample = *side.sample;
  const std::optional<NearTime> near = nearest_time(sample, now);
  constexpr std::string_view by_hand =
      "name its form, such as unit: {pattern: \"%d.%m.%Y %H:%M:%S\"}, and its place, fields: {ts: ...}";
  if (!near) return fmt::format("no column of {} has times or is called like one", sample.file);
  const Column& column = *near->column;
  const std::string place = place_of(column.path, sample, files);
  if (near->times == 0) {
    return fmt::format("nearest is {}, by its name; but no value, such as {}, is a time in a form that is known; {}", place,
                       example_of(column), by_hand);
  }
  if (near->times * 100 < column.present * 98) {
    return fmt::format("nearest is {}; but only {} of its {} values are times; {}", place, near->times, column.present,
                       by_hand);
  }
  return fmt::format("nearest is {}; but only {} of {} records have it, and each event needs a time", place, column.present,
                     sample.records);
}

// Why a list is none of items; "": it may be one.
std::string fault_of(const ListColumn& list, const std::optional<TimeGuess>& time) {
  std::size_t longest = 0;
  std::vector<Cell> firsts;
  for (const auto& cells : list.cells) {
    longest = std::max(longest, std::set<Cell>(cells.begin(), cells.end()).size());
    if (!cells.empty()) firsts.push_back(cells.front());
  }
  if (list.entry == "$2") return "what stands there belongs to the entries before it";
  if (longest < 2) return "no record has two different entries in it";
  if (const std::size_t entries = vocabulary_of(list).size(); entries < 5) {
    return fmt::format("it has only {} different entries", entries);
  }
  return time && are_times(firsts, *time) ? "its entries are times" : "";
}

struct NearClick {
  const Column* column = nullptr;
  const Side* side = nullptr;
  std::size_t on_list = 0;  // how many of its values are on a list
  [[nodiscard]] double share() const {
    return column == nullptr ? 0 : static_cast<double>(on_list) / static_cast<double>(column->present);
  }
};

// The column whose values lists have most often.
NearClick nearest_click(const std::vector<Side>& sides, const ListColumn& list) {
  const std::unordered_set<Cell> shown = vocabulary_of(list);
  NearClick best;
  for (const Side& side : sides) {
    for (const Column& column : side.sample->columns) {
      if (column.path == list.path || column.present == 0) continue;
      const auto known = static_cast<std::size_t>(
          std::ranges::count_if(column.cells, [&](Cell cell) { return !cell.empty() && shown.contains(cell); }));
      const NearClick near{&column, &side, known};
      if (near.share() > best.share()) best = near;
    }
  }
  return best;
}

struct NearList {
  const ListColumn* list = nullptr;
  const Side* side = nullptr;
  std::string fault;  // "": it may be one
  [[nodiscard]] std::string place(std::size_t files) const {
    const bool is_of_entry = !list->entry.empty() && !list->entry.starts_with('$');
    return place_of(is_of_entry ? list->path + "." + list->entry : list->path, *side->sample, files);
  }
};

// Best one that may be a list of items, and is called so. The words of a text are a list, too, if by neither name nor use.
std::optional<NearList> nearest_list(const std::vector<Side>& sides) {
  std::optional<NearList> best;
  double best_score = -1;
  for (const Side& side : sides) {
    for (const ListColumn& list : side.sample->lists) {
      const bool is_time = side.time && side.time->column->path == list.path;
      if (is_time || name_score(Role::time, list.path) == 1) continue;
      NearList near{&list, &side, fault_of(list, side.time)};
      const double named = name_score(Role::items, list.path) + name_score(Role::item_id, list.entry);
      if (near.fault.empty() && named == 0 && nearest_click(sides, list).on_list == 0)
        near.fault = "its name does not say so, and nothing else has its entries";
      const double score = (near.fault.empty() ? 10 : 0) + named;
      if (score > best_score) best = std::move(near), best_score = score;
    }
  }
  return best;
}

std::string no_list(const std::vector<Side>& sides, const std::optional<NearList>& near) {
  constexpr std::string_view by_hand = "name it as fields: {items: ...}, with list_id or user_id beside it";
  if (near) return fmt::format("nearest is {}; but {}; {}", near->place(sides.size()), near->fault, by_hand);
  for (const Side& side : sides) {
    if (const Column* text = named_column(*side.sample, Role::items);
        text != nullptr && name_score(Role::items, text->path) == 1) {
      return fmt::format(
          "nearest is {}, by its name; but no separator that is known cuts its texts, such as {}, into several; name it as "
          "fields: {{items: {{at: {}, split: ...}}}}",
          place_of(text->path, *side.sample, sides.size()), example_of(*text), yaml_text(text->path));
    }
  }
  for (const Side& side : sides) {
    if (const Column* rank = named_column(*side.sample, Role::position)) {
      return fmt::format(
          "nearest is {}, which is called like a place in a list; but no other column groups records whose places count up "
          "without a gap; name the list's id as fields: {{position: {}, list_id: ...}}",
          place_of(rank->path, *side.sample, sides.size()), yaml_text(rank->path));
    }
  }
  for (const Side& side : sides) {
    if (const Column* id = named_column(*side.sample, Role::list_id); id != nullptr && id != side.item && id != side.user) {
      return fmt::format("nearest is {}, which is called like the id of one; but nothing says what such a list showed: {}",
                         place_of(id->path, *side.sample, sides.size()), "is that in another file? Name it, too");
    }
  }
  return "no column has several items in a record, and none counts places; is what was shown in another file? Name it, too";
}

// The nearest of a role that is told by its name.
std::string no_named(const std::vector<Side>& sides, Role role) {
  const std::string name = role == Role::user_id ? "user_id" : "item_id";
  const Side* of = nullptr;
  const Column* best = nullptr;
  for (const Side& side : sides) {
    const Column* column = repeated_column(side);
    if (column != nullptr && (best == nullptr || values_of(*column) > values_of(*best))) best = column, of = &side;
  }
  if (best == nullptr)
    return fmt::format("no column is called like one, and none has ids that come again; fields: {{{}: ...}}", name);
  return fmt::format(
      "nearest is {}, with {} values in {} records, such as {}; but neither its name nor a list says so; if it "
      "is one, fields: {{{}: {}}}",
      place_of(best->path, *of->sample, sides.size()), values_of(*best), best->present, example_of(*best), name,
      yaml_text(best->path));
}

// Says what happened, by its name or its words.
const Column* kind_of(const Side& side) {
  return find_kind_column(*side.sample, {}, side.item);
}

std::string words_text(const Column& column) {
  const std::set<Cell> words(column.cells.begin(), column.cells.end());
  std::string text;
  for (const Cell word : words) {
    if (!word.empty()) text += (text.empty() ? "" : ", ") + quoted(word);
  }
  return text;
}

std::string no_click(const std::vector<Side>& sides, const NearList* list, const NearClick& near) {
  if (near.column != nullptr) {
    return fmt::format(
        "nearest is {}; but only {} of its {} values are items of {}, and half would do; are ids written alike "
        "in both?",
        place_of(near.column->path, *near.side->sample, sides.size()), near.on_list, near.column->present,
        list->place(sides.size()));
  }
  for (const Side& side : sides) {
    if (const Column* kind = kind_of(side)) {
      return fmt::format("nearest is {}, with the words {}; but {}", place_of(kind->path, *side.sample, sides.size()),
                         words_text(*kind),
                         list != nullptr ? "no column beside it has items of the lists" : "there are no lists to click on");
    }
  }
  for (const Side& side : sides) {
    const auto& columns = side.sample->columns;
    const auto seen = std::ranges::find_if(columns, [](const Column& column) {
      return is_flag(column) && action_word(column.path).sense == ActionWord::Sense::seen;
    });
    if (seen == columns.end()) continue;
    return fmt::format(
        "nearest is {}; but it says what was seen, which is no click; are the clicks in another file? Name it, too",
        place_of(seen->path, *side.sample, sides.size()));
  }
  return "no column says what was done, and none has items of a list; are the clicks in another file? Name it, too";
}

bool tells_actions(const Side& side) {
  const Column* kind = kind_of(side);
  if (kind == nullptr) return false;
  return std::ranges::any_of(kind->cells, [](Cell cell) { return !cell.empty() && action_word(cell).is_known(); });
}

// Writes what users did as a configuration for recmeter prequential. Requires: time, user and item.
std::string actions_alone(const Side& side) {
  LogGuess guess;
  guess.has_lists = false;
  InputGuess& input = guess.inputs.emplace_back();
  input.sample = side.sample;
  input.time = *side.time;
  for (const auto& [role, column] : {std::pair(Role::user_id, side.user), std::pair(Role::item_id, side.item)}) {
    input.choices.push_back(
        {.role = role, .best = {yaml_text(column->path), "by its name", sure_score, 0}, .runner_up = {}, .question = {}});
  }
  const EventGuess event{.type = {}, .when = {}, .fields = {}, .entries = {}, .evidence = {}};
  if (const Column* kind = kind_of(side)) {
    for (const Cell word : std::set<Cell>(kind->cells.begin(), kind->cells.end())) {
      if (word.empty() || !action_word(word).is_known()) continue;
      EventGuess own = event;
      own.when.emplace_back(yaml_text(kind->path), yaml_text(word));
      add_action(guess, input, word, std::move(own));
    }
  }
  if (input.events.empty()) add_action(guess, input, "click", event);
  return guess_text(guess, {{.sample = 0, .files = {side.sample->file}}}, {});
}

std::string lines_to_complete(const std::vector<Side>& sides) {
  std::string text = "inputs:\n";
  for (const Side& side : sides) {
    const auto path = [](const Column* column) { return column == nullptr ? "..." : yaml_text(column->path); };
    const std::string file = sides.size() > 1 ? fmt::format("file: [{}], ", yaml_text(side.sample->file)) : "";
    const bool is_pattern = side.time && side.time->unit.find('%') != std::string::npos;
    const std::string unit = !side.time   ? "..."
                             : is_pattern ? fmt::format("{{pattern: {}}}", yaml_text(side.time->unit))
                                          : side.time->unit;
    text += fmt::format("  - {{{}unit: {},{} fields: {{ts: {}, user_id: {}, item_id: {}, list_id: ..., items: ...}},\n", file,
                        unit, side.time && side.time->needs_zone ? " zone: UTC," : "",
                        path(side.time ? side.time->column : nullptr), path(side.user), path(side.item));
    text += "     events: [{type: impression, when: {...: ...}}, {type: click, when: {...: ...}}]}\n";
  }
  return text + "join: {actions: {click: {gain: 1}}}\n";
}

}  // namespace

Shortfall shortfall_of(const std::vector<LogSample>& samples, const std::vector<InputFiles>& inputs, EventTime now) {
  std::vector<Side> sides;
  for (const InputFiles& input : inputs) {
    Side side{.sample = &samples[input.sample]};
    side.time = guess_time(*side.sample, now);
    side.user = named_column(*side.sample, Role::user_id);
    side.item = named_column(*side.sample, Role::item_id);
    if (side.item == side.user) side.item = nullptr;
    sides.push_back(std::move(side));
  }
  Shortfall shortfall;
  const auto miss = [&shortfall](std::string part, std::string nearest) {
    shortfall.missing.push_back({std::move(part), std::move(nearest)});
  };
  if (sides.size() > kinds_of_files_max) {
    miss("pair of files",
         fmt::format("the files have {} different sets of columns, and at most {} are compared, one of lists "
                     "and one of clicks; name the files of two alone",
                     sides.size(), kinds_of_files_max));
  }
  const auto has = [&sides](const Column* Side::* column) {
    return std::ranges::any_of(sides, [column](const Side& side) { return side.*column != nullptr; });
  };
  for (const Side& side : sides) {
    if (!side.time) miss("time", no_time(side, now, sides.size()));
  }
  const std::optional<NearList> near = nearest_list(sides);
  const bool has_rows =
      std::ranges::any_of(sides, [](const Side& side) { return side.time && numbers_lists(*side.sample, *side.time); });
  const NearList* const list = near && near->fault.empty() ? &*near : nullptr;
  const bool has_list = has_rows || list != nullptr;
  if (!has(&Side::user)) miss("user", no_named(sides, Role::user_id));
  if (!has(&Side::item) && (has_rows || !has_list)) miss("item", no_named(sides, Role::item_id));
  if (!has_list) miss("list", no_list(sides, near));
  const bool has_times = std::ranges::all_of(sides, [](const Side& side) { return side.time.has_value(); });
  const NearClick click = list == nullptr ? NearClick() : nearest_click(sides, *list->list);
  // Lists whose clicks are known would have been proposed.
  const bool has_clicks = has_list && has_times ? false : click.share() >= 0.5 || std::ranges::any_of(sides, tells_actions);
  if (!has_clicks) miss("click", no_click(sides, list, click));
  shortfall.is_complete = sides.size() == 1 && has_times && !has_list && has(&Side::user) && has(&Side::item);
  shortfall.by_hand = shortfall.is_complete ? actions_alone(sides.front()) : lines_to_complete(sides);
  return shortfall;
}

}  // namespace recmeter
