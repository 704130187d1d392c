// Crediting feedback to lists: [S4.6], [S4.8].
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <tuple>

#include "recmeter/base/check.h"
#include "recmeter/event/join_key.h"
#include "recmeter/join/credit_rule.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

// The chosen list at each horizon; credit is decided per horizon, so they may differ.
struct Joiner::Choice {
  std::array<std::uint64_t, horizons_max> sequence{};
  std::array<EventTime, horizons_max> ts{};
  HorizonMask chosen = 0;

  // Offers a list that fits at `mask`; `better(sequence)` says whether it beats the one chosen so far.
  template <class Better>
  void offer(std::uint64_t candidate, EventTime time, HorizonMask mask, Better&& better) {
    for (HorizonMask rest = mask; rest != 0; rest &= rest - 1) {
      const auto h = static_cast<std::size_t>(std::countr_zero(rest));
      if ((chosen >> h & 1) != 0 && !better(sequence[h])) continue;
      sequence[h] = candidate;
      ts[h] = time;
    }
    chosen |= mask;
  }

  // Calls assign(sequence, mask, mask) for each list that is chosen, with the horizons at which it is.
  template <class Assign>
  void visit(Assign&& assign) const {
    for (HorizonMask rest = chosen; rest != 0;) {
      const std::uint64_t list = sequence[static_cast<std::size_t>(std::countr_zero(rest))];
      HorizonMask mask = 0;
      for (HorizonMask other = rest; other != 0; other &= other - 1) {
        const auto h = static_cast<std::size_t>(std::countr_zero(other));
        if (sequence[h] == list) mask |= HorizonMask{1} << h;
      }
      assign(list, mask, mask);
      rest &= ~mask;
    }
  }

  // Whether there is a choice at every horizon of `mask`, and none of it of this time: lists that come later in the order of
  // time lose then.
  [[nodiscard]] bool settled(HorizonMask mask, EventTime time) const {
    if (mask == 0 || (mask & ~chosen) != 0) return false;
    for (HorizonMask rest = mask; rest != 0; rest &= rest - 1) {
      if (ts[static_cast<std::size_t>(std::countr_zero(rest))] == time) return false;
    }
    return true;
  }
};

// The lists of the timeline within reach that may hold the item, the latest first, or the earliest first where that is what
// counts and an index allows it, until visit() says that no further one can matter.
template <class Visit>
void Joiner::visit_with_item(const Timeline& timeline, const FeedbackEntry& feedback, Visit&& visit) const {
  const EventTime reach = feedback.ts - reach_[feedback.action][longest_index_];
  if (timeline.heavy != Timeline::not_heavy) {
    const bool earliest_first = rule_.credit == Credit::first_touch;
    const bool credited = rule_.actions[feedback.action].after.has_value();
    return heavy_[timeline.heavy]->visit_with_item(feedback.item, credited, [&](std::uint64_t sequence) {
      if (lists_.at(sequence).ts <= reach) return earliest_first;
      return visit(sequence);
    });
  }
  for (std::uint64_t at = timeline.newest_list; at > lists_.entries().begin(); at = lists_.at(at - 1).older) {
    if (lists_.at(at - 1).ts <= reach || !visit(at - 1)) return;
  }
}

// The lists of the timeline with this id, the latest first.
template <class Visit>
void Joiner::visit_with_id(const Timeline& timeline, std::string_view list_id, Visit&& visit) const {
  if (timeline.heavy != Timeline::not_heavy) {
    const NewestIndex& by_id = heavy_[timeline.heavy]->by_id();
    for (auto at = by_id.newest(hash_id(list_id)); at != 0; at = by_id.older(at)) {
      if (lists_.list_id(lists_.at(by_id.sequence(at))) == list_id && !visit(by_id.sequence(at))) return;
    }
    return;
  }
  const auto tag = static_cast<std::uint32_t>(hash_id(list_id));
  for (std::uint64_t at = timeline.newest_list; at > lists_.entries().begin(); at = lists_.at(at - 1).older) {
    const ListEntry& list = lists_.at(at - 1);
    if (list.id_tag == tag && lists_.list_id(list) == list_id && !visit(at - 1)) return;
  }
}

