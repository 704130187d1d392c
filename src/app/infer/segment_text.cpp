#include "app/infer/segment_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/infer/name_words.h"
#include "app/infer/yaml_text.h"
#include "recmeter/result/render.h"

namespace recmeter {
namespace {

std::string yaml_list(const std::vector<std::string>& values) {
  std::vector<std::string> texts;
  for (const std::string& value : values) texts.push_back(yaml_text(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

// A name of an experiment has letters, digits, `.`, `_` and `-`.
std::string experiment_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return !is_small(c) && !is_capital(c) && (c < '0' || c > '9') && c != '_'; }, '-');
  return name;
}

ExperimentGuess without_log(EventTime first) {
  return {.start = EventTime{first.ms - first.ms % one_hour.ms},
          .start_evidence = "the hour of the first list",
          .before = {},
          .metric = "precision@10",
          .mde = 0.05,
          .mde_evidence = "the least change worth finding"};
}

// Valid as it stands: an experiment begins on the hour, and the log, less the time before, within an hour of it.
std::string experiment_text(const SegmentGuess& arm, const KnownOfArms& known) {
  const auto found = known.experiments == nullptr ? ExperimentGuesses::const_iterator() : known.experiments->find(arm.key);
  const bool is_known = known.experiments != nullptr && found != known.experiments->end();
  const ExperimentGuess guess = is_known ? found->second : without_log(known.first_list);
  std::string text = fmt::format("#   - name: {}\n", experiment_name(arm.key));
  text += fmt::format("#     arms: {{key: {}, values: {}, control: {}}}\n", yaml_text(arm.key), yaml_list(arm.arm.values),
                      yaml_text(arm.arm.control));
  text += yaml_line("#     start: " + render_utc(guess.start), guess.start_evidence);
  text += yaml_line("#     duration: " + render_duration(guessed_duration), "until the last look");
  if (known.joins_by_list) {
    text += yaml_line("#     assign: list", "users are not known");
  } else if (guess.before.ms > 0) {
    text += yaml_line(fmt::format("#     cuped: {{before: {}}}", render_duration(guess.before)),
                      "what users did before takes noise out");
  } else {
    text += yaml_line("#     # cuped: {before: 7d}", "takes noise out, of a log that begins a week before the arms");
  }
  return text + yaml_line(fmt::format("#     primary: [{{metric: \"{}\", mde: {:g}}}]", guess.metric, guess.mde),
                          guess.mde_evidence);
}

}  // namespace

std::string segments_text(const std::vector<SegmentGuess>& segments, const KnownOfArms& known) {
  if (segments.empty()) return "";
  std::vector<std::string> keys;
  std::string evidence, experiments;
  for (const SegmentGuess& segment : segments) {
    keys.push_back(fmt::format("[{}]", yaml_text(segment.key)));
    if (segment.arm.evidence.empty()) continue;
    evidence += fmt::format("# {} is {} arm: {}\n", comment_text(segment.key), segment.arm.is_arm ? "an" : "no",
                            comment_text(segment.arm.evidence));
    if (segment.arm.is_arm) experiments += experiment_text(segment, known);
  }
  std::string text = yaml_line(fmt::format("segments: [{}]", fmt::join(keys, ", ")), "rows for each value, too") + evidence;
  if (experiments.empty()) return text;
  return text + yaml_line("# experiments:", "is one arm better? Look through it, and take the marks away") + experiments;
}

}  // namespace recmeter
