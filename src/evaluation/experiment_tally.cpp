#include "recmeter/evaluation/experiment_tally.h"

#include <algorithm>
#include <bit>

#include "recmeter/base/user_key.h"
#include "recmeter/event/join_key.h"
#include "recmeter/window/segment_spec.h"

namespace recmeter {

namespace {

constexpr int zeros_max = std::tuple_size_v<UsersByZeros> - 1;

}  // namespace

ExperimentTally::ExperimentTally(const EvaluatorPlan& plan, std::size_t experiment)
    : plan_(plan.experiments[experiment]), key_(plan.spec->join.key), first_label_(plan.experiment_labels(experiment)) {
  const std::vector<SegmentSpec>& segments = plan.spec->segments;
  const auto says = [&](const SegmentSpec& segment) {
    return std::ranges::find(segment.keys, plan_.spec->arms.key) != segment.keys.end();
  };
  const auto saying = std::ranges::find_if(segments, says);
  if (saying != segments.end()) combination_ = static_cast<std::size_t>(saying - segments.begin());
}

std::uint32_t ExperimentTally::arm_of(const EventBatch& batch, const Event& opening) const {
  const std::vector<std::string>& values = plan_.spec->arms.values;
  const auto place_of = [&](std::string_view shown) {
    return static_cast<std::uint32_t>(std::find(values.begin(), values.end(), shown) - values.begin());
  };
  for (std::size_t i = 0; i < opening.segment_count; ++i) {
    if (batch.segment_key(opening, i) != plan_.spec->arms.key) continue;
    const std::string_view value = batch.segment_value(opening, i);
    return must_escape(value) ? place_of(shown_segment_value(value)) : place_of(value);
  }
  return place_of(segment_none);
}

std::uint32_t ExperimentTally::arm_of(const EventBatch& batch, const Event& opening, std::span<const std::uint32_t> labels) {
  if (!combination_) return arm_of(batch, opening);
  const std::uint32_t label = labels[*combination_];
  if (label >= arms_.size()) arms_.resize(label + 1, unknown_arm);
  std::uint32_t& arm = arms_[label];
  if (arm == unknown_arm) arm = arm_of(batch, opening);
  return arm;
}

// A drafted list says in its ranks where it counts, which may come after it has opened.
bool ExperimentTally::may_count_user(std::uint32_t arm) const {
  if (plan_.draft) return key_.by == JoinKey::By::user;
  return plan_.spec->assign == Assign::user && arm < plan_.spec->arms.values.size();
}

// Only users whose lists may make them members get numbers.
void ExperimentTally::label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
                            std::span<const std::uint32_t> before) {
  const std::uint32_t arm = arm_of(batch, opening, labels);
  labels[first_label_ + PlannedExperiment::arm_label] = arm;
  std::uint32_t& user = labels[first_label_ + PlannedExperiment::user_label];
  const bool is_asked =
      may_count_user(arm) && opening.ts >= std::max(plan_.spec->start, counts_from_) && opening.ts < plan_.end();
  user = is_asked && !before.empty() ? before[first_label_ + PlannedExperiment::user_label] : not_asked;
  if (is_asked && user == not_asked) user = user_of(batch, opening);
}

std::uint32_t ExperimentTally::user_of(const EventBatch& batch, const Event& opening) {
  if (opening.nobody) return nobody;  // `assign: user` joins by user
  const std::string_view id = batch.user_id(opening);
  const UserKey user = user_key(id);
  if (const auto known = members_.find(user); known != MemberTable::none) return known;
  const auto zeros = static_cast<std::uint8_t>(std::min(std::countl_zero(hash_to_sample(id)), zeros_max));
  return zeros < zeros_ ? not_sampled : members_.add(user, {.zeros = zeros});
}

void ExperimentTally::prefetch(const UpcomingList& list) const {
  const std::uint32_t arm = list.labels[first_label_ + PlannedExperiment::arm_label];
  const std::uint32_t user = list.labels[first_label_ + PlannedExperiment::user_label];
  members_.prefetch(user);
  if (!list.has_credits || arm >= plan_.spec->arms.values.size() || looks_.empty()) return;
  looks_.back().prefetch(arm, list.slot, plan_.before_at());
}