// Whether the item is in the list for feedback at `t`: one that a later piece brought only if that came by then.
bool Joiner::contains(const ListEntry& list, std::uint64_t sequence, Interner::Id item, EventTime t) const {
  const auto is_shown_by = [&](std::uint32_t delay_ms) {
    return credit_rule::is_shown_by(list.ts + Duration{delay_ms}, t, rule_.skew);
  };
  if (list.is_growing) {
    const std::span<const ListPieces::Place> places = pieces_.at(sequence).list.places();
    return std::ranges::any_of(places, [&](const auto& place) { return place.item == item && is_shown_by(place.delay_ms); });
  }
  const std::span<const Interner::Id> items = lists_.items(list);
  if (!list.has_delays) return std::find(items.begin(), items.end(), item) != items.end();
  const std::span<const std::uint32_t> delays = lists_.delays(list);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] == item && is_shown_by(delays[i])) return true;
  }
  return false;
}

HorizonMask Joiner::every_horizon() const {
  const std::size_t horizons = rule_.horizons.size();
  return horizons == horizons_max ? ~HorizonMask{0} : (HorizonMask{1} << horizons) - 1;
}

// The horizons at which the feedback comes in time for the list.
HorizonMask Joiner::reached(const ListEntry& list, const FeedbackEntry& feedback) const {
  const Duration delay = feedback.ts - list.ts;
  if (credit_rule::is_too_early(delay, rule_.skew)) return 0;
  HorizonMask mask = 0;
  const std::vector<Duration>& reach = reach_[feedback.action];
  for (std::size_t h = 0; h < reach.size(); ++h) {
    mask |= (credit_rule::is_too_late(delay, reach[h]) ? HorizonMask{0} : HorizonMask{1}) << h;
  }
  return mask;
}

// The horizons at which the feedback fits the list.
HorizonMask Joiner::fits(const ListEntry& list, std::uint64_t sequence, const FeedbackEntry& feedback) const {
  const HorizonMask mask = reached(list, feedback);
  if (rule_.actions[feedback.action].on_list) return options_.were_shown ? mask : 0;
  if (mask == 0) return 0;
  if (!contains(list, sequence, feedback.item, feedback.ts)) return 0;
  if (const auto& after = rule_.actions[feedback.action].after) {
    return mask & credits_.credited(list.credits, feedback.item, static_cast<std::uint8_t>(*after));
  }
  return mask;
}

void Joiner::decide(EventTime w) {
  const std::uint64_t end = feedback_.entries().end();
  while (next_decided_ != end && feedback_.at(next_decided_).ts + rule_.skew < w) {
    // Feedback of equal time: an action before those that come after it ([S4.5]).
    const EventTime ts = feedback_.at(next_decided_).ts;
    std::uint64_t run_end = next_decided_;
    std::size_t deepest = 0;
    for (; run_end != end && feedback_.at(run_end).ts == ts; ++run_end) {
      prefetch_deciding(run_end);
      const FeedbackEntry& feedback = feedback_.at(run_end);
      deepest = std::max(deepest, depths_[feedback.action]);
      if (depths_[feedback.action] == 0) decide_one(feedback);
    }
    for (std::size_t depth = 1; depth <= deepest; ++depth) {
      for (std::uint64_t s = next_decided_; s != run_end; ++s) {
        if (depths_[feedback_.at(s).action] == depth) decide_one(feedback_.at(s));
      }
    }
    next_decided_ = run_end;
  }
}

