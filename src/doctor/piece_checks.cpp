// Checks of lists that come in pieces, and of what is a duplicate for another reason than that it came before.
#include <algorithm>
#include <tuple>

#include "doctor/judges.h"
#include "recmeter/result/render.h"

namespace recmeter::doctor {
namespace {

Judged share_of_duplicates(const Evidence& evidence, DuplicateReason reason, std::uint64_t FileFacts::* of,
                           double threshold) {
  Tally tally(evidence);
  for (std::uint32_t i = 0; i < evidence.facts.files.size(); ++i) {
    const FileFacts& file = evidence.facts.files[i];
    tally.add(i, file.duplicates[index_of(reason)], file.*of);
  }
  return tally.above(threshold);
}

// Asks to gather lists for so long that 99 % of what came so long after its list opened is part of it, and for [S3.21].
void ask_to_assemble(const JoinRule& rule, std::vector<Duration> delays, Judged& judged) {
  if (delays.empty()) {
    judged.sureness = Sureness::silent;
    return;
  }
  std::sort(delays.begin(), delays.end());
  const Duration most = delays[(99 * delays.size() - 1) / 100];
  const Duration assemble = rounded_up(most.ms + 1);
  judged.words["half"] = span_text(delays[delays.size() / 2].ms);
  judged.settings = {{"join.assemble", render_duration(assemble)}};
  if (assemble > rule.same_list) judged.settings.push_back({"join.same_list", render_duration(assemble)});
  std::string horizons;
  bool is_kept = true;
  for (const Duration horizon : rule.horizons) {
    is_kept = is_kept && horizon >= assemble;
    if (horizon >= assemble) horizons += (horizons.empty() ? "" : ", ") + render_duration(horizon);
  }
  if (horizons.empty()) horizons = render_duration(assemble);
  if (!is_kept) judged.settings.push_back({"join.horizons", "[" + horizons + "]"});
  std::string& told = judged.words["settings"];
  for (const Setting& setting : judged.settings) told += (told.empty() ? "" : ", ") + setting.key + ": " + setting.value;
}

}  // namespace

// However few they are among all rows, it is they that are missed where feedback is on their items.
Judgements rows_late(const Evidence& evidence, double threshold) {
  constexpr double missed_by_feedback = 0.01;
  Judged judged = share_of_duplicates(evidence, DuplicateReason::late_row, &FileFacts::rows, threshold);
  std::uint64_t missed = 0, known = 0;
  for (const JoinedAction& action : evidence.log.actions()) {
    known += action.is_known && action.is_of_user ? 1U : 0U;
    missed += action.is_known && action.is_of_user && action.came_late ? 1U : 0U;
  }
  judged.sureness = std::max(judged.sureness, above(missed, known, missed_by_feedback));
  judged.words["missed"] = percent(share(missed, known));
  ask_to_assemble(evidence.spec.join, evidence.log.late_rows(), judged);
  return {judged};
}

Judgements list_grows(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  std::vector<Duration> delays;
  for (const ShownList& list : evidence.log.lists()) {
    const bool grows = list.grown_for.ms > 0;
    tally.add(list.first->file, grows ? 1 : 0, 1);
    if (grows) delays.push_back(list.grown_for);
  }
  Judged judged = tally.above(threshold);
  ask_to_assemble(evidence.spec.join, std::move(delays), judged);
  return {judged};
}

Judgements nothing_new(const Evidence& evidence, double threshold) {
  Judged judged = share_of_duplicates(evidence, DuplicateReason::nothing_new, &FileFacts::lists, threshold);
  judged.settings = {{"join.whole_lists", "own"}};
  return {judged};
}

Judgements list_full(const Evidence& evidence, double threshold) {
  Judged judged = share_of_duplicates(evidence, DuplicateReason::full, &FileFacts::lists, threshold);
  judged.words = {{"longest", std::to_string(evidence.spec.limits.list_items)}};
  return {judged};
}

// Users who are nobody are in no key of a place.
Judgements lane_list_continued(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  for (const ShownList& list : evidence.log.lists()) {
    if (!evidence.facts.lists_of_lanes.contains({list.first->user.raw, list.first->id.raw})) continue;
    tally.add(list.first->file, list.was_continued ? 1 : 0, 1);
  }
  Judged judged = tally.above(threshold);
  judged.settings = {{"join.whole_lists", "own"}};
  return {judged};
}

// Looks at actions with values alone: without one, an item that is acted on twice counts as once anyhow.
Judgements event_id_again(const Evidence& evidence, double threshold) {
  const JoinRule& rule = evidence.spec.join;
  if (rule.key.by == JoinKey::By::list) return {};
  std::vector<Tally> tallies(rule.actions.size(), Tally(evidence));
  const auto same = [](const SeenAction& action) {
    return std::tuple(action.action, action.user.raw, action.item, action.event_id);
  };
  std::vector<const SeenAction*> actions;
  for (const JoinedAction& joined : evidence.log.actions()) {
    const SeenAction& action = *joined.action;
    const Action& kind = rule.actions[action.action];
    if (action.event_id != 0 && action.has_value && !kind.once && !kind.undoes) actions.push_back(&action);
  }
  std::stable_sort(actions.begin(), actions.end(), [&](const auto* a, const auto* b) { return same(*a) < same(*b); });
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const bool is_again =
        i > 0 && same(*actions[i]) == same(*actions[i - 1]) && actions[i]->ts - actions[i - 1]->ts < rule.once_memory().ms;
    tallies[actions[i]->action].add(actions[i]->file, is_again ? 1 : 0, 1);
  }
  Judgements out;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    Judged judged = tallies[i].above(threshold);
    judged.words = {{"action", rule.actions[i].name}};
    judged.settings = {{"join.actions." + rule.actions[i].name + ".once", "event_id"}};
    out.push_back(std::move(judged));
  }
  return out;
}

Judgements once_again(const Evidence& evidence, double threshold) {
  return {share_of_duplicates(evidence, DuplicateReason::once, &FileFacts::feedback, threshold)};
}

Judgements basket_lines(const Evidence& evidence, double threshold) {
  return {share_of_duplicates(evidence, DuplicateReason::line, &FileFacts::feedback, threshold)};
}

}  // namespace recmeter::doctor
