#include <algorithm>

#include "app/console/messages.h"
#include "app/console/text_layout.h"
#include "app/explain/explanation.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/result/render.h"

namespace recmeter::explain {

namespace {

constexpr std::size_t narrowest = 30;  // columns that a text gets, however far in it begins

class Lines {
 public:
  explicit Lines(std::size_t width) : width_(width) {}

  // `head` from column `indent` on, then `text`, whose further lines begin below its first.
  void add(std::size_t indent, const std::string& head, const std::string& text) {
    const std::size_t column = indent + head.size();
    const std::size_t width = width_ == 0 ? 0 : std::max(width_, column + narrowest);
    out_ += std::string(indent, ' ') + head + wrapped(text, width, column);
    while (out_.ends_with(' ')) out_.pop_back();
    out_ += '\n';
  }
  void add(std::size_t indent, const std::string& text) { add(indent, "", text); }
  void leave() { out_ += '\n'; }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  std::size_t width_;
  std::string out_;
};

void add_head(Lines& lines, const Explanation& list) {
  lines.add(
      0, harmless("list " + list.list_id + (list.user_id.empty() ? " of nobody" : " of user " + list.user_id) + ", shown " +
                  render_utc(list.ts) + " (" + std::to_string(list.ts.ms) + "), from " + joined(", ", list.inputs)));
  std::string segments;
  for (const auto& [key, value] : list.segments) segments += " " + key + "=" + value;
  if (!segments.empty()) lines.add(2, harmless("segments" + segments));
  if (list.items.empty()) lines.add(2, "without items");
  std::size_t widest = 0;
  for (const ExplainedItem& item : list.items) widest = std::max(widest, harmless(item.item).size());
  for (const ExplainedItem& item : list.items) {
    std::string line = item.item.empty() ? "(none: no row of this position)" : padded(harmless(item.item), widest);
    if (item.score) line += "  score " + four_decimals(*item.score);
    if (item.shown_after) line += "  shown " + delay_text(*item.shown_after);
    if (item.first_rank > 0) line += "  again: it counts at rank " + std::to_string(item.first_rank);
    const auto rank = std::to_string(item.rank);
    lines.add(2, "rank " + std::string(rank.size() < 4 ? 4 - rank.size() : 0, ' ') + rank + "  ", line);
  }
  for (const std::string& other : list.other_impressions) lines.add(2, harmless(other));
}

void add_feedback(Lines& lines, const Explanation& list) {
  lines.leave();
  lines.add(0, "feedback that could concern it");
  if (list.feedback.empty()) lines.add(2, "none");
  std::size_t widest = 0;
  for (const ExplainedFeedback& feedback : list.feedback) widest = std::max(widest, delay_text(feedback.delay).size());
  for (const ExplainedFeedback& feedback : list.feedback) {
    std::string line = feedback.action;
    if (!feedback.item.empty()) line += " " + feedback.item;
    if (feedback.value) line += " value " + four_decimals(*feedback.value);
    if (!feedback.list_id.empty() && feedback.list_id != list.list_id) line += " (of list " + feedback.list_id + ")";
    line += ": " + (feedback.outcome.empty() ? feedback.fate : feedback.outcome);
    const bool elsewhere = std::find(list.inputs.begin(), list.inputs.end(), feedback.input) == list.inputs.end();
    if (elsewhere) line += ", from " + feedback.input;
    lines.add(2, padded(delay_text(feedback.delay), widest) + "  ", harmless(line));
    const std::vector<std::string>& reasons = feedback.reasons;
    const bool alike = std::all_of(reasons.begin(), reasons.end(), [&](const auto& r) { return r == reasons.front(); });
    for (std::size_t h = 0; h < (alike ? 1 : reasons.size()); ++h) {
      const std::string at = alike ? "" : "at " + render_duration(list.scores[h].horizon) + ": ";
      lines.add(widest + 6, harmless(at + reasons[h]));
    }
  }
  if (list.farther > 0) {
    lines.add(2, std::to_string(list.farther) + " more, farther away than the longest horizon");
  }
}

void add_grades(Lines& lines, const ExplainedScore& score, const Explanation& list) {
  std::vector<std::string> grades;
  for (const Hit& hit : score.hits) {
    grades.push_back("rank " + std::to_string(hit.rank) + " (" + list.items[hit.rank - 1].item + ") grade " +
                     four_decimals(hit.grade));
  }
  lines.add(2, "R_list = " + std::to_string(score.hits.size()),
            harmless((grades.empty() ? "" : ": ") + joined(", ", grades)));
  if (!score.has_missed) return;
  std::vector<std::string> missed;
  for (const auto& [item, grade] : score.missed) missed.push_back(item + " grade " + four_decimals(grade));
  lines.add(2, "R_user = " + std::to_string(score.hits.size() + score.missed.size()),
            harmless((missed.empty() ? "" : ": missed ") + joined(", ", missed)));
}

// What presets make of it, those first that give another value.
std::string presets_text(const WatchedMetric& metric) {
  const auto names = [](const std::vector<std::string_view>& presets) {
    return joined(", ", {presets.begin(), presets.end()});
  };
  std::vector<std::string> parts;
  std::string same;
  for (const PresetAnswer& answer : metric.by_presets) {
    if (answer.value == metric.value) {
      same = "the same by " + names(answer.presets);
    } else {
      parts.push_back((answer.value ? four_decimals(*answer.value) + " by " : "left out by ") + names(answer.presets));
    }
  }
  if (parts.empty() && same.empty()) return "";
  if (!same.empty()) parts.push_back(parts.empty() && metric.not_in_presets.empty() ? "the same by every preset" : same);
  if (!metric.not_in_presets.empty()) parts.push_back("not in " + names(metric.not_in_presets));
  return joined("; ", parts);
}

// Names that other tools have for the metrics shown: in a line each what several share, and what is no other value than ours.
class SharedLines {
 public:
  void add(const WatchedMetric& metric) {
    const std::string text = presets_text(metric);
    if (text.empty()) return;
    auto line = std::ranges::find(lines_, text, &Line::text);
    if (line == lines_.end())
      line = lines_.insert(lines_.end(), Line{.text = text, .is_equal = is_equal(metric), .keys = {}});
    line->keys.push_back(metric.key);
  }
  // True where the metric's line stands behind all metrics, not with it.
  [[nodiscard]] bool has(const WatchedMetric& metric) const {
    const auto line = std::ranges::find(lines_, presets_text(metric), &Line::text);
    return line != lines_.end() && line->stands_alone();
  }
  void write(Lines& lines) const {
    std::string head = "by other tools  ";
    for (const Line& line : lines_) {
      if (!line.stands_alone()) continue;
      lines.add(2, head, line.text + ": " + joined(", ", line.keys));
      head = std::string(head.size(), ' ');
    }
  }

