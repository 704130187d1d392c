#include "recmeter/join/joiner.h"

#include <algorithm>
#include <limits>

#include "recmeter/base/check.h"
#include "recmeter/event/join_key.h"
#include "recmeter/join/credit_rule.h"

namespace recmeter {

namespace {

bool by_rank(const Hit& a, const Hit& b) {
  return a.rank < b.rank;
}

}  // namespace

Joiner::Joiner(const JoinRule& rule, const JoinerOptions& options, ListObserver& observer)
    : rule_(rule),
      options_(options),
      observer_(observer),
      longest_(rule.longest_horizon()),
      piece_rule_(rule, options.list_items_max),
      timelines_(options.memory),
      lists_(options.labels_per_list, options.list_items_max, options.id_bytes_max, options.memory),
      feedback_(options.id_bytes_max, options.memory),
      credits_(options.memory),
      next_scored_(rule.horizons.size(), 0),
      outcomes_(rule.actions.size()),
      assigned_(rule.actions.size()) {
  RECMETER_CHECK(rule.horizons.size() <= horizons_max, "one bit a horizon");
  RECMETER_CHECK(rule.actions.size() <= actions_max, "actions are counted in a byte");
  RECMETER_CHECK(options.teams.size() < 256, "teams are counted in a byte");
  longest_index_ =
      static_cast<std::size_t>(std::find(rule.horizons.begin(), rule.horizons.end(), longest_) - rule.horizons.begin());
  if (options.needs_feedback) rating_ = rule.rating();
  if (options.needs_retests) retested_ = rating_;
  asked_as_.resize(rule.actions.size(), AskedAction::none);
  for (std::size_t asked = 0; asked < options.asked_actions.size(); ++asked) {
    asked_as_[options.asked_actions[asked].action] = asked;
  }
  by_action_.resize(options.asked_actions.size());
  action_hits_.resize(options.asked_actions.size());
  action_worth_.resize(options.asked_actions.size());
  action_delays_.resize(options.asked_actions.size());
  action_delays_ms_.resize(options.asked_actions.size());
  action_missed_.resize(options.asked_actions.size());
  if (options.needs_missed) missed_gains_.push_back(credit_rule::missed_gains(rule));
  for (const AskedAction& asked : options.asked_actions) {
    missed_views_.push_back(missed_gains_.size());
    if (!asked.needs_missed) continue;
    auto& gains = missed_gains_.emplace_back(rule.actions.size(), 0);
    gains[asked.action] = 1;
  }
  undone_ = credit_rule::undone_actions(rule);
  has_undone_ = std::ranges::any_of(undone_, [](std::size_t of) { return of != AskedAction::none; });
  worth_of_ = undone_;
  for (const AskedAction& asked : options.asked_actions) {
    if (asked.needs_value && undone_[asked.action] == AskedAction::none) worth_of_[asked.action] = asked.action;
  }
  has_worth_ = std::ranges::any_of(worth_of_, [](std::size_t of) { return of != AskedAction::none; });
  for (std::size_t action = 0; action < rule.actions.size(); ++action) {
    depths_.push_back(rule.depth(action));
    auto& reach = reach_.emplace_back();
    for (const Duration horizon : rule.horizons) reach.push_back(rule.reach(action, horizon));
  }
}

Joiner::~Joiner() = default;

Duration Joiner::memory() const {
  return std::max(longest_ + rule_.skew + rule_.skew, rule_.same_list + rule_.assemble) + Duration{1};
}

// 1 + its number among those that are told apart.
std::uint8_t Joiner::team_of(const EventBatch& batch, const Event& event, std::size_t item) const {
  const auto at = std::ranges::find(options_.teams, batch.team(event, item));
  return at == options_.teams.end() ? std::uint8_t{0} : static_cast<std::uint8_t>(at - options_.teams.begin() + 1);
}

std::string_view Joiner::key_of(const Timeline& timeline) const {
  if (timeline.newest_list != 0) {
    const ListEntry& list = lists_.at(timeline.newest_list - 1);
    return timeline.nobody ? lists_.list_id(list) : lists_.user_id(list);
  }
  const FeedbackEntry& feedback = feedback_.at(timeline.newest_feedback - 1);
  return timeline.nobody ? feedback_.list_id(feedback) : feedback_.user_id(feedback);
}

TimelineTable::Index Joiner::timeline_of(const EventBatch& batch, const Event& event) {
  const std::string_view key = event.nobody ? batch.list_id(event) : batch.user_id(event);
  const auto found =
      timelines_.find(event.key_hash, [&](const Timeline& t) { return t.nobody == event.nobody && key_of(t) == key; });
  if (found != TimelineTable::none) return found;
  return timelines_.insert(event.key_hash, {.nobody = event.nobody});
}

// Sequence + 1 of the latest list of this id, 0 when there is none.
std::uint64_t Joiner::find_list(const Timeline& timeline, std::string_view list_id, std::uint64_t id_hash) const {
  if (timeline.heavy != Timeline::not_heavy) {
    const NewestIndex& by_id = heavy_[timeline.heavy]->by_id();
    for (auto at = by_id.newest(id_hash); at != 0; at = by_id.older(at)) {
      if (lists_.list_id(lists_.at(by_id.sequence(at))) == list_id) return by_id.sequence(at) + 1;
    }
    return 0;
  }
  const auto tag = static_cast<std::uint32_t>(id_hash);
  for (std::uint64_t at = timeline.newest_list; at > lists_.entries().begin(); at = lists_.at(at - 1).older) {
    const ListEntry& list = lists_.at(at - 1);
    if (list.id_tag == tag && lists_.list_id(list) == list_id) return at;
  }
  return 0;
}

bool Joiner::add_feedback(const EventBatch& batch, const Event& event) {
  const TimelineTable::Index index = timeline_of(batch, event);
  Timeline& timeline = timelines_.at(index);
  const bool is_on_list = rule_.actions[event.action].on_list;
  FeedbackEntry entry{.ts = event.ts,
                      .older = timeline.newest_feedback,
                      .item = is_on_list ? Interner::none : items_.intern(batch.hashed_item(event, 0), event.ts),
                      .timeline = index,
                      .action = event.action};
  std::optional<double> value;
  const bool tells_value = rule_.actions[event.action].goes_by_value();
  const bool keeps_value = tells_value || rating_ == event.action || worth_of_[event.action] != AskedAction::none;
  if (keeps_value && event.has_value) value = batch.value(event);
  entry.is_relevant = !tells_value || is_relevant(event, batch.user_id(event), value);
  timeline.newest_feedback = feedback_.append(entry, batch.list_id(event), batch.user_id(event), value) + 1;
  ++timeline.feedback;
  ++outcomes_[event.action].pending;
  if (timeline.heavy != Timeline::not_heavy && !timeline.nobody) add_acted(*heavy_[timeline.heavy], entry, value);
  if (options_.tells_changes && !missed_gains_.empty()) tell_changed(timeline);
  return entry.is_relevant;
}

// The user has acted: it may be what a list missed. Of many lists the newest; the others are right when they are scored.
void Joiner::tell_changed(const Timeline& timeline) {
  std::uint64_t at = timeline.newest_list;
  for (std::size_t lists = 0; lists < options_.missing_lists_max && at > lists_.entries().begin(); ++lists) {
    const ListEntry& list = lists_.at(at - 1);
    if (list.has_items) observer_.changed(ListNumber{at - 1});
    at = list.older;
  }
}

void Joiner::advance(EventTime w) {
  assemble(w);
  decide(w);
  for (std::size_t h = 0; h < rule_.horizons.size(); ++h) score(h, w);
  forget(w);
}

void Joiner::assemble(EventTime w) {
  for (; next_assembled_ != lists_.entries().end(); ++next_assembled_) {
    const ListEntry& list = lists_.at(next_assembled_);
    if (list.ts + rule_.assemble > w) return;
    if (list.has_pieces) settle_pieces(next_assembled_);
    observer_.assembled(view(next_assembled_));
  }
}

ListView Joiner::view(std::uint64_t sequence) {
  ListEntry& list = lists_.at(sequence);
  scored_.clear();
  for (std::uint32_t rank = 1; options_.needs_scores && rank <= list.length; ++rank) {
    scored_.push_back(lists_.score(list, rank) ? 1 : 0);
  }
  return {.number = ListNumber{sequence},
          .ts = list.ts,
          .slot = list.slot,
          .twin = list.twin,
          .labels = lists_.labels(list),
          .items = lists_.items(list),
          .scored = scored_,
          .list_id = lists_.list_id(list),
          .user_id = lists_.user_id(list)};
}

void Joiner::score(std::size_t horizon, EventTime w) {
  const Duration age = rule_.horizons[horizon] + rule_.skew;
  std::uint64_t& next = next_scored_[horizon];
  for (; next != lists_.entries().end() && lists_.at(next).ts + age <= w; ++next) {
    prefetch_scoring(next);
    score_one(next, horizon);
  }
}

void Joiner::look(ListNumber number) {
  const std::uint64_t list = index_of(number);
  if (list < lists_.entries().begin()) return;  // forgotten, so scored
  for (std::size_t h = 0; h < rule_.horizons.size(); ++h) {
    if (next_scored_[h] <= list) score_one(list, h);
  }
}

void Joiner::score_one(std::uint64_t sequence, std::size_t horizon) {
  ListEntry& list = lists_.at(sequence);
  const std::span<const Interner::Id> items = lists_.items(list);
  const HorizonMask bit = HorizonMask{1} << horizon;
  hits_.clear();
  ratings_.clear();
  judged_.clear();
  rated_again_.clear();
  begin_actions(horizon);
  if (has_worth_) find_paid(list, bit);
  ScoredList score;
  score.length = list.length;
  score.teams = lists_.teams(list);
  std::fill(assigned_.begin(), assigned_.end(), AssignedFeedback{});
  for (std::uint32_t at = list.credits; at != 0; at = credits_.at(at).next) {
    const Assignment& credit = credits_.at(at);
    if ((credit.mask & bit) == 0) continue;
    if (credit.repeats > 0) {
      assigned_[credit.action].repeated += credit.repeats;
      if (retested_ == credit.action) rated_again_.push_back(at);
      continue;
    }
    ++assigned_[credit.action].credited;
    const double gain = rule_.actions[credit.action].gain;
    const std::size_t asked = asked_as_[credit.action];
    if (gain == 0 && !options_.needs_feedback && asked == AskedAction::none) continue;
    if (rule_.actions[credit.action].on_list) {
      if (asked != AskedAction::none) note_action(asked, at, 0);
      continue;
    }
    const auto rank = static_cast<std::uint32_t>(std::find(items.begin(), items.end(), credit.item) - items.begin()) + 1;
    const bool is_nothing = (has_worth_ && paid_.is_undone(rank, credit.action)) || !is_relevant_credit(at);
    if (asked != AskedAction::none && !is_nothing) note_action(asked, at, rank);
    if (options_.needs_feedback) note_feedback(list, at, rank, score);
    if (gain == 0 || is_nothing) continue;
    const auto same = std::find_if(hits_.begin(), hits_.end(), [&](const Hit& hit) { return hit.rank == rank; });
    if (same == hits_.end()) {
      hits_.push_back({rank, gain});
    } else {
      same->grade = std::max(same->grade, gain);
    }
  }
  std::sort(hits_.begin(), hits_.end(), by_rank);
  score.hits = hits_;
  finish_actions(list, horizon);
  score.by_action = by_action_;
  if (options_.needs_feedback) {
    std::sort(ratings_.begin(), ratings_.end(), [](const Rating& a, const Rating& b) { return a.rank < b.rank; });
    std::sort(judged_.begin(), judged_.end());
    judged_.erase(std::unique(judged_.begin(), judged_.end()), judged_.end());
    score.ratings = ratings_;
    score.judged = judged_;
    find_retests(items);
    score.retests = retests_;
  }
  if (options_.needs_missed) {
    score.missed_items = find_missed(list, horizon, 0, missed_);
    score.missed = missed_;
  }
  observer_.scored(view(sequence), HorizonIndex(horizon), score, assigned_);
}

// What the list's items were worth, at the horizon of this bit.
void Joiner::find_paid(const ListEntry& list, HorizonMask bit) {
  const std::span<const Interner::Id> items = lists_.items(list);
  paid_.clear();
  earned_.clear();
  paying_.clear();
  for (std::uint32_t at = list.credits; at != 0; at = credits_.at(at).next) {
    const Assignment& credit = credits_.at(at);
    if ((credit.mask & bit) != 0 && worth_of_[credit.action] != AskedAction::none) paying_.push_back(at);
  }
  for (std::size_t i = paying_.size(); i-- > 0;) {  // what was done first stands last in the chain
    const Assignment& credit = credits_.at(paying_[i]);
    const auto rank = static_cast<std::uint32_t>(std::find(items.begin(), items.end(), credit.item) - items.begin()) + 1;
    const auto action = static_cast<std::uint8_t>(worth_of_[credit.action]);
    const KeptFeedback kept = *credits_.kept(paying_[i]);
    const auto add_to = [&](PaidItems& items_paid) {
      rule_.actions[credit.action].undoes ? items_paid.take_back(rank, action, kept.value)
                                          : items_paid.pay(rank, action, kept.value);
    };
    add_to(paid_);
    if (options_.worth_once_by && (kept.worth & bit) != 0) add_to(earned_);
  }
  for (const PaidItem& item : (options_.worth_once_by ? earned_ : paid_).items()) {
    const std::size_t asked = asked_as_[item.action];
    if (asked != AskedAction::none && item.net() > 0) action_worth_[asked].push_back({item.item, item.net()});
  }
}

void Joiner::begin_actions(std::size_t horizon) {
  for (std::size_t asked = 0; asked < by_action_.size(); ++asked) {
    action_hits_[asked].clear();
    action_worth_[asked].clear();
    action_delays_[asked].clear();
    action_delays_ms_[asked].clear();
    const std::int64_t reach_ms = reach_[options_.asked_actions[asked].action][horizon].ms;
    by_action_[asked] = {.reach_ms = reach_ms, .first_ms = reach_ms};
  }
}

// Adds a credit that counts for the item at this rank to what its action alone says.
void Joiner::note_action(std::size_t asked, std::uint32_t credit, std::uint32_t rank) {
  action_hits_[asked].push_back({.rank = rank, .grade = 1});
  if (!options_.asked_actions[asked].needs_delay) return;
  const std::int64_t delay_ms = std::max<std::int64_t>(0, credits_.kept(credit)->delay.ms);
  action_delays_[asked].emplace_back(rank, delay_ms);
  by_action_[asked].first_ms = std::min(by_action_[asked].first_ms, delay_ms);
}

void Joiner::finish_actions(const ListEntry& list, std::size_t horizon) {
  for (std::size_t asked = 0; asked < by_action_.size(); ++asked) {
    std::sort(action_hits_[asked].begin(), action_hits_[asked].end(), by_rank);
    std::sort(action_worth_[asked].begin(), action_worth_[asked].end(), by_rank);
    ActionPart& part = by_action_[asked];
    part.hits = action_hits_[asked];
    std::sort(action_delays_[asked].begin(), action_delays_[asked].end());
    for (const auto& [rank, delay_ms] : action_delays_[asked]) action_delays_ms_[asked].push_back(delay_ms);
    part.delays_ms = action_delays_ms_[asked];
    part.worth = action_worth_[asked];
    if (!options_.asked_actions[asked].needs_missed) continue;
    part.missed_items = find_missed(list, horizon, missed_views_[asked], action_missed_[asked]);
    part.missed = action_missed_[asked];
  }
}

// Adds a credit that counts for the item at this rank to what the list knows of its feedback.
void Joiner::note_feedback(const ListEntry& list, std::uint32_t credit, std::uint32_t rank, ScoredList& score) {
  judged_.push_back(rank);
  const std::optional<double> prediction = lists_.score(list, rank);
  ++score.credited;
  score.credited_with_score += prediction ? 1U : 0U;
  if (rating_ != credits_.at(credit).action) return;
  const auto kept = credits_.kept(credit);
  if (!kept || !kept->value) return;
  ratings_.push_back(
      {.rank = rank, .rating = *kept->value, .has_prediction = prediction.has_value(), .prediction = prediction.value_or(0)});
}

// Of an action that goes by its value.
bool Joiner::is_relevant(const Event& event, std::string_view user_id, std::optional<double> value) {
  const Action& action = rule_.actions[event.action];
  if (!value) return false;
  if (!action.is_from_mean) return *value >= *action.from;
  return !event.nobody && earlier_ratings_.add(user_key(user_id), *value);
}

bool Joiner::is_relevant_credit(std::uint32_t credit) const {
  if (!rule_.actions[credits_.at(credit).action].goes_by_value()) return true;
  const auto kept = credits_.kept(credit);
  return kept && kept->value && kept->is_relevant;
}

// Of the ratings that repeat one: what each says beside the first.
void Joiner::find_retests(std::span<const Interner::Id> items) {
  retests_.clear();
  for (std::size_t i = rated_again_.size(); i-- > 0;) {  // what was rated first stands last in the chain
    const auto kept = credits_.kept(rated_again_[i]);
    if (!kept || !kept->value) continue;
    const Interner::Id item = credits_.at(rated_again_[i]).item;
    const auto rank = static_cast<std::uint32_t>(std::find(items.begin(), items.end(), item) - items.begin()) + 1;
    const auto first = std::ranges::lower_bound(ratings_, rank, {}, &Rating::rank);
    if (first == ratings_.end() || first->rank != rank) continue;
    retests_.push_back({.rank = rank, .first = first->rating, .again = *kept->value});
  }
  std::ranges::stable_sort(retests_, {}, &Retest::rank);
}

EventTime Joiner::first_unscored(HorizonIndex horizon) const {
  const std::uint64_t next = next_scored_[index_of(horizon)];
  return next == lists_.entries().end() ? plus_infinity : lists_.at(next).ts;
}

EventTime Joiner::first_unassembled() const {
  return next_assembled_ == lists_.entries().end() ? plus_infinity : lists_.at(next_assembled_).ts;
}

OutcomeCounts Joiner::outcomes() const {
  OutcomeCounts all;
  for (const OutcomeCounts& of_action : outcomes_) all += of_action;
  return all;
}

}  // namespace recmeter