void Joiner::decide_one(const FeedbackEntry& feedback) {
  const Timeline& timeline = timelines_.at(feedback.timeline);
  const std::string_view id = feedback_.list_id(feedback);
  HorizonMask counted = 0;
  HorizonMask fitting = 0;
  told_.clear();
  const std::size_t asked = asked_as_[feedback.action];
  const bool keeps_delay = asked != AskedAction::none && options_.asked_actions[asked].needs_delay;
  const bool has_worth = worth_of_[feedback.action] != AskedAction::none;
  const bool is_kept = feedback.has_value || keeps_delay || has_worth;
  const bool kept_each = has_worth || retested_ == feedback.action;
  const bool is_on_list = rule_.actions[feedback.action].on_list;
  const auto assign = [&](std::uint64_t sequence, HorizonMask mask, HorizonMask worth) {
    ListEntry& list = lists_.at(sequence);
    const KeptFeedback kept{.value = is_kept ? feedback_.value(feedback) : std::nullopt,
                            .delay = feedback.ts - list.ts,
                            .is_relevant = feedback.is_relevant,
                            .worth = worth};
    const HorizonMask fresh =
        credits_.assign(list.credits, feedback.item, feedback.action, mask, is_kept ? &kept : nullptr, kept_each);
    counted |= fresh;
    fitting |= mask;
    credits_later_ |= fresh != 0 && feedback.ts > list.ts;
    if (options_.tells_decisions) told_.push_back({list.ts, lists_.list_id(list), fresh, mask & ~fresh});
    if (timeline.heavy != Timeline::not_heavy && !is_on_list) heavy_[timeline.heavy]->add_credit(sequence, feedback.item);
    if (options_.tells_changes && list.has_items) observer_.changed(ListNumber{sequence});
  };
  Choice choice;
  // Each horizon is decided as if it were the only one.
  const HorizonMask named = named_at(timeline, feedback);
  if (named != 0) {
    visit_with_id(timeline, id, [&](std::uint64_t s) {
      const ListEntry& list = lists_.at(s);
      const HorizonMask in_reach = reached(list, feedback);
      if (choice.settled(in_reach, list.ts)) return false;
      choice.offer(s, list.ts, fits(list, s, feedback), [](std::uint64_t) { return false; });
      return true;
    });
  }
  touched_.clear();
  if (named != every_horizon() && !timeline.nobody) {
    const HorizonMask open = every_horizon() & ~named;
    visit_with_item(timeline, feedback, [&](std::uint64_t s) {
      const ListEntry& list = lists_.at(s);
      if (rule_.credit == Credit::every_touch) {
        if (const HorizonMask mask = fits(list, s, feedback) & open; mask != 0) touched_.push_back({s, mask, mask});
        return true;
      }
      const bool last = rule_.credit == Credit::last_touch;
      const bool earliest_first = !last && timeline.heavy != Timeline::not_heavy;
      // Going back in time the reach only shrinks; going forward it grows, up to every horizon.
      if (last && choice.settled(reached(list, feedback), list.ts)) return false;
      if (earliest_first && choice.settled(every_horizon(), list.ts)) return false;
      const HorizonMask mask = fits(list, s, feedback) & open;
      choice.offer(s, list.ts, mask, [&](std::uint64_t chosen) {
        const ListEntry& other = lists_.at(chosen);
        const credit_rule::Candidate offered{list.ts, lists_.list_id(list), s};
        return credit_rule::is_chosen_over(offered, {other.ts, lists_.list_id(other), chosen}, rule_.credit);
      });
      return true;
    });
  }
  if (has_worth && options_.worth_once_by) share_worth();
  for (const TouchedList& touched : touched_) assign(touched.sequence, touched.mask, touched.worth);
  choice.visit(assign);
  const FeedbackOutcome outcome = outcome_of(feedback, named, fitting, counted);
  count(feedback, outcome);
  if (options_.tells_decisions) tell(feedback, outcome);
}

