// Checks of what comes beside lists and actions: segments, propensities, scores, ratings, baskets; and of events as such.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "doctor/id_form.h"
#include "doctor/judges.h"
#include "recmeter/result/invalid_record.h"

namespace recmeter::doctor {
namespace {

template <class Of>
std::uint64_t sum_of(const Evidence& evidence, const Of& of) {
  std::uint64_t sum = 0;
  for (const FileFacts& file : evidence.facts.files) sum += of(file);
  return sum;
}

// A finding for each key that has one; else the silent one of any.
template <class JudgeKey>
Judgements of_keys(const Evidence& evidence, const JudgeKey& judge) {
  Judgements out;
  Judgements silent;
  for (const auto& [key, facts] : evidence.facts.segments.keys()) {
    Judged judged = judge(facts);
    judged.words["key"] = key;
    (judged.sureness == Sureness::silent ? silent : out).push_back(std::move(judged));
  }
  if (out.empty() && !silent.empty()) out.push_back(std::move(silent.front()));
  return out;
}

Judged tau(const Evidence& evidence, double threshold) {
  const ValueFacts& values = evidence.facts.values;
  const auto n = static_cast<double>(values.scored_lists);
  const double mean = n == 0 ? 1 : values.tau_sum / n;
  const double error = n == 0 ? 0 : sure_z * std::sqrt(std::max(0.0, values.tau_square_sum / n - mean * mean) / n);
  Judged judged{.cases = values.reversed_lists, .of = values.scored_lists};
  judged.words = {{"tau", fmt::format("{:.2f}", mean)}};
  if (values.scored_lists < records_min || !values.ratings.empty() || mean + error >= threshold) return judged;
  judged.sureness = mean + error < threshold - 0.2 ? Sureness::certain : Sureness::likely;
  return judged;
}

}  // namespace

Judgements segment_missing(const Evidence& evidence, double threshold) {
  const std::uint64_t lists = evidence.facts.segments.lists();
  return of_keys(evidence, [&](const SegmentFacts::Key& key) {
    Judged judged = share_above(lists - key.lists, lists, threshold);
    if (share(lists - key.lists, lists) > 1 - threshold) judged.sureness = Sureness::silent;
    return judged;
  });
}

Judgements segment_values(const Evidence& evidence, double threshold) {
  constexpr std::size_t values_min = 200;
  return of_keys(evidence, [&](const SegmentFacts::Key& key) {
    Judged judged = share_above(key.values.size(), key.lists, threshold);
    if (key.values.size() <= values_min) judged.sureness = Sureness::silent;
    judged.words["values"] = std::to_string(key.values.size()) + (key.other > 0 ? " or more" : "");
    return judged;
  });
}

Judgements segment_spelling(const Evidence& evidence, double /*threshold*/) {
  return of_keys(evidence, [&](const SegmentFacts::Key& key) {
    std::map<std::string, std::string_view> forms;
    Judged judged{.of = key.lists};
    for (const auto& [value, count] : key.values) {
      const auto [at, is_new] = forms.try_emplace(id_form(value), value);
      if (is_new || value.size() != at->second.size()) continue;
      judged.sureness = Sureness::certain;
      judged.cases += count;
      judged.words["values"] = fmt::format("\"{}\" and \"{}\"", at->second, value);
    }
    return judged;
  });
}

Judgements basket_value(const Evidence& evidence, double threshold) {
  return {share_above(evidence.facts.values.baskets_of_one_value, evidence.facts.values.baskets, threshold)};
}

Judgements propensity_range(const Evidence& evidence, double threshold) {
  const auto reason = static_cast<std::size_t>(InvalidReason::bad_propensity);
  Tally tally(evidence);
  std::string example;
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const FileFacts& file = evidence.facts.files[i];
    tally.add(static_cast<std::uint32_t>(i), file.invalid[reason], file.lists + file.invalid[reason]);
    if (!file.samples[reason].empty()) example = file.samples[reason].front().value;
  }
  Judged judged = tally.above(threshold);
  judged.words = {{"example", example.empty() ? "" : ", such as " + example}};
  return {judged};
}

Judgements propensity_one(const Evidence& evidence, double threshold) {
  const ValueFacts& values = evidence.facts.values;
  return {share_above(values.propensity_ones, values.propensity_rows, threshold)};
}

// Half of the items or more tell that a policy's propensities are not those of its ranks.
Judgements propensity_sum(const Evidence& evidence, double threshold) {
  Judged worst{.of = evidence.facts.values.propensity_rows};
  double furthest = std::log(threshold);
  for (const ValueFacts::Propensity& place : evidence.facts.values.propensities()) {
    const double off = std::abs(std::log(place.quotient));
    if (off <= furthest) continue;
    furthest = off;
    worst.sureness = off > 2 * std::log(threshold) ? Sureness::certain : Sureness::likely;
    worst.cases = place.rows;
    const std::string policy = place.policy < 0 ? ""
                                                : fmt::format("{} {}, ", evidence.facts.arm_key,
                                                              evidence.facts.arms[static_cast<std::size_t>(place.policy)]);
    worst.words = {{"place", fmt::format("{}rank {}", policy, place.rank)}, {"times", fmt::format("{:.2g}", place.quotient)}};
  }
  return {worst};
}

Judgements scores_reversed(const Evidence& evidence, double threshold) {
  return {tau(evidence, threshold)};
}

Judgements scores_unordered(const Evidence& evidence, double threshold) {
  return {tau(evidence, threshold)};
}

