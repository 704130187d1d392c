#include "app/compare/paired_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "recmeter/experiment/missing_text.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

std::string one_look(ArmsOfUsers users) {
  return fmt::format(
      "This is one look, {}: right when you look once. It is no verdict; configure an experiment to watch one.\n",
      users == ArmsOfUsers::one_each ? "where users are in one arm each" : "paired by user");
}

struct Units {
  explicit Units(std::span<const PairedLists::Pair> pairs) {
    for (const auto& pair : pairs) {
      if (!pair.comparison) continue;
      (pair.comparison->relative ? has_shares : has_absolute) = true;
    }
  }
  [[nodiscard]] bool are_mixed() const { return has_shares && has_absolute; }
  bool has_shares = false;
  bool has_absolute = false;
};

// Horizons where there are several, arms where there are several.
struct Columns {
  explicit Columns(const PairedAnswer& answer) {
    const auto& first = answer.pairs.front();
    for (const auto& pair : answer.pairs) {
      has_horizons |= pair.horizon != first.horizon;
      has_arms |= pair.arm != first.arm;
    }
  }
  bool has_horizons = false;
  bool has_arms = false;
};

// "--control bts or --control random"; of many, the first few.
std::string controls_text(const PairedAnswer& answer) {
  constexpr std::size_t told = 3;
  std::vector<std::string> values{answer.control.value};
  for (const auto& pair : answer.pairs) {
    if (std::ranges::find(values, pair.arm) == values.end()) values.push_back(pair.arm);
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(values.size(), told); ++i)
    out += (i == 0 ? "--control " : " or --control ") + values[i];
  return values.size() > told ? out + " or another one" : out;
}

// Without the unit, which stands before; in whole percents where both bounds are of several.
std::string bound_text(double bound, const Interval& range, bool is_share) {
  if (!is_share) return signed_text(bound, false);
  constexpr double several = 0.095;
  const bool is_coarse = std::min(std::abs(range.first), std::abs(range.second)) >= several;
  std::string out = is_coarse ? fmt::format("{:+.0f}", 100 * bound) : fmt::format("{:+.1f}", 100 * bound);
  if (out.front() == '-') out.replace(0, 1, "−");
  return out;
}

// "2024-12-10 to 2024-12-15"; with the time of day where the two begin on one day.
std::string times_text(const ArmTimes& span, const ArmTimes& other) {
  const auto day = [](EventTime time) { return render_utc(time).substr(0, 10); };
  const auto minute = [](EventTime time) { return render_utc(time).substr(0, 16).replace(10, 1, " "); };
  const bool is_of_days = day(span.first) != day(other.first);
  const std::string first = is_of_days ? day(span.first) : minute(span.first);
  const std::string last = is_of_days ? day(span.last) : minute(span.last);
  return first == last ? first : first + " to " + last;
}

void write_distance(JsonWriter& json, std::string_view name, const Distance* of) {
  json.key(name);
  if (of == nullptr) return json.null();
  json.begin_object();
  json.member("value", of->value);
  json.member("ci", of->ci);
  json.end_object();
}

}  // namespace

std::string difference_heading(std::span<const PairedLists::Pair> pairs, std::string what) {
  const Units units(pairs);
  return std::move(what) + (units.are_mixed()    ? ", with % relative"
                            : units.has_shares   ? ", relative"
                            : units.has_absolute ? ", absolute"
                                                 : "");
}

std::string units_text(std::span<const PairedLists::Pair> pairs) {
  return Units(pairs).are_mixed() ? "A difference without % is one of the values themselves, not a share of the control's.\n"
                                  : "";
}

std::vector<std::string> paired_sentences(const PairedAnswer& answer) {
  std::vector<std::string> out;
  const bool has_horizons = Columns(answer).has_horizons;
  for (const auto& pair : answer.pairs) {
    if (pair.metric != answer.headline) continue;
    out.push_back((has_horizons ? pair.horizon + ": " : "") + paired_sentence(pair, answer.control, answer.better));
  }
  return out;
}