 private:
  struct Line {
    std::string text;
    bool is_equal = false;
    std::vector<std::string> keys;
    [[nodiscard]] bool stands_alone() const { return is_equal || keys.size() > 1; }
  };
  static bool is_equal(const WatchedMetric& metric) {
    return std::ranges::all_of(metric.by_presets, [&](const PresetAnswer& answer) { return answer.value == metric.value; });
  }

  std::vector<Line> lines_;  // in the order of their first metrics
};

// All that stands behind the value.
std::vector<std::string> paragraphs_of(const WatchedMetric& metric) {
  std::vector<std::string> how;
  if (!metric.arithmetic.empty()) how.push_back("= " + metric.arithmetic);
  if (!metric.note.empty()) how.push_back(metric.note);
  std::vector<std::string> paragraphs{joined("; ", how)};
  if (!metric.definition.empty()) paragraphs.push_back("definition " + metric.definition);
  return paragraphs;
}

bool is_as_before(const WatchedMetric& metric, const ExplainedScore* before) {
  if (before == nullptr) return false;
  const auto same = std::find_if(before->metrics.begin(), before->metrics.end(),
                                 [&](const WatchedMetric& other) { return other.key == metric.key; });
  return same != before->metrics.end() && same->value == metric.value && paragraphs_of(*same) == paragraphs_of(metric) &&
         presets_text(*same) == presets_text(metric);
}

// Metrics that are as at the horizon before are only named.
void add_metrics(Lines& lines, const ExplainedScore& score, const ExplainedScore* before) {
  constexpr std::size_t value_width = 9;
  std::size_t widest = 0;
  std::vector<std::string> others;
  std::vector<std::string> same;
  for (const WatchedMetric& metric : score.metrics) {
    if (metric.of_list) {
      widest = std::max(widest, metric.key.size());
    } else {
      others.push_back(metric.key);
    }
  }
  SharedLines shared;
  for (const WatchedMetric& metric : score.metrics) {
    if (metric.of_list && !is_as_before(metric, before)) shared.add(metric);
  }
  for (const WatchedMetric& metric : score.metrics) {
    if (!metric.of_list) continue;
    if (is_as_before(metric, before)) {
      same.push_back(metric.key);
      continue;
    }
    const std::string value = metric.value ? four_decimals(*metric.value) : "-";
    std::string head = padded(metric.key, widest + 2) + padded(value, value_width);
    std::vector<std::string> paragraphs = paragraphs_of(metric);
    const std::string by_presets = shared.has(metric) ? "" : presets_text(metric);
    if (!by_presets.empty()) paragraphs.push_back(by_presets);
    for (const std::string& paragraph : paragraphs) {
      lines.add(2, head, paragraph);
      head = std::string(head.size(), ' ');
    }
  }
  shared.write(lines);
  if (!same.empty()) lines.add(2, "as at " + render_duration(before->horizon) + ": ", joined(", ", same));
  if (!others.empty() && before == nullptr) lines.add(2, "not about one list: ", joined(", ", others));
}

}  // namespace

std::string text_of(const Explanation& explanation, std::size_t width) {
  Lines lines(width);
  add_head(lines, explanation);
  add_feedback(lines, explanation);
  const ExplainedScore* before = nullptr;
  for (const ExplainedScore& score : explanation.scores) {
    lines.leave();
    lines.add(0, "at horizon " + render_duration(score.horizon));
    add_grades(lines, score, explanation);
    add_metrics(lines, score, before);
    before = &score;
  }
  return lines.text();
}

}  // namespace recmeter::explain
