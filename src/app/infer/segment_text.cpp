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

// Valid as it stands: an experiment begins on the hour, and the log within an hour of it.
std::string experiment_text(const SegmentGuess& arm, EventTime first, bool joins_by_list) {
  const EventTime start{first.ms - first.ms % one_hour.ms};
  std::string text = fmt::format("#   - name: {}\n", experiment_name(arm.key));
  text += fmt::format("#     arms: {{key: {}, values: {}, control: {}}}\n", yaml_text(arm.key), yaml_list(arm.arm.values),
                      yaml_text(arm.arm.control));
  text += yaml_line("#     start: " + render_utc(start), "the hour of the first list");
  text += yaml_line("#     duration: 28d", "until the last look");
  if (joins_by_list) text += yaml_line("#     assign: list", "users are not known");
  return text + yaml_line("#     primary: [{metric: \"precision@10\", mde: 0.02}]", "mde: the least change worth finding");
}

}  // namespace

std::string segments_text(const std::vector<SegmentGuess>& segments, EventTime first_list, bool joins_by_list) {
  if (segments.empty()) return "";
  std::vector<std::string> keys;
  std::string evidence, experiments;
  for (const SegmentGuess& segment : segments) {
    keys.push_back(fmt::format("[{}]", yaml_text(segment.key)));
    if (segment.arm.evidence.empty()) continue;
    evidence += fmt::format("# {} is {} arm: {}\n", comment_text(segment.key), segment.arm.is_arm ? "an" : "no",
                            comment_text(segment.arm.evidence));
    if (segment.arm.is_arm) experiments += experiment_text(segment, first_list, joins_by_list);
  }
  std::string text = yaml_line(fmt::format("segments: [{}]", fmt::join(keys, ", ")), "rows for each value, too") + evidence;
  if (experiments.empty()) return text;
  return text + yaml_line("# experiments:", "is one arm better? Look through it, and take the marks away") + experiments;
}

}  // namespace recmeter
