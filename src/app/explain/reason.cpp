#include "app/explain/reason.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "recmeter/join/balance.h"
#include "recmeter/join/credit_rule.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/result/render.h"

namespace recmeter::explain {

namespace {

constexpr std::array credit_words{"last_touch", "first_touch", "every_touch"};

HorizonMask bit(std::size_t horizon) {
  return HorizonMask{1} << horizon;
}

bool is_this(const WatchedCredit& credit, const WatchedList& list) {
  return credit.ts == list.ts && credit.list_id == list.list_id;
}

const WatchedCredit* credit_at(const WatchedFeedback& feedback, const WatchedList& list, std::size_t horizon, bool here) {
  const auto found = std::find_if(feedback.credits.begin(), feedback.credits.end(), [&](const WatchedCredit& credit) {
    return is_this(credit, list) == here && ((credit.counted | credit.repeated) & bit(horizon)) != 0;
  });
  return found == feedback.credits.end() ? nullptr : &*found;
}

// Where it went instead; empty when nowhere.
std::string elsewhere(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon) {
  const WatchedCredit* other = credit_at(feedback, context.list, horizon, false);
  if (other == nullptr) return "";
  const bool counted = (other->counted & bit(horizon)) != 0;
  std::string text = counted ? "credited to list " : "repeated on list ";
  text += other->list_id + " shown " + delay_text(other->ts - context.list.ts) + " from this one";
  const auto rule = static_cast<std::size_t>(context.rule.credit);
  return feedback.list_id.empty() ? text + " (" + credit_words[rule] + ")" : text;
}

std::string credited_here(const ReasonContext& context, const WatchedFeedback& feedback) {
  if (context.rule.actions[feedback.action].on_list) return "credited to this list as a whole";
  const double gain = context.rule.actions[feedback.action].gain;
  const std::string text = "credited to this list: rank " + std::to_string(rank_of(context.list, feedback.item));
  const Action& action = context.rule.actions[feedback.action];
  if (action.undoes) return text + ", takes back a " + context.rule.actions[*action.after].name;
  if (gain > 0 && !feedback.is_relevant) {
    const std::string bound = action.from ? "below " + four_decimals(*action.from)
                                          : std::string("not above the mean of what the user rated before");
    const std::string rated = feedback.value ? four_decimals(*feedback.value) + ", " + bound : std::string("without a value");
    return text + ", rated " + rated + ": counted, not relevant";
  }
  return text + (gain > 0 ? ", gain " + four_decimals(gain) : ", gain 0: counted, not relevant");
}

// The rank at which the item was shown too late for the feedback, as the delay of its row.
std::optional<Duration> shown_later(const ReasonContext& context, const WatchedFeedback& feedback) {
  std::optional<Duration> later;
  for (const ExplainedItem& item : context.items) {
    if (item.item != feedback.item || !item.shown_after) continue;
    if (credit_rule::is_shown_by(context.list.ts + *item.shown_after, feedback.ts, context.rule.skew)) return std::nullopt;
    later = std::min(later.value_or(*item.shown_after), *item.shown_after);
  }
  return later;
}

bool is_in_range(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon) {
  const Duration reach = context.rule.reach(feedback.action, context.rule.horizons[horizon]);
  return credit_rule::is_in_time(feedback.ts - context.list.ts, reach, context.rule.skew);
}

// Says whether all that the user did on this item by this action within the list's range was taken back there. [S4.16]
bool is_undone(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon) {
  const std::vector<std::size_t> undone = credit_rule::undone_actions(context.rule);
  if (undone[feedback.action] == AskedAction::none) return false;
  std::vector<const WatchedFeedback*> acts;
  for (const WatchedFeedback& other : context.feedback) {
    const bool is_alike = other.fate == Fate::accepted && other.item == feedback.item && other.user_id == feedback.user_id;
    if (is_alike && undone[other.action] == undone[feedback.action] && is_in_range(context, other, horizon)) {
      acts.push_back(&other);
    }
  }
  const auto takes_back = [&](const WatchedFeedback* act) { return context.rule.actions[act->action].undoes; };
  std::ranges::stable_sort(acts, {}, [&](const WatchedFeedback* act) { return std::pair(act->ts, takes_back(act)); });
  Balance balance;
  for (const WatchedFeedback* act : acts) takes_back(act) ? balance.take_back(act->value) : balance.pay(act->value);
  return balance.is_undone();
}

// Why it does not fit the list.
std::string misfit(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon) {
  const JoinRule& rule = context.rule;
  const Action& action = rule.actions[feedback.action];
  const Duration delay = feedback.ts - context.list.ts;
  const Duration reach = rule.reach(feedback.action, rule.horizons[horizon]);
  if (credit_rule::is_too_early(delay, rule.skew)) return "before the list by " + short_duration(Duration{0} - delay);
  if (credit_rule::is_too_late(delay, reach)) {
    const std::string what = reach < rule.horizons[horizon] ? action.name + "'s own horizon " : "horizon ";
    const Duration over = delay - reach;
    return over.ms == 0 ? "too late: " + what + render_duration(reach) + " ends just before it"
                        : "too late by " + short_duration(over) + ": " + what + render_duration(reach);
  }
  if (!action.on_list && rank_of(context.list, feedback.item) == 0) {
    if (is_missed(context, feedback, horizon)) return "not in list: missed, grade " + four_decimals(action.gain);
    const bool can_be_missed = !context.list.nobody && credit_rule::can_be_missed(action);
    return can_be_missed && is_undone(context, feedback, horizon) ? "not in list, and taken back" : "not in list";
  }
  if (!feedback.list_id.empty() && feedback.list_id != context.list.list_id) return "names list " + feedback.list_id;
  if (feedback.list_id.empty() && context.list.nobody) return "without a list id, of a placeholder user";
  if (action.on_list) return "";
  if (const auto later = shown_later(context, feedback)) return "its row was shown only at " + delay_text(*later);
  if (action.after && credit_at(feedback, context.list, horizon, false) == nullptr) {
    return "after: no " + rule.actions[*action.after].name + " on it credited to this list before";
  }
  return "";
}

}  // namespace

std::uint32_t rank_of(const WatchedList& list, const std::string& item) {
  const auto at = std::find(list.items.begin(), list.items.end(), item);
  return item.empty() || at == list.items.end() ? 0 : static_cast<std::uint32_t>(at - list.items.begin()) + 1;
}

bool is_missed(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon) {
  const Action& action = context.rule.actions[feedback.action];
  return feedback.fate == Fate::accepted && !context.list.nobody && credit_rule::can_be_missed(action) &&
         feedback.is_relevant && is_in_range(context, feedback, horizon) && rank_of(context.list, feedback.item) == 0 &&
         !is_undone(context, feedback, horizon);
}

std::string duplicate_text(DuplicateReason why, std::uint32_t position) {
  switch (why) {
    case DuplicateReason::again: return "duplicate: an equal event came before it";
    case DuplicateReason::nothing_new:
      return "duplicate: shows other items, but its list has all of them; with join.whole_lists: own it is a list of its own";
    case DuplicateReason::taken: return "duplicate: another item of its list holds position " + std::to_string(position);
    case DuplicateReason::shown: return "duplicate: a whole list of its id shows its item already";
    case DuplicateReason::late_row: return "duplicate: it came when the list was assembled; a longer join.assemble takes it";
    case DuplicateReason::full: return "duplicate: with it its list would be too long; a larger limits.list_items takes it";
    case DuplicateReason::once:
      return "duplicate: the same action on the item came before with its event_id; `once` of the action counts the first";
    case DuplicateReason::line: return "duplicate: a further line of its basket; its value is added to that of the first";
  }
  return "duplicate";
}

std::string reason(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon) {
  switch (feedback.fate) {
    case Fate::late: return "late: it came when the watermark had already passed its time; see allowed_lateness";
    case Fate::future: return "future: too far ahead of the events before it; see max_step";
    case Fate::duplicate: return duplicate_text(feedback.why.value_or(DuplicateReason::again), 0);
    case Fate::accepted: break;
    default: return std::string(to_string(feedback.fate));
  }
  if (const WatchedCredit* here = credit_at(feedback, context.list, horizon, true)) {
    if ((here->counted & bit(horizon)) != 0) return credited_here(context, feedback);
    const bool is_on_list = context.rule.actions[feedback.action].on_list;
    return "repeated: the same action " + std::string(is_on_list ? "" : "on this item ") + "is credited to this list already";
  }
  std::string text = misfit(context, feedback, horizon);
  const std::string other = elsewhere(context, feedback, horizon);
  if (text.empty() && other.empty()) return "not credited";
  if (!other.empty()) text += (text.empty() ? "" : "; ") + other;
  return text;
}

}  // namespace recmeter::explain