// Of the lists that take the credit, at each horizon, the latest of each label has what the action was worth. [S12.12]
void Joiner::share_worth() {
  const auto label_of = [&](const TouchedList& touched) {
    return lists_.labels(lists_.at(touched.sequence))[*options_.worth_once_by];
  };
  const auto order = [&](const TouchedList& touched) {
    const ListEntry& list = lists_.at(touched.sequence);
    const std::string_view id = lists_.list_id(list);
    return std::tuple(list.ts, id.size(), id);
  };
  std::ranges::sort(touched_, std::greater<>(), order);
  for (TouchedList& touched : touched_) {
    if (worth_taken_.size() <= label_of(touched)) worth_taken_.resize(label_of(touched) + 1, 0);
    HorizonMask& taken = worth_taken_[label_of(touched)];
    touched.worth = touched.mask & ~taken;
    taken |= touched.mask;
  }
  for (const TouchedList& touched : touched_) worth_taken_[label_of(touched)] = 0;
}

FeedbackOutcome Joiner::outcome_of(const FeedbackEntry& feedback, HorizonMask named, HorizonMask fitting,
                                   HorizonMask counted) const {
  const HorizonMask at_longest = HorizonMask{1} << longest_index_;
  if ((counted & at_longest) != 0) return FeedbackOutcome::credited;
  if ((fitting & at_longest) != 0) return FeedbackOutcome::repeated;
  if ((named & at_longest) == 0) return FeedbackOutcome::organic;
  return !rule_.actions[feedback.action].on_list && lacks(timelines_.at(feedback.timeline), feedback)
             ? FeedbackOutcome::not_in_list
             : FeedbackOutcome::unmatched;
}

void Joiner::tell(const FeedbackEntry& feedback, FeedbackOutcome outcome) {
  observer_.decided({.ts = feedback.ts,
                     .action = feedback.action,
                     .item = feedback.item == Interner::none ? std::string_view() : items_.text(feedback.item),
                     .list_id = feedback_.list_id(feedback),
                     .user_id = feedback_.user_id(feedback),
                     .outcome = outcome,
                     .is_relevant = feedback.is_relevant,
                     .credits = told_});
}

void Joiner::count(const FeedbackEntry& feedback, FeedbackOutcome outcome) {
  OutcomeCounts& counts = outcomes_[feedback.action];
  const bool is_joined = outcome == FeedbackOutcome::credited || outcome == FeedbackOutcome::repeated;
  const std::size_t asked = asked_as_[feedback.action];
  const bool asks_value = asked != AskedAction::none && options_.asked_actions[asked].needs_value;
  if (is_joined && asks_value && !feedback.has_value) ++counts.without_value;
  if (!is_joined && rule_.actions[feedback.action].undoes) ++counts.returned_late;
  --counts.pending;
  switch (outcome) {
    case FeedbackOutcome::credited: ++counts.credited; return;
    case FeedbackOutcome::repeated: ++counts.repeated; return;
    case FeedbackOutcome::organic: ++counts.organic; return;
    case FeedbackOutcome::not_in_list: ++counts.not_in_list; return;
    case FeedbackOutcome::unmatched: ++counts.unmatched; return;
  }
}

// The horizons at which the feedback's list id says where its credit goes. One that stands for the user always does.
HorizonMask Joiner::named_at(const Timeline& timeline, const FeedbackEntry& feedback) const {
  const std::string_view id = feedback_.list_id(feedback);
  if (id.empty()) return 0;
  if (rule_.actions[feedback.action].on_list) return every_horizon();
  if (timeline.nobody || options_.list_ids == ListIds::all) return every_horizon();
  if (options_.list_ids == ListIds::none) return 0;
  HorizonMask named = 0;
  visit_with_id(timeline, id, [&](std::uint64_t s) {
    named |= reached(lists_.at(s), feedback);
    return named != every_horizon();
  });
  return named;
}

// Whether a list of the feedback's list id, within its reach, lacks the item.
bool Joiner::lacks(const Timeline& timeline, const FeedbackEntry& feedback) const {
  bool found = false;
  visit_with_id(timeline, feedback_.list_id(feedback), [&](std::uint64_t s) {
    const ListEntry& list = lists_.at(s);
    found = credit_rule::is_in_time(feedback.ts - list.ts, reach_[feedback.action][longest_index_], rule_.skew) &&
            !contains(list, s, feedback.item, feedback.ts);
    return !found;
  });
  return found;
}

}  // namespace recmeter
