// Missed items of a list: [S4.16].
#include <algorithm>
#include <tuple>

#include "recmeter/join/credit_rule.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

void Joiner::add_acted(HeavyTimeline& heavy, const FeedbackEntry& feedback, std::optional<double> value) const {
  if (rule_.actions[feedback.action].on_list) return;
  const bool is_undone = undone_[feedback.action] != AskedAction::none;
  if (!feedback.is_relevant && !is_undone) return;
  heavy.add_acted({.ts = feedback.ts,
                   .item = feedback.item,
                   .action = feedback.action,
                   .is_relevant = feedback.is_relevant,
                   .value = is_undone ? value : std::nullopt});
}

std::span<const Interner::Id> Joiner::distinct_items(const ListEntry& list) {
  const std::span<const Interner::Id> items = lists_.items(list);
  distinct_.assign(items.begin(), items.end());
  std::sort(distinct_.begin(), distinct_.end());
  distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
  return distinct_;
}

// What the user did within the list's range by actions that are undone, less what was taken back of it: whatever took the
// credit. Of a light timeline.
void Joiner::find_taken_back(const ListEntry& list, std::size_t horizon) {
  taken_back_.clear();
  in_range_.clear();
  bool is_any_taken_back = false;
  const Timeline& timeline = timelines_.at(list.timeline);
  for (std::uint64_t at = timeline.newest_feedback; at > feedback_.entries().begin(); at = feedback_.at(at - 1).older) {
    const FeedbackEntry& feedback = feedback_.at(at - 1);
    const Duration delay = feedback.ts - list.ts;
    if (credit_rule::is_too_early(delay, rule_.skew)) break;
    if (undone_[feedback.action] == AskedAction::none) continue;
    if (credit_rule::is_too_late(delay, reach_[feedback.action][horizon])) continue;
    in_range_.push_back(at - 1);
    is_any_taken_back = is_any_taken_back || rule_.actions[feedback.action].undoes;
  }
  if (!is_any_taken_back) return;
  const auto order = [&](std::uint64_t sequence) {
    const FeedbackEntry& feedback = feedback_.at(sequence);
    return std::tuple(feedback.ts, rule_.actions[feedback.action].undoes, sequence);
  };
  std::ranges::sort(in_range_, {}, order);
  for (const std::uint64_t sequence : in_range_) {
    const FeedbackEntry& feedback = feedback_.at(sequence);
    const auto action = static_cast<std::uint8_t>(undone_[feedback.action]);
    const std::optional<double> value = feedback_.value(feedback);
    rule_.actions[feedback.action].undoes ? taken_back_.take_back(feedback.item, action, value)
                                          : taken_back_.pay(feedback.item, action, value);
  }
}

// What counts as missed in this view, by grade; returns the number of items.
std::uint64_t Joiner::find_missed(const ListEntry& list, std::size_t horizon, std::size_t view,
                                  std::vector<GradeCount>& missed) {
  missed.clear();
  Timeline& timeline = timelines_.at(list.timeline);
  if (timeline.nobody || timeline.feedback == 0) return 0;
  if (timeline.feedback >= heavy_lists && timeline.heavy == Timeline::not_heavy) make_heavy(timeline);
  if (timeline.heavy != Timeline::not_heavy) {
    return heavy_[timeline.heavy]->missed(view, horizon, list.ts, distinct_items(list), missed);
  }
  if (has_undone_) find_taken_back(list, horizon);
  const std::span<const Interner::Id> items = lists_.items(list);
  acted_.clear();
  for (std::uint64_t at = timeline.newest_feedback; at > feedback_.entries().begin(); at = feedback_.at(at - 1).older) {
    const FeedbackEntry& feedback = feedback_.at(at - 1);
    const Duration delay = feedback.ts - list.ts;
    if (credit_rule::is_too_early(delay, rule_.skew)) break;
    const double gain = missed_gains_[view][feedback.action];
    if (gain == 0 || credit_rule::is_too_late(delay, reach_[feedback.action][horizon])) continue;
    if (!feedback.is_relevant || std::find(items.begin(), items.end(), feedback.item) != items.end()) continue;
    if (has_undone_ && taken_back_.is_undone(feedback.item, feedback.action)) continue;
    const auto same = std::find_if(acted_.begin(), acted_.end(), [&](const auto& a) { return a.first == feedback.item; });
    if (same == acted_.end()) {
      acted_.emplace_back(feedback.item, gain);
    } else {
      same->second = std::max(same->second, gain);
    }
  }
  std::sort(acted_.begin(), acted_.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [item, gain] : acted_) {
    if (missed.empty() || missed.back().grade != gain) missed.push_back({gain, 0});
    ++missed.back().items;
  }
  return acted_.size();
}

}  // namespace recmeter
