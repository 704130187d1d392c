#include "scripted_join.h"

#include <gtest/gtest.h>

namespace recmeter::test {

JoinRule small_rule() {
  JoinRule rule;
  rule.horizons = {Duration{100}, Duration{1000}};
  rule.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}},
                  {.name = "like", .gain = 3, .after = {}, .horizon = {}},
                  {.name = "view", .gain = 0, .after = {}, .horizon = {}},
                  {.name = "buy", .gain = 5, .after = 0, .horizon = {}}};
  rule.same_list = Duration{500};
  rule.assemble = Duration{50};
  return rule;
}

ScriptedJoin::ScriptedJoin(JoinRule rule, bool needs_missed, bool needs_feedback, bool needs_retests,
                           std::size_t list_items_max)
    : rule_(std::move(rule)) {
  for (const Action& action : rule_.actions) decoding_.actions.push_back(action.name);
  decoding_.key = rule_.key;
  const JoinerOptions options{.needs_missed = needs_missed,
                              .needs_feedback = needs_feedback,
                              .needs_retests = needs_retests,
                              .labels_per_list = 1,
                              .list_items_max = list_items_max,
                              .id_bytes_max = 256};
  joiner_ = std::make_unique<Joiner>(rule_, options, static_cast<ListObserver&>(*this));
}

void ScriptedJoin::add(const std::string& line) {
  const EventBatch batch = support::decoded({line}, decoding_);
  const Event& event = batch.events().front();
  ASSERT_EQ(event.outcome, Outcome::event) << line;
  if (event.kind == EventKind::feedback) {
    joiner_->add_feedback(batch, event);
  } else {
    duplicate_ = joiner_->add_impression(batch, event);
  }
}

ScriptedJoin& ScriptedJoin::list(std::int64_t ms, std::string_view user, std::string_view list,
                                 const std::vector<std::string>& items, std::string_view more) {
  add(support::list_line(ms, user, list, items, more));
  return *this;
}

ScriptedJoin& ScriptedJoin::row(std::int64_t ms, std::string_view user, std::string_view list, std::string_view item,
                                int position, std::string_view more) {
  add(support::row_line(ms, user, list, item, position, more));
  return *this;
}

ScriptedJoin& ScriptedJoin::feedback(std::int64_t ms, std::string_view action, std::string_view user, std::string_view item,
                                     std::string_view list, std::string_view more) {
  add(support::feedback_line(ms, action, user, item, list, more));
  return *this;
}

ScriptedJoin& ScriptedJoin::advance(std::int64_t ms) {
  joiner_->advance(support::at(ms));
  return *this;
}

ScriptedJoin& ScriptedJoin::finish() {
  joiner_->advance(plus_infinity);
  return *this;
}

Scored ScriptedJoin::scored(std::string_view list, std::size_t h) const {
  Scored found;
  int count = 0;
  for (const Entry& entry : entries_) {
    if (entry.list != list || entry.horizon != h) continue;
    found = entry.scored;
    ++count;
  }
  EXPECT_EQ(count, 1) << "times that " << list << " was scored";
  return found;
}

std::vector<Hits> ScriptedJoin::hits_of_each(std::string_view list, std::size_t h) const {
  std::vector<Hits> all;
  for (const Entry& entry : entries_) {
    if (entry.list == list && entry.horizon == h) all.push_back(entry.scored.hits);
  }
  return all;
}

std::vector<std::uint32_t> ScriptedJoin::scored_lengths(std::string_view list) const {
  std::vector<std::uint32_t> lengths;
  for (const Entry& entry : entries_) {
    if (entry.list == list && entry.horizon == 0) lengths.push_back(entry.scored.length);
  }
  return lengths;
}

std::vector<std::string> ScriptedJoin::order(std::size_t h) const {
  std::vector<std::string> ids;
  for (const Entry& entry : entries_) {
    if (entry.horizon == h) ids.push_back(entry.list);
  }
  return ids;
}

// Lists are labelled 1, 2, ... as they open.
void ScriptedJoin::label(const EventBatch& /*batch*/, const Event& /*opening*/, std::span<std::uint32_t> labels,
                         std::span<const std::uint32_t> before) {
  labels_before_.push_back(before.empty() ? 0 : before.front());
  labels.front() = static_cast<std::uint32_t>(labels_before_.size());
}

void ScriptedJoin::assembled(const ListView& list) {
  auto& items = assembled_[std::string(list.list_id)];
  for (const Interner::Id item : list.items) {
    items.push_back(item == Interner::none ? std::string() : std::string(joiner_->items().text(item)));
  }
}

void ScriptedJoin::scored(const ListView& list, HorizonIndex horizon, const ScoredList& score,
                          std::span<const AssignedFeedback> feedback) {
  Scored scored;
  scored.length = score.length;
  scored.missed_items = score.missed_items;
  for (const Hit& hit : score.hits) scored.hits.emplace_back(hit.rank, hit.grade);
  for (const GradeCount& count : score.missed) scored.missed.emplace_back(count.grade, count.items);
  scored.ratings.assign(score.ratings.begin(), score.ratings.end());
  scored.judged.assign(score.judged.begin(), score.judged.end());
  scored.retests.assign(score.retests.begin(), score.retests.end());
  scored.credited = score.credited;
  scored.credited_with_score = score.credited_with_score;
  scored.feedback.assign(feedback.begin(), feedback.end());
  entries_.push_back({std::string(list.list_id), index_of(horizon), std::move(scored)});
}

}  // namespace recmeter::test