ComparisonTable paired_table(const PairedAnswer& answer) {
  const Columns columns(answer);
  const std::string& control = answer.control.value;
  const std::string& only_arm = answer.pairs.front().arm;
  std::vector<std::string> head;
  if (columns.has_horizons) head.emplace_back("horizon");
  head.emplace_back("metric");
  if (columns.has_arms) head.emplace_back("arm");
  head.insert(head.end(),
              {control, columns.has_arms ? "arm's" : only_arm, "lists",
               difference_heading(answer.pairs, columns.has_arms ? "against " + control : only_arm + " against " + control),
               "95 % interval", "p"});
  ComparisonTable table{{std::move(head)}};
  for (const auto& pair : answer.pairs) {
    std::vector<std::string> cells;
    if (columns.has_horizons) cells.push_back(pair.horizon);
    cells.push_back(pair.metric);
    if (columns.has_arms) cells.push_back(pair.arm);
    cells.insert(cells.end(), {value_text(pair.control), value_text(pair.value),
                               fmt::format("{} + {}", pair.lists_control, pair.lists_arm)});
    if (pair.comparison) {
      const Distance& at = pair.comparison->decisive();
      const bool is_share = pair.comparison->relative.has_value();
      cells.push_back(signed_text(at.value, is_share));
      if (pair.unsure.empty()) {
        cells.insert(cells.end(), {range_text(at.ci, is_share), p_text(pair.comparison->evidence.p)});
      } else {
        cells.insert(cells.end(), {pair.unsure, ""});
      }
    } else {
      cells.insert(cells.end(), {std::string(missing_text(pair.comparison.error())), "", ""});
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string paired_notes(const PairedAnswer& answer) {
  std::string out;
  if (!answer.control.is_known) {
    out += fmt::format(
        "None of these is called a control (control, old, base, baseline, default or A), so none is called better; say which "
        "it is: {}.\n",
        controls_text(answer));
  }
  for (const std::string& sentence : answer.apart) out += sentence + "\n";
  out += units_text(answer.pairs) + many_text(answer.pairs.size());
  out += one_look(answer.users);
  if (answer.left_out > 0) {
    out += fmt::format("{} more {} in --format json.\n", answer.left_out, answer.left_out == 1 ? "metric is" : "metrics are");
  }
  return out;
}

std::string paired_text(const PairedAnswer& answer) {
  std::string out;
  for (const std::string& sentence : paired_sentences(answer)) out += sentence + "\n";
  return out + "\n" + paired_table(answer).text() + "\n" + paired_notes(answer);
}

std::string paired_markdown(const PairedAnswer& answer) {
  std::string out;
  for (const std::string& sentence : paired_sentences(answer)) out += "**" + sentence + "**\n\n";
  return out + paired_table(answer).markdown() + "\n" + paired_notes(answer);
}

std::vector<std::string> never_together(const PairedLists& lists, const std::string& control) {
  std::vector<std::string> out;
  const auto base = lists.times().find(control);
  if (base == lists.times().end()) return out;
  for (const auto& [arm, times] : lists.times()) {
    if (!times.is_apart_from(base->second)) continue;
    const std::string of_arm = times_text(times, base->second), of_control = times_text(base->second, times);
    out.push_back(fmt::format(
        "{} has lists of {}, {} of {}: they never ran at the same time, so that their difference may be that of the times.",
        arm, of_arm, control, of_control));
  }
  return out;
}

std::string_view decided_text(const PairedLists::Pair& pair, const ChosenControl& control, Better better) {
  const auto [low, high] = *pair.comparison->decisive().ci;
  if (low <= 0 && high >= 0) return "not decided";
  if (!control.is_known) return low > 0 ? "higher at this one look" : "lower at this one look";
  return (low > 0) == (better == Better::higher) ? "better at this one look" : "worse at this one look";
}

std::string paired_sentence(const PairedLists::Pair& pair, const ChosenControl& control, Better better) {
  const std::string what = fmt::format("{} against {}: {}", pair.arm, control.value, pair.metric);
  if (!pair.comparison) return fmt::format("{} cannot be compared: {}", what, missing_text(pair.comparison.error()));
  const bool is_share = pair.comparison->relative.has_value();
  const Distance& at = pair.comparison->decisive();
  const std::string change = fmt::format("{} {}", what, signed_text(at.value, is_share));
  if (!pair.unsure.empty()) return change + "; how sure that is cannot be said: " + pair.unsure;
  if (!at.ci) return change + ", how sure that is cannot be said";
  const auto [low, high] = *at.ci;
  return fmt::format("{} ({} to {}), {}", change, bound_text(low, *at.ci, is_share), bound_text(high, *at.ci, is_share),
                     decided_text(pair, control, better));
}

std::string paired_json(std::span<const PairedLists::Pair> pairs, std::string_view control) {
  std::string out;
  for (const auto& pair : pairs) {
    JsonWriter json(out, 0);
    json.begin_object();
    json.member("schema", "recmeter.lists_comparison/1");
    json.member("valid", "one_look");
    json.member("horizon", pair.horizon);
    json.member("metric", pair.metric);
    json.member("control", control);
    json.member("arm", pair.arm);
    json.member("lists", std::pair(pair.lists_control, pair.lists_arm));
    json.member("values", std::pair(pair.control, pair.value));
    write_distance(json, "absolute", pair.comparison ? &pair.comparison->absolute : nullptr);
    write_distance(json, "relative", pair.comparison && pair.comparison->relative ? &*pair.comparison->relative : nullptr);
    json.member("few", pair.comparison ? std::optional(pair.comparison->is_few) : std::nullopt);
    json.member("missing", pair.comparison ? std::nullopt : std::optional(missing_name(pair.comparison.error())));
    json.member("p", pair.comparison && pair.unsure.empty() ? std::optional(pair.comparison->evidence.p) : std::nullopt);
    json.end_object();
    out += '\n';
  }
  return out;
}

}  // namespace recmeter