void ExperimentTally::restore(const MemberNote& note) {
  if (const auto known = members_.find(note.user); known != MemberTable::none) {
    members_.at(known) = note.member;
    return;
  }
  members_.add(note.user, note.member);
  if (before_.find_user(note.user)) before_.forget_user(note.user);
}

void ExperimentTally::add(const ListView& list, const ScoredList& score, const ListValues& values) {
  if (list.ts < counts_from_) return;
  if (list.ts < plan_.spec->start) {
    if (plan_.has_before()) add_before(list, values);
    return;
  }
  if (list.ts >= plan_.end()) return;
  if (plan_.draft) return add_draft(list, score);
  if (const auto place = counting_place(list)) add_to(place->arm, place->member, list, values);
}

// A list counts in the arm whose team has its first item, for that is what chance decides. [S10.37].
void ExperimentTally::add_draft(const ListView& list, const ScoredList& score) {
  LookSums& look = look_at(list.ts);
  const auto [control, arm] = plan_.draft->teams;
  const auto first = std::ranges::find_if(score.teams, [&](std::uint8_t team) { return team == control || team == arm; });
  if (first == score.teams.end()) {
    ++look.counts.other_lists;
    return;
  }
  std::int64_t credit_of_control = 0, credit_of_arm = 0;
  for (const Hit& hit : score.by_action[plan_.draft->action].hits) {
    const std::uint8_t team = score.teams[hit.rank - 1];
    credit_of_control += team == control ? 1 : 0;
    credit_of_arm += team == arm ? 1 : 0;
  }
  const std::size_t place = *first == control ? 0 : 1;
  look.count_list(place, list.slot);
  count_user(place, list);
  if (credit_of_control + credit_of_arm == 0) return;
  const auto row = look.row(place, list.slot);
  ++row[PlannedExperiment::credited_at];
  const bool is_won = credit_of_arm > credit_of_control;
  const bool is_lost = credit_of_arm < credit_of_control;
  row[PlannedExperiment::preference_at] += (is_won ? 1 : 0) - (is_lost ? 1 : 0);
  row[PlannedExperiment::wins_at] += is_won ? 1 : 0;
}

// Users of a draft see both teams; each counts once, where its first list does.
void ExperimentTally::count_user(std::size_t arm, const ListView& list) {
  const std::uint32_t user = list.labels[first_label_ + PlannedExperiment::user_label];
  if (user >= not_sampled) return;
  Member& member = members_.at(user);
  if (member.arm != Member::no_arm || member.zeros < zeros_) return;
  member.arm = static_cast<std::uint8_t>(arm);
  enter(member, list);
}

// What was final before the start: nothing that the experiment did is in it.
void ExperimentTally::add_before(const ListView& list, const ListValues& values) {
  const EventTime start = plan_.spec->start;
  if (list.ts < start - plan_.spec->cuped_before || list.ts + plan_.age > start || is_nobody(list)) return;
  columns_.clear();
  for (const std::size_t column : plan_.columns) columns_.push_back(values.column(column));
  const UserKey user = user_key(list.user_id);
  before_.add_list(user, list.group(), values.nonempty(), columns_);
  if (has_notes_) look_at(list.ts).before[list.slot].add_list(user, list.group(), values.nonempty(), columns_);
}

std::optional<ExperimentTally::Place> ExperimentTally::counting_place(const ListView& list) {
  const std::size_t arm = list.labels[first_label_ + PlannedExperiment::arm_label];
  const std::uint32_t user = list.labels[first_label_ + PlannedExperiment::user_label];
  ExperimentCounts& counts = look_at(list.ts).counts;
  if (arm == plan_.spec->arms.values.size()) {
    ++counts.other_lists;
    return std::nullopt;
  }
  if (plan_.spec->assign == Assign::list) return Place{arm, nullptr};
  if (user == nobody) {
    ++counts.nobody_lists;
    return std::nullopt;
  }
  if (user == not_sampled) return Place{arm, nullptr};
  Member& member = members_.at(user);
  if (member.arm == Member::no_arm) {
    if (member.zeros < zeros_) return Place{arm, nullptr};  // sampled since the list opened
    member.arm = static_cast<std::uint8_t>(arm);
    enter(member, list);
  }
  if (member.arm == arm) return Place{arm, &member};
  if (!member.is_mixed) {
    ++counts.mixed_users[member.zeros];
    member.is_mixed = true;
    if (has_notes_) looks_.back().notes.push_back({user_key(list.user_id), list.slot, member});
  }
  ++counts.mixed_lists;
  return std::nullopt;
}

