// Checks of users: those that are nobody, or no persons; and which arm of an experiment each is in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "doctor/judges.h"
#include "recmeter/base/event_time.h"

namespace recmeter::doctor {
namespace {

// A word may be an id like any other: it stands for nobody where it is more frequent than an id is.
Judged placeholders(const IdCounts& ids, std::uint64_t distinct, double threshold) {
  constexpr double times_usual = 5;
  Judged best{.of = ids.seen};
  std::string words;
  for (const auto& [word, count] : ids.placeholders) {
    if (static_cast<double>(count) * static_cast<double>(std::max<std::uint64_t>(distinct, 1)) <
        times_usual * static_cast<double>(ids.seen))
      continue;
    const Sureness sureness = above(count, ids.seen, threshold);
    if (sureness == Sureness::silent) continue;
    best.sureness = std::max(best.sureness, sureness);
    best.cases += count;
    words += (words.empty() ? "" : ", ") + fmt::format("\"{}\"", word);
  }
  best.words = {{"ids", words}};
  return best;
}

std::set<std::uint64_t> users_of(const JoinedLog& log) {
  std::set<std::uint64_t> users;
  for (const ShownList& list : log.lists()) {
    if (!list.first->nobody) users.insert(list.first->user.raw);
  }
  return users;
}

// How many lists each user has, rising.
std::vector<std::pair<std::uint64_t, std::uint64_t>> lists_by_user(const JoinedLog& log) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> users;
  for (const std::uint64_t user : users_of(log)) users.emplace_back(log.lists_of(user).size(), user);
  std::sort(users.begin(), users.end());
  return users;
}

void add_user(const Evidence& evidence, std::uint64_t user, Judged& judged, std::vector<std::string>& names) {
  const auto id = evidence.facts.regulars.find(user);
  if (id == evidence.facts.regulars.end()) return;
  judged.sureness = Sureness::certain;
  ++judged.cases;
  names.push_back(fmt::format("\"{}\"", id->second));
}

void set_not_users(const Evidence& evidence, const std::vector<std::string>& names, Judged& judged) {
  std::string list = fmt::format("{}", fmt::join(names, ", "));
  judged.words["ids"] =
      names.size() > 5 ? fmt::format("{}, ... ({} in all)", fmt::join(names.begin(), names.begin() + 5, ", "), names.size())
                       : list;
  for (const std::string& id : evidence.spec.join.key.not_users) list += fmt::format(", \"{}\"", id);
  judged.settings = {{"join.not_users", "[" + list + "]"}};
}

// Why a user of many lists is hardly a person; "": nothing says so.
std::string_view bot_sign(const Evidence& evidence, std::uint64_t user, const std::set<std::int64_t>& acted, double usual) {
  constexpr std::size_t lists_min = 50;
  constexpr double a_day = 500;
  const auto lists = evidence.log.lists_of(user);
  if (lists.size() < lists_min) return "";
  std::uint64_t acted_on = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    acted_on += acted.contains(lists[i]) ? 1U : 0U;
    if (i == 0) continue;
    const auto gap =
        static_cast<double>(evidence.log.lists()[lists[i]].first->ts - evidence.log.lists()[lists[i - 1]].first->ts);
    sum += gap;
    squares += gap * gap;
  }
  const double n = static_cast<double>(lists.size() - 1);
  const double mean = sum / n;
  if (mean > 0 && std::sqrt(std::max(0.0, squares / n - mean * mean)) < 0.2 * mean) return "lists come at even gaps";
  const double days = std::max(1.0, sum / one_day.ms);
  if (n / days > a_day && n > 20 * usual) return "over 500 lists a day";
  return share(acted_on, lists.size()) > 0.8 ? "acts on over 80 % of its lists" : "";
}

struct ArmChange {
  std::uint64_t users = 0;  // of several lists with an arm
  std::uint64_t mixed = 0;  // in several arms
  double by_chance = 0;     // as many would be mixed if arms were drawn for each list
};

