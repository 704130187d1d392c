#include "app/infer/arm_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "recmeter/base/words.h"
#include "recmeter/experiment/arm_names.h"

namespace recmeter {
namespace {

constexpr std::size_t arms_max = 5;

// Values as only arms have them: a control, new and old, or A and B.
bool are_arm_values(const std::set<Cell>& values) {
  std::set<std::string> words, wholes;
  for (const Cell value : values) {
    for (std::string& word : words_in(value)) words.insert(std::move(word));
    wholes.insert(in_lower_case(value));
  }
  const auto has = [&words](const char* word) { return words.contains(word); };
  if (has("control") || has("baseline") || has("treatment") || (has("old") && has("new")) || (has("alt") && has("neu")))
    return true;
  const bool are_letters =
      std::ranges::all_of(wholes, [](const std::string& whole) { return whole.size() == 1 && whole >= "a" && whole <= "e"; });
  return are_letters && wholes.contains("a") && wholes.contains("b");
}

struct Spread {
  std::map<Cell, std::size_t> of_value;  // users by their first value; lists where no users are known
  std::size_t all = 0;
  std::size_t several = 0;   // users with two lists or more
  std::size_t changing = 0;  // of these, those with more than one value
};

// Looks at the lists from number `from` on.
Spread spread_of(const std::vector<Cell>& values, const std::vector<Cell>& users, std::size_t from) {
  struct OfUser {
    Cell first;
    std::size_t lists = 0;
    bool changes = false;
  };
  std::map<Cell, OfUser> by_user;
  Spread spread;
  for (std::size_t i = from; i < values.size(); ++i) {
    if (values[i].empty()) continue;
    if (users.empty()) ++spread.of_value[values[i]];
    if (users.empty() || users[i].empty()) continue;
    OfUser& user = by_user[users[i]];
    if (user.lists++ == 0) user.first = values[i];
    user.changes = user.changes || user.first != values[i];
  }
  for (const auto& [id, user] : by_user) {
    ++spread.of_value[user.first];
    spread.several += user.lists > 1 ? 1U : 0U;
    spread.changing += user.changes ? 1U : 0U;
  }
  for (const auto& [value, count] : spread.of_value) spread.all += count;
  return spread;
}

// Why it is none; "": it is one.
std::string objection(const Spread& spread, std::size_t values, std::string_view of) {
  if (values > arms_max) return fmt::format("it has {} values, and experiments two to five", values);
  if (spread.changing * 100 > spread.several) {
    return fmt::format("{} of {} users with several lists have several values", spread.changing, spread.several);
  }
  for (const auto& [value, count] : spread.of_value) {
    if (count * 20 < spread.all) return fmt::format("{} of {} {} have the value {}", count, spread.all, of, value);
  }
  return "";
}

// The first list of a second value: before it nothing was compared yet.
std::size_t second_value(const std::vector<Cell>& values) {
  const auto is_there = [](Cell value) { return !value.empty(); };
  const auto first = std::ranges::find_if(values, is_there);
  const auto second = std::find_if(first, values.end(), [&](Cell value) { return is_there(value) && value != *first; });
  return static_cast<std::size_t>(second - values.begin());
}

struct Control {
  std::string value;
  std::string why;
};

Control control_of(const Spread& spread) {
  std::vector<std::string> values;
  for (const auto& [value, count] : spread.of_value) values.emplace_back(value);
  if (auto named = named_control(values)) return {std::move(*named), "as it is called so"};
  const auto most = std::ranges::max_element(spread.of_value, {}, [](const auto& each) { return each.second; });
  return {std::string(most->first), "the most frequent, since none is called so"};
}

}  // namespace

ArmGuess guess_arm(std::string_view path, const std::vector<Cell>& values, const std::vector<Cell>& users) {
  std::set<Cell> distinct(values.begin(), values.end());
  distinct.erase(Cell());
  ArmGuess guess;
  if (distinct.size() < 2 || (!is_arm_name(path) && !are_arm_values(distinct))) return guess;
  const std::string_view of = users.empty() ? "lists" : "users";
  Spread spread = spread_of(values, users, 0);
  guess.evidence = objection(spread, distinct.size(), of);
  if (!guess.evidence.empty()) {
    // Users of the control before are of other arms since the experiment has begun.
    Spread since = spread_of(values, users, second_value(values));
    if (since.of_value.size() == distinct.size() && objection(since, distinct.size(), of).empty()) {
      spread = std::move(since);
      guess.evidence.clear();
    }
  }
  guess.is_arm = guess.evidence.empty() && spread.of_value.size() > 1;
  if (!guess.is_arm) return guess;
  for (const auto& [value, count] : spread.of_value) guess.values.emplace_back(value);
  const Control control = control_of(spread);
  guess.control = control.value;
  guess.evidence = fmt::format("{}; {} is the control, {}",
                               users.empty()         ? "no users are known, so lists are compared"
                               : spread.several == 0 ? "no user has two lists"
                                                     : fmt::format("{} of {} users with several lists have one value",
                                                                   spread.several - spread.changing, spread.several),
                               control.value, control.why);
  return guess;
}

}  // namespace recmeter
