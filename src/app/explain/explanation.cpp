#include "app/explain/explanation.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "app/explain/reason.h"
#include "recmeter/base/check.h"
#include "recmeter/join/credit_rule.h"
#include "recmeter/result/render.h"

namespace recmeter::explain {

namespace {

bool is_of(const WatchedList& list, const std::string& user_id) {
  return list.nobody || list.user_id == user_id;
}

// Whether the impression is part of this list: it opened it, or brought items to it.
bool is_part(const WatchedList& list, const WatchedImpression& impression, const JoinRule& rule) {
  const Duration delay = impression.ts - list.ts;
  const bool is_in_time = delay >= Duration{0} && (delay.ms == 0 || delay < rule.assemble);
  if (impression.fate != Fate::accepted || !is_of(list, impression.user_id) || !is_in_time) return false;
  if (impression.by_row) {
    return impression.position <= list.items.size() && list.items[impression.position - 1] == impression.items.front();
  }
  return std::ranges::all_of(impression.items,
                             [&](const std::string& item) { return item.empty() || rank_of(list, item) != 0; });
}

// The rank, from 0, to which entry number `i` of a part came; none where an earlier part brought its item.
std::optional<std::size_t> place_of(const WatchedList& list, const WatchedImpression& impression, std::size_t i,
                                    const std::vector<bool>& brought, bool opens) {
  if (impression.by_row) return impression.position - 1;
  if (opens) return i < list.items.size() ? std::optional(i) : std::nullopt;
  const std::string& item = impression.items[i];
  if (item.empty()) return std::nullopt;
  const auto holds = [&](std::size_t rank) { return list.items[rank] == item && !brought[rank]; };
  for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
    if (holds(rank)) return rank;
  }
  return std::nullopt;
}

std::string fate_text(const WatchedImpression& impression) {
  if (impression.why) return duplicate_text(*impression.why, impression.position);
  return std::string(to_string(impression.fate));
}

void explain_impressions(Explanation& out, const WatchedList& list, const std::vector<WatchedImpression>& impressions,
                         const JoinRule& rule, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const auto rank = static_cast<std::uint32_t>(i + 1);
    const std::uint32_t first = list.items[i].empty() ? rank : rank_of(list, list.items[i]);
    out.items.push_back(
        {.rank = rank, .item = list.items[i], .score = {}, .shown_after = {}, .first_rank = first < rank ? first : 0});
  }
  bool opened = false;
  std::vector<bool> brought(list.items.size());
  for (const WatchedImpression& impression : impressions) {
    if (!is_of(list, impression.user_id)) continue;
    const std::string& input = inputs[impression.input];
    if (!is_part(list, impression, rule)) {
      if (impression.fate == Fate::accepted) continue;  // of another list of this id
      out.other_impressions.push_back(delay_text(impression.ts - list.ts) + (impression.by_row ? " row " : " list ") +
                                      "of this id, " + fate_text(impression) + " (" + input + ")");
      continue;
    }
    if (std::find(out.inputs.begin(), out.inputs.end(), input) == out.inputs.end()) out.inputs.push_back(input);
    const bool opens = !std::exchange(opened, true);
    if (opens) out.segments = impression.segments;
    for (std::size_t i = 0; i < impression.items.size(); ++i) {
      const auto rank = place_of(list, impression, i, brought, opens);
      if (!rank) continue;
      if (!impression.items[i].empty()) brought[*rank] = true;
      if (!impression.scores.empty()) out.items[*rank].score = impression.scores[i];
      if (impression.by_row || !opens) out.items[*rank].shown_after = impression.ts - list.ts;
    }
  }
}

// Whether the feedback is to be told of: it concerns the list, or nearly does.
bool concerns(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t& farther) {
  const WatchedList& list = context.list;
  const JoinRule& rule = context.rule;
  if (list.nobody ? feedback.list_id != list.list_id : feedback.user_id != list.user_id) return false;
  const Duration delay = feedback.ts - list.ts;
  const Duration longest = rule.longest_horizon();
  const bool near = delay >= Duration{0} - rule.skew - longest && delay < longest + longest;
  const bool in_list = rank_of(list, feedback.item) != 0;
  if (in_list || feedback.list_id == list.list_id) {
    farther += near ? 0 : 1;
    return near;
  }
  if (rule.actions[feedback.action].on_list) return false;
  return credit_rule::is_in_time(delay, longest, rule.skew);
}

