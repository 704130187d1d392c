#include "app/infer/list_actions.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "app/infer/kind_column.h"
#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

constexpr std::size_t actions_min = 10;

// The column of a choice; null: it is made of several, or there is none.
const Column* column_of(const InputGuess& input, Role role) {
  const auto choice = std::ranges::find(input.choices, role, &Choice::role);
  if (choice == input.choices.end()) return nullptr;
  const auto is_it = [&](const Column& column) { return yaml_text(column.path) == choice->best.value; };
  const auto column = std::ranges::find_if(input.sample->columns, is_it);
  return column == input.sample->columns.end() ? nullptr : &*column;
}

// The column whose cells are most often such as `fits` says, by record, of those of which nearly all are; null: none is.
template <class Fits>
const Column* most_fitting(const InputGuess& input, const Fits& fits) {
  const Column* best = nullptr;
  std::size_t most = 0;
  for (const Column& column : input.sample->columns) {
    if (&column == input.time.column || column.present < actions_min) continue;
    std::size_t count = 0;
    for (std::size_t i = 0; i < column.cells.size(); ++i) count += !column.cells[i].empty() && fits(column, i) ? 1U : 0U;
    if (count * 100 < column.present * 98 || count * 2 < input.sample->records || count <= most) continue;
    best = &column;
    most = count;
  }
  return best;
}

void add_field(InputGuess& input, Role role, const Column& column, const char* evidence) {
  Choice choice{.role = role, .best = {}, .runner_up = {}, .question = {}};
  choice.best = {.value = yaml_text(column.path), .evidence = evidence, .score = sure_score};
  input.choices.push_back(std::move(choice));
}

}  // namespace

bool add_list_actions(const InputGuess& lists, LogGuess& guess, InputGuess& actions) {
  const Column* const list_id = column_of(lists, Role::list_id);
  if (list_id == nullptr) return false;
  const Column* const user = column_of(lists, Role::user_id);
  std::unordered_map<Cell, Cell> user_of;
  for (std::size_t i = 0; i < list_id->cells.size(); ++i) {
    if (!list_id->cells[i].empty()) user_of.try_emplace(list_id->cells[i], user == nullptr ? Cell() : user->cells[i]);
  }
  const Column* const named =
      most_fitting(actions, [&](const Column& column, std::size_t i) { return user_of.contains(column.cells[i]); });
  if (named == nullptr) return false;
  const Column* const kind = find_kind_column(*actions.sample, {}, named);
  if (kind == nullptr) return false;
  std::set<Cell> words;
  for (std::size_t i = 0; i < named->cells.size(); ++i) {
    if (user_of.contains(named->cells[i]) && !kind->cells[i].empty()) words.insert(kind->cells[i]);
  }
  add_field(actions, Role::list_id, *named, "names the list");
  const Column* const own_user = most_fitting(actions, [&](const Column& column, std::size_t i) {
    const auto of = user_of.find(named->cells[i]);
    return of != user_of.end() && of->second == column.cells[i];
  });
  if (own_user != nullptr) add_field(actions, Role::user_id, *own_user, "that of the list");
  guess.joins_by_list = guess.joins_by_list || own_user == nullptr;
  for (const Cell word : words) {
    ActionWord action = action_word(word);
    const auto is_it = [&action](const ActionWord& one) { return one.action == action.action; };
    const bool is_known = std::ranges::any_of(guess.actions, is_it);
    if (is_known && !guess.on_lists.contains(action.action)) action.action += "_list";  // is done to items, too
    if (guess.on_lists.insert(action.action).second) guess.actions.push_back(action);
    actions.events.push_back({.type = action.action,
                              .when = {{yaml_text(kind->path), yaml_text(word)}},
                              .fields = {},
                              .entries = {},
                              .evidence = "done to a whole list"});
  }
  return true;
}

}  // namespace recmeter