// The user becomes a member: what it did in the time before is added once.
void ExperimentTally::enter(const Member& member, const ListView& list) {
  LookSums& look = looks_.back();
  ++look.arms[member.arm].users[member.zeros];
  const auto row = look.row(member.arm, list.slot);
  ++row[PlannedExperiment::users_at];
  const UserKey user = user_key(list.user_id);
  if (has_notes_) look.notes.push_back({user, list.slot, member});
  const auto before = before_.find_user(user);
  if (!before) return;
  row[plan_.before_at()] += static_cast<std::int64_t>(before->lists);
  columns_.assign(before->columns.begin(), before->columns.end());
  for (const std::size_t c : plan_.acting) columns_[c] = std::min<std::int64_t>(columns_[c], 1);
  const auto to = row.subspan(plan_.before_at() + 1);
  std::transform(to.begin(), to.end(), columns_.begin(), to.begin(), std::plus<>());
  before_.forget_user(user);
}

void ExperimentTally::add_to(std::size_t arm, Member* member, const ListView& list, const ListValues& values) {
  LookSums& look = looks_.back();
  look.count_list(arm, list.slot);
  if (values.ranges().empty() && !plan_.sums_users) return;
  const auto to = look.row(arm, list.slot).subspan(PlannedExperiment::columns_at, plan_.columns.size());
  if (!plan_.sums_users) {
    for (std::size_t c = 0; c < to.size(); ++c) to[c] += values.columns()[plan_.columns[c]];
    return;
  }
  if (member != nullptr && !plan_.acting.empty()) add_acting(to, *member, list, values);
  for (std::size_t c = 0; c < to.size(); ++c) {
    if (std::ranges::find(plan_.acting, c) == plan_.acting.end()) to[c] += values.column(plan_.columns[c]);
  }
}

// Each member counts once, with its first list on which it acted.
void ExperimentTally::add_acting(std::span<std::int64_t> row, Member& member, const ListView& list,
                                 const ListValues& values) {
  const std::uint8_t before = member.acted;
  for (std::size_t i = 0; i < plan_.acting.size(); ++i) {
    const auto bit = static_cast<std::uint8_t>(1U << i);
    const std::size_t c = plan_.acting[i];
    if ((member.acted & bit) != 0 || values.column(plan_.columns[c]) == 0) continue;
    member.acted |= bit;
    ++row[c];
  }
  if (has_notes_ && member.acted != before) looks_.back().notes.push_back({user_key(list.user_id), list.slot, member});
}

// The look that lists of this time first count in: the newest, since lists come in the order of their times.
LookSums& ExperimentTally::look_at(EventTime ts) {
  if (looks_.empty() || ts >= plan_.look_time(looks_.back().number())) {
    looks_.emplace_back(plan_.look_of(ts), plan_.spec->arms.values.size(), plan_.width());
  }
  return looks_.back();
}

void ExperimentTally::take(EventTime w, std::deque<LookSums>& to) {
  while (!looks_.empty() && plan_.complete_at(looks_.front().number()) <= w) {
    looks_.front().settle_lists();
    to.push_back(std::move(looks_.front()));
    looks_.pop_front();
  }
  if (w < plan_.complete_at(plan_.last_look())) return;
  members_ = {};
  before_ = {};
}

// It only gets smaller. A run that goes on has it before it hears of the looks of which it became so small.
void ExperimentTally::sample(std::uint8_t zeros) {
  if (zeros <= zeros_) return;
  zeros_ = zeros;
  members_.keep_from(zeros);
  before_ = {};
}

}  // namespace recmeter