ExplainedFeedback explained(const ReasonContext& context, const WatchedFeedback& feedback,
                            const std::vector<std::string>& inputs) {
  ExplainedFeedback out{.input = inputs[feedback.input],
                        .ts = feedback.ts,
                        .delay = feedback.ts - context.list.ts,
                        .action = context.rule.actions[feedback.action].name,
                        .item = feedback.item,
                        .list_id = feedback.list_id,
                        .value = feedback.value,
                        .fate = std::string(to_string(feedback.fate)),
                        .outcome = feedback.outcome ? std::string(to_string(*feedback.outcome)) : std::string(),
                        .reasons = {}};
  const std::size_t horizons = feedback.fate == Fate::accepted ? context.rule.horizons.size() : 1;
  for (std::size_t h = 0; h < horizons; ++h) out.reasons.push_back(reason(context, feedback, h));
  return out;
}

ExplainedScore explained(const ReasonContext& context, const WatchedScore& score,
                         const std::vector<WatchedFeedback>& feedback) {
  ExplainedScore out{.horizon = context.rule.horizons[score.horizon],
                     .hits = score.hits,
                     .missed = {},
                     .has_missed = !context.list.nobody,
                     .metrics = score.metrics};
  std::map<std::string, double> missed;
  for (const WatchedFeedback& f : feedback) {
    if (f.user_id != context.list.user_id || !is_missed(context, f, score.horizon)) continue;
    double& grade = missed[f.item];
    grade = std::max(grade, context.rule.actions[f.action].gain);
  }
  out.missed.assign(missed.begin(), missed.end());
  std::uint64_t counted = 0;
  for (const GradeCount& level : score.missed) counted += level.items;
  RECMETER_CHECK(!score.knows_missed || counted == out.missed.size(), "missed items are explained as they were counted");
  return out;
}

}  // namespace

Explanation explain(const WatchedList& list, const std::vector<WatchedImpression>& impressions,
                    const std::vector<WatchedFeedback>& feedback, const JoinRule& rule,
                    const std::vector<std::string>& inputs) {
  Explanation out;
  out.list_id = list.list_id;
  out.user_id = list.user_id;
  out.ts = list.ts;
  explain_impressions(out, list, impressions, rule, inputs);
  const ReasonContext context{.list = list, .items = out.items, .feedback = feedback, .rule = rule};
  for (const WatchedFeedback& f : feedback) {
    if (concerns(context, f, out.farther)) out.feedback.push_back(explained(context, f, inputs));
  }
  std::stable_sort(out.feedback.begin(), out.feedback.end(), [](const auto& a, const auto& b) { return a.ts < b.ts; });
  for (const WatchedScore& score : list.scores) out.scores.push_back(explained(context, score, feedback));
  return out;
}

std::string short_duration(Duration duration) {
  constexpr std::int64_t second = 1000;
  constexpr std::int64_t minute = 60 * second;
  const std::int64_t ms = duration.ms;
  if (ms < second) return std::to_string(ms) + "ms";
  if (ms < minute) {
    const std::int64_t tenths = ms % second / 100;
    return std::to_string(ms / second) + (tenths > 0 ? "." + std::to_string(tenths) : "") + "s";
  }
  struct Unit {
    std::int64_t ms;
    std::string_view name;
  };
  constexpr std::array units{Unit{24 * 60 * minute, "d"}, Unit{60 * minute, "h"}, Unit{minute, "m"}, Unit{second, "s"}};
  std::size_t first = 0;
  while (ms < units[first].ms) ++first;
  const std::int64_t rest = ms % units[first].ms / units[first + 1].ms;
  std::string text = std::to_string(ms / units[first].ms);
  text += units[first].name;
  if (rest > 0) text.append(std::to_string(rest)).append(units[first + 1].name);
  return text;
}

std::string delay_text(Duration delay) {
  return delay < Duration{0} ? "-" + short_duration(Duration{0} - delay) : "+" + short_duration(delay);
}

}  // namespace recmeter::explain
