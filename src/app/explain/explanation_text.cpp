#include <algorithm>

#include "app/explain/explanation.h"
#include "app/messages.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/result/render.h"

namespace recmeter::explain {

namespace {

void add(std::string& out, std::size_t indent, const std::string& line) {
  out += std::string(indent, ' ') + harmless(line) + '\n';
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

void add_head(std::string& out, const Explanation& list) {
  add(out, 0,
      "list " + list.list_id + (list.user_id.empty() ? " of nobody" : " of user " + list.user_id) + ", shown " +
          render_utc(list.ts) + " (" + std::to_string(list.ts.ms) + "), " + std::to_string(list.items.size()) +
          " ranks, from " + joined(list.inputs));
  std::string segments;
  for (const auto& [key, value] : list.segments) segments += " " + key + "=" + value;
  if (!segments.empty()) add(out, 2, "segments" + segments);
  if (list.items.empty()) add(out, 2, "without items");
  for (const ExplainedItem& item : list.items) {
    std::string line = "rank " + std::to_string(item.rank) + "  " + (item.item.empty() ? "(no row)" : item.item);
    if (item.score) line += "  score " + four_decimals(*item.score);
    if (item.shown_after) line += "  shown " + delay_text(*item.shown_after);
    add(out, 2, line);
  }
  for (const std::string& other : list.other_impressions) add(out, 2, other);
}

void add_feedback(std::string& out, const Explanation& list) {
  out += "\nfeedback that could concern it\n";
  if (list.feedback.empty()) add(out, 2, "none");
  for (const ExplainedFeedback& feedback : list.feedback) {
    std::string line = delay_text(feedback.delay) + "  " + feedback.action + " " + feedback.item;
    if (!feedback.list_id.empty()) line += " (list " + feedback.list_id + ")";
    if (feedback.value) line += " value " + four_decimals(*feedback.value);
    add(out, 2,
        line + ", " + feedback.fate + (feedback.outcome.empty() ? "" : ", " + feedback.outcome) + ", from " + feedback.input);
    const std::vector<std::string>& reasons = feedback.reasons;
    const bool alike = std::all_of(reasons.begin(), reasons.end(), [&](const auto& r) { return r == reasons.front(); });
    for (std::size_t h = 0; h < (alike ? 1 : reasons.size()); ++h) {
      const std::string at = alike ? "" : "at " + render_duration(list.scores[h].horizon) + ": ";
      add(out, 6, at + reasons[h]);
    }
  }
  if (list.farther > 0) add(out, 2, std::to_string(list.farther) + " more on it, farther away than the longest horizon");
}

void add_score(std::string& out, const ExplainedScore& score) {
  add(out, 0, "\nat horizon " + render_duration(score.horizon));
  std::string grades;
  for (const Hit& hit : score.hits) {
    grades +=
        (grades.empty() ? "" : ", ") + std::string("rank ") + std::to_string(hit.rank) + ": " + four_decimals(hit.grade);
  }
  add(out, 2, "R_list " + std::to_string(score.hits.size()) + (grades.empty() ? "" : "; grades " + grades));
  if (score.has_missed) {
    std::string missed;
    for (const auto& [item, grade] : score.missed) {
      missed += (missed.empty() ? "; missed " : ", ") + item + ": " + four_decimals(grade);
    }
    add(out, 2, "R_user " + std::to_string(score.hits.size() + score.missed.size()) + missed);
  }
  for (const WatchedMetric& metric : score.metrics) {
    std::string line = metric.key;
    if (!metric.definition.empty()) line += " [" + metric.definition + "]";
    if (metric.value) {
      const std::string value = four_decimals(*metric.value);
      if (!metric.arithmetic.empty() && metric.arithmetic != value) line += " = " + metric.arithmetic;
      line += " = " + value;
    } else if (metric.in_mean && metric.note.empty()) {
      line += " is undefined";
    }
    add(out, 2, line + (metric.note.empty() ? "" : ": " + metric.note));
    std::string presets;
    for (const auto& [value, names] : metric.by_presets) {
      presets += (presets.empty() ? "" : "; ") + (value ? four_decimals(*value) : "left out") + " by " + names;
    }
    if (!presets.empty()) add(out, 6, presets);
  }
}

}  // namespace

std::string text_of(const Explanation& explanation) {
  std::string out;
  add_head(out, explanation);
  add_feedback(out, explanation);
  for (const ExplainedScore& score : explanation.scores) add_score(out, score);
  return out;
}

}  // namespace recmeter::explain
