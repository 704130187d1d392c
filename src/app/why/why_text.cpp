#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/console/messages.h"
#include "app/console/text_layout.h"
#include "app/why/why_run.h"
#include "recmeter/result/render.h"

namespace recmeter::why {

namespace {

using Line = std::vector<std::string>;

// In characters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; }));
}

// The first column to the left, numbers to the right.
std::string table_of(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths;
  for (const Line& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], width_of(line[c]));
  }
  std::string text;
  for (const Line& line : lines) {
    std::string cells = "  " + line[0] + std::string(widths[0] - width_of(line[0]), ' ');
    for (std::size_t c = 1; c < line.size(); ++c) cells += "  " + std::string(widths[c] - width_of(line[c]), ' ') + line[c];
    cells.erase(cells.find_last_not_of(' ') + 1);
    text += cells + "\n";
  }
  return text;
}

std::string value_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : "-";
}
std::string bound_text(double bound) {
  return (bound < 0 ? "−" : "+") + fmt::format("{:.3g}", std::abs(bound));
}
std::string ci_text(const std::optional<std::pair<double, double>>& ci) {
  return ci ? bound_text(ci->first) + " to " + bound_text(ci->second) : "-";
}

// Names of the two sides: two values of a key by these, two windows by their order.
struct Sides {
  explicit Sides(const Request& request)
      : a(request.key.empty() ? "before" : harmless(request.a)), b(request.key.empty() ? "after" : harmless(request.b)) {}
  std::string a;
  std::string b;
};

std::string side_text(std::string_view name, const KeptMean& side) {
  std::string text = fmt::format("{}  {} to {}", name, render_utc(side.start), render_utc(side.end));
  for (const auto& [key, value] : side.segment) text += fmt::format(", {}={}", harmless(key), harmless(value));
  text += fmt::format(", {} lists, {}", side.mean.facts.lists, value_text(side.mean.facts.value));
  if (side.stage != Stage::final) text += ", " + std::string(to_string(side.stage)) + ": feedback may be missing";
  if (!side.incomplete.empty()) text += ", incomplete: " + joined(", ", side.incomplete);
  return text + "\n";
}

std::string key_text(const KeyParts& key, const Sides& sides, std::size_t top) {
  const Shown shown = shown_of(key, top);
  std::vector<Line> lines{
      {harmless(key.key), "lists " + sides.a, sides.b, "value " + sides.a, sides.b, "within", "interval", "mix", "interval"}};
  for (const SegmentPart& part : shown.parts) {
    lines.push_back({harmless(part.value), std::to_string(part.a.lists), std::to_string(part.b.lists),
                     value_text(part.a.value), value_text(part.b.value), amount_text(part.within.amount),
                     ci_text(part.within.ci), amount_text(part.mix.amount), ci_text(part.mix.ci)});
  }
  if (shown.hidden > 0) {
    lines.push_back({fmt::format("{} more (--top 0)", shown.hidden), "", "", "", "", amount_text(shown.within), "",
                     amount_text(shown.mix), ""});
  }
  lines.push_back({"all", "", "", "", "", amount_text(key.within), "", amount_text(key.mix), ""});
  return table_of(lines);
}

std::string factors_text(const Attribution& found, const Sides& sides) {
  if (!found.factors) return {};
  const auto line = [](std::string name, std::optional<double> a, std::optional<double> b, const ChangePart& part) {
    return Line{std::move(name), value_text(a), value_text(b), amount_text(part.amount), ci_text(part.ci)};
  };
  return "\n" + table_of({{"factor", sides.a, sides.b, "part", "interval"},
                          line("relevant_share", found.a.relevant_share, found.b.relevant_share, found.factors->first),
                          line("given_relevant", found.a.given_relevant, found.b.given_relevant, found.factors->second)});
}

std::string ranks_text(const std::vector<double>& ranks) {
  if (ranks.empty()) return {};
  std::vector<Line> lines{{"rank", "part"}};
  for (std::size_t i = 0; i < ranks.size(); ++i) lines.push_back({std::to_string(i + 1), amount_text(ranks[i])});
  return "\n" + table_of(lines);
}

std::string item_groups_text(const Answer& answer, const Sides& sides) {
  if (!answer.item_groups) return {};
  const Answer::ItemGroups& groups = *answer.item_groups;
  const ShownGroups shown = shown_of(groups, answer.top);
  std::vector<Line> lines{
      {"items by " + harmless(groups.attribute), "shown " + sides.a, sides.b, "hits " + sides.a, sides.b, "within", "mix"}};
  for (const std::size_t place : shown.places) {
    const ItemGroupRows& row = groups.rows[place];
    lines.push_back({harmless(row.value), std::to_string(row.a.shown), std::to_string(row.b.shown),
                     std::to_string(row.a.hits), std::to_string(row.b.hits), amount_text(groups.parts[place]),
                     amount_text(groups.parts[groups.rows.size() + place])});
  }
  if (shown.hidden > 0) {
    lines.push_back(
        {fmt::format("{} more (--top 0)", shown.hidden), "", "", "", "", amount_text(shown.within), amount_text(shown.mix)});
  }
  lines.push_back({"all", "", "", "", "", amount_text(groups.within()), amount_text(groups.mix())});
  lines.push_back({"short lists", "", "", "", "", "", amount_text(groups.parts.back())});
  return "\n" + table_of(lines);
}

// Remarks that a reader needs beside the numbers.
std::string notes_of(const Answer& answer, std::size_t width) {
  const Change& change = answer.change;
  std::vector<std::string> notes;
  if (change.a.config != change.b.config) {
    notes.emplace_back("The configuration changed in between, so the two may not mean the same.");
  }
  if (!change.keys_left_out.empty()) {
    notes.push_back("Some rows are missing of: " + harmless(joined(", ", change.keys_left_out)) +
                    ". These keys are left out, since their parts would not add up.");
  }
  if (change.keys.empty()) {
    notes.emplace_back(
        "No segment key lies below what is compared; configure some under `segments` to see where it changed.");
  }
  if (change.a.mean.sums == nullptr) {
    notes.emplace_back(
        "Rows of a file have no sums by user group, so there are no intervals and no cause; --config C with the "
        "log has both.");
  }
  std::string text;
  for (const std::string& note : notes) text += "\n" + wrapped(note, width, 0) + "\n";
  return text;
}

}  // namespace

std::string text_of(const Answer& answer, std::size_t width) {
  const Attribution& found = answer.attribution;
  std::string text = wrapped(harmless(words_of(answer)), width, 0) + "\n\n";
  const Sides sides(answer.request);
  const std::string difference = fmt::format("{} − {}", sides.b, sides.a);
  const std::size_t width_of_names = std::max(width_of(difference), width_of(sides.a));
  const auto name = [&](const std::string& of) { return of + std::string(width_of_names - width_of(of), ' '); };
  text += side_text(name(sides.a), answer.change.a) + side_text(name(sides.b), answer.change.b);
  text += fmt::format("{}  {}", difference, amount_text(found.difference.amount));
  if (found.difference.ci) {
    text += fmt::format(", {:.4g} % interval {}", 100 * answer.confidence, ci_text(found.difference.ci));
  }
  text += "\n";
  for (const KeyParts& key : found.by) text += "\n" + key_text(key, sides, answer.top);
  return text + factors_text(found, sides) + ranks_text(answer.ranks) + item_groups_text(answer, sides) +
         notes_of(answer, width);
}

}  // namespace recmeter::why