ArmChange arm_change(const Evidence& evidence) {
  ArmChange change;
  std::map<std::int32_t, double> arms;
  double all = 0;
  for (const ShownList& list : evidence.log.lists()) {
    if (list.first->arm >= 0) ++arms[list.first->arm], ++all;
  }
  for (const std::uint64_t user : users_of(evidence.log)) {
    std::set<std::int32_t> seen;
    double lists = 0;
    for (const std::uint32_t list : evidence.log.lists_of(user)) {
      const std::int32_t arm = evidence.log.lists()[list].first->arm;
      if (arm >= 0) seen.insert(arm), ++lists;
    }
    if (lists < 2) continue;
    ++change.users;
    change.mixed += seen.size() > 1 ? 1U : 0U;
    double in_one = 0;
    for (const auto& [arm, count] : arms) in_one += std::pow(count / all, lists);
    change.by_chance += 1 - in_one;
  }
  return change;
}

Judgements arms(const Evidence& evidence, double threshold, bool per_list) {
  const ArmChange change = arm_change(evidence);
  Judged judged = share_above(change.mixed, change.users, threshold);
  if ((static_cast<double>(change.mixed) > change.by_chance / 2) != per_list) judged.sureness = Sureness::silent;
  judged.words = {{"key", evidence.facts.arm_key}};
  return {judged};
}

}  // namespace

Judgements placeholder_user(const Evidence& evidence, double threshold) {
  Judged judged =
      placeholders(evidence.facts.user_ids, users_of(evidence.log).size() * evidence.log.sample().one_in(), threshold);
  std::string list = judged.words["ids"];
  for (const std::string& id : evidence.spec.join.key.not_users) list += fmt::format(", \"{}\"", id);
  if (judged.sureness != Sureness::silent) judged.settings = {{"join.not_users", "[" + list + "]"}};
  return {judged};
}

Judgements placeholder_item(const Evidence& evidence, double threshold) {
  return {placeholders(evidence.facts.item_ids, evidence.log.sample().item_count(), threshold)};
}

Judgements crowded_user(const Evidence& evidence, double threshold) {
  constexpr double times = 20;
  const auto users = lists_by_user(evidence.log);
  if (users.empty()) return {};
  const double usual = static_cast<double>(users[users.size() * 99 / 100].first);
  const std::uint64_t all = evidence.log.lists().size();
  Judged judged{.of = users.size()};
  std::vector<std::string> names;
  for (auto user = users.rbegin(); user != users.rend() && static_cast<double>(user->first) > times * usual; ++user) {
    if (above(user->first, all, threshold) != Sureness::silent) add_user(evidence, user->second, judged, names);
  }
  set_not_users(evidence, names, judged);
  return {judged};
}

// One of a handful of users may well act most.
Judgements busy_user(const Evidence& evidence, double threshold) {
  constexpr std::uint64_t users_min = 10;
  const Facts::Busiest& busiest = evidence.facts.busiest;
  Judged judged = share_above(busiest.actions, busiest.of, threshold);
  if (busiest.users < users_min) judged.sureness = Sureness::silent;
  set_not_users(evidence, {fmt::format("\"{}\"", busiest.id)}, judged);
  return {judged};
}

Judgements bots(const Evidence& evidence, double /*threshold*/) {
  const auto users = lists_by_user(evidence.log);
  if (users.empty()) return {};
  const double usual = static_cast<double>(users[users.size() * 99 / 100].first);
  std::set<std::int64_t> acted;
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.in_list) acted.insert(action.list);
  }
  Judged judged{.of = users.size()};
  std::vector<std::string> names;
  std::string sign;
  for (auto user = users.rbegin(); user != users.rend(); ++user) {
    const std::string_view why = bot_sign(evidence, user->second, acted, usual);
    if (why.empty()) continue;
    if (sign.empty()) sign = why;
    add_user(evidence, user->second, judged, names);
  }
  set_not_users(evidence, names, judged);
  judged.words["sign"] = sign;
  return {judged};
}

Judgements arms_flap(const Evidence& evidence, double threshold) {
  return arms(evidence, threshold, false);
}

Judgements arms_per_list(const Evidence& evidence, double threshold) {
  return arms(evidence, threshold, true);
}

}  // namespace recmeter::doctor