Judgements no_feedback(const Evidence& evidence, double /*threshold*/) {
  const std::uint64_t lists = sum_of(evidence, [](const FileFacts& file) { return file.lists; });
  const std::uint64_t feedback = sum_of(evidence, [](const FileFacts& file) { return file.feedback; });
  return {{.sureness = lists > 0 && feedback == 0 ? Sureness::certain : Sureness::silent, .cases = feedback, .of = lists}};
}

Judgements no_impressions(const Evidence& evidence, double /*threshold*/) {
  const std::uint64_t lists = sum_of(evidence, [](const FileFacts& file) { return file.lists; });
  const std::uint64_t events = sum_of(evidence, [](const FileFacts& file) { return file.events - file.all_invalid(); });
  return {{.sureness = lists == 0 && events > 0 ? Sureness::certain : Sureness::silent, .cases = lists, .of = events}};
}

Judgements rating_range(const Evidence& evidence, double threshold) {
  const RatingRule& rule = evidence.spec.ratings;
  std::uint64_t all = 0;
  std::uint64_t outside = 0;
  double low = rule.min;
  double high = rule.max;
  for (const auto& [value, count] : evidence.facts.values.ratings) {
    all += count;
    if (value < rule.min || value > rule.max) outside += count;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  Judged judged = share_above(outside, all, threshold);
  judged.words = {{"range", fmt::format("{} to {}", rule.min, rule.max)}, {"seen", fmt::format("{} to {}", low, high)}};
  judged.settings = {{"ratings.min", fmt::format("{}", low)}, {"ratings.max", fmt::format("{}", high)}};
  return {judged};
}

Judgements invalid(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  std::uint64_t most = 0;
  std::string example;
  std::string field;
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const FileFacts& file = evidence.facts.files[i];
    std::uint64_t tolerated = 0;
    for (const InvalidReason reason : evidence.spec.limits.tolerated_reasons)
      tolerated += file.invalid[static_cast<std::size_t>(reason)];
    tally.add(static_cast<std::uint32_t>(i), file.all_invalid() - tolerated, file.events - tolerated);
    for (std::size_t reason = 0; reason < invalid_reason_count; ++reason) {
      if (evidence.spec.limits.tolerated_reasons.contains(static_cast<InvalidReason>(reason))) continue;
      if (file.invalid[reason] <= most || file.samples[reason].empty()) continue;
      most = file.invalid[reason];
      const InvalidSample& sample = file.samples[reason].front();
      field = sample.field;
      example = fault_text(sample) + (sample.line > 0 ? fmt::format(" in line {}", sample.line) : "");
      const std::string& format = evidence.inputs[i].format;
      if (!format.empty() && 2 * file.all_invalid() > file.events)
        example += fmt::format("; most of {} is invalid: {}", evidence.inputs[i].name, format);
    }
  }
  Judged judged = tally.above(threshold);
  // A log that is mostly unread needs no records_min, nor cases_min.
  if (2 * judged.cases > judged.of) judged.sureness = Sureness::certain;
  judged.words = {{"example", example}, {"what", field.empty() ? "them" : "`" + field + "`"}};
  return {judged};
}

Judgements type_unmapped(const Evidence& evidence, double threshold) {
  const std::uint64_t ignored = sum_of(evidence, [](const FileFacts& file) { return file.ignored; });
  Judged judged = share_above(ignored, sum_of(evidence, [](const FileFacts& file) { return file.events; }), threshold);
  std::string words;
  for (const auto& [word, count] : evidence.facts.ignored_words) {
    words += (words.empty() ? "" : ", ") + word;
    judged.settings.push_back({"join.actions." + word, "{gain: 1}"});
  }
  judged.words = {{"words", words}};
  if (words.empty()) judged.sureness = Sureness::silent;
  return {judged};
}

// Each record once, by its first item that was shown; beside the feedback of the records that were looked at. Types that
// type-unmapped tells of have its remedy.
Judgements ignored_items(const Evidence& evidence, double threshold) {
  constexpr std::size_t told_max = 5;
  const bool are_words_told = type_unmapped(evidence, threshold).front().sureness != Sureness::silent;
  const Facts& facts = evidence.facts;
  std::vector<std::pair<std::uint64_t, std::string>> types;
  for (const std::string& type : facts.ignored_types) types.emplace_back(0, type);
  std::uint64_t cases = 0;
  bool is_told = false;
  for (const IgnoredItem& ignored : facts.ignored_items) {
    is_told = is_told && !ignored.is_first;
    if (is_told || !evidence.log.was_shown(ignored.action, ignored.item, evidence.spec.join.longest_horizon())) continue;
    is_told = true;
    if (are_words_told && facts.ignored_words.contains(facts.ignored_types[ignored.type])) continue;
    ++cases;
    ++types[ignored.type].first;
  }
  std::ranges::stable_sort(types, std::ranges::greater(), &std::pair<std::uint64_t, std::string>::first);
  std::string told;
  for (std::size_t i = 0; i < types.size() && i < told_max && types[i].first > 0; ++i) {
    const std::string name = types[i].second.empty() ? "without a type" : "'" + types[i].second + "'";
    told += fmt::format("{}{} ({})", told.empty() ? "" : ", ", name, types[i].first);
  }
  if (types.size() > told_max && types[told_max].first > 0) told += ", ...";
  const std::uint64_t feedback =
      facts.feedback_looked_at / evidence.log.sample().one_in();  // as many users as the cases are of
  Judged judged = share_above(cases, cases + feedback, threshold);
  judged.words = {{"types", told}, {"feedback", std::to_string(feedback)}};
  return {judged};
}

}  // namespace recmeter::doctor
