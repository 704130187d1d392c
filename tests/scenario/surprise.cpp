#include "scenario/surprise.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/batch_event.h"

namespace recmeter::scenario {
namespace {

std::string segment_text(const Row& row) {
  std::string out;
  for (const auto& [key, value] : row.segment) out += (out.empty() ? "" : ",") + key + "=" + value;
  return "{" + out + "}";
}

std::string number(const std::optional<double>& value) {
  std::string out;
  if (!value) return "null";
  support::append_shortest(out, *value);
  return out;
}

// What the scenario calls `key` of the row, as text; nothing when the row has no such thing.
std::optional<std::string> value_of(const Row& row, const std::string& key) {
  if (key == "lists") return std::to_string(row.lists);
  if (key == "matured") return number(row.matured);
  if (key == "incomplete") {
    std::string out;
    for (const std::string& reason : row.incomplete) out += (out.empty() ? "" : ",") + reason;
    return out.empty() ? "-" : out;
  }
  for (const ActionCount& action : row.feedback) {
    if (action.action == key) return std::to_string(action.credited) + "/" + std::to_string(action.repeated);
  }
  for (const MetricValue& metric : row.metrics) {
    if (metric.key == key) return number(metric.value);
    if (metric.key + ".share" == key) return number(metric.relevant_share);
    if (metric.key + ".given" == key) return number(metric.given_relevant);
    if (metric.key + ".low" == key) return number(metric.ci ? std::optional(metric.ci->first) : std::nullopt);
  }
  return std::nullopt;
}

bool equal(const std::string& expected, const std::string& actual) {
  if (expected == actual) return true;
  double a = 0;
  double b = 0;
  const auto whole = [](const std::string& text, double& value) {
    return std::from_chars(text.data(), text.data() + text.size(), value).ptr == text.data() + text.size();
  };
  return whole(expected, a) && whole(actual, b) && std::abs(a - b) <= 1e-6;
}

std::string identity(const Row& row) {
  return std::string(to_string(row.stage)) + " " + row.window + " " + std::to_string((row.start.ms - base_ms) / 1000) +
         "s h=" + std::to_string(row.horizon.ms / 1000) + "s " + segment_text(row);
}

std::string described(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows) {
    out += "\n  " + identity(row) + " lists=" + std::to_string(row.lists) + " matured=" + number(row.matured) +
           " incomplete=" + value_of(row, "incomplete").value_or("");
    for (const ActionCount& action : row.feedback) out += " " + action.action + "=" + *value_of(row, action.action);
    for (const MetricValue& metric : row.metrics) out += " " + metric.key + "=" + number(metric.value);
  }
  return out;
}

std::optional<std::string> surprise_of(const ExpectedRow& expected, const Row& row) {
  const std::string where = "line " + std::to_string(expected.line) + ": ";
  const bool same = expected.stage == to_string(row.stage) && expected.window == row.window &&
                    expected.start_ms == row.start.ms && expected.segment == segment_text(row) &&
                    expected.horizon.value_or(row.horizon) == row.horizon;
  if (!same) return where + "expected another row, got " + identity(row);
  for (const auto& [key, value] : expected.values) {
    const auto actual = value_of(row, key);
    if (!actual) return where + "a row has no '" + key + "'";
    if (!equal(value, *actual)) return where + key + ": expected " + value + ", got " + *actual;
  }
  return std::nullopt;
}

// With the reasons of duplicates, or all of them in one number.
std::string text_of(const EventCounts& c, bool names_reasons) {
  std::string duplicates = " duplicate=" + std::to_string(c.duplicate());
  for (std::size_t i = 0; names_reasons && i < duplicate_reason_count; ++i) {
    const std::string name(to_string(static_cast<DuplicateReason>(i)));
    if (c.duplicates[i] > 0) duplicates += " " + name + "=" + std::to_string(c.duplicates[i]);
  }
  return "invalid=" + std::to_string(c.invalid) + " ignored=" + std::to_string(c.ignored) +
         " future=" + std::to_string(c.future) + " late=" + std::to_string(c.late) + duplicates;
}

std::string text_of(const FeedbackCounts& c) {
  return "credited=" + std::to_string(c.credited) + " repeated=" + std::to_string(c.repeated) +
         " organic=" + std::to_string(c.organic) + " not_in_list=" + std::to_string(c.not_in_list) +
         " unmatched=" + std::to_string(c.unmatched);
}

}  // namespace

std::string described(const Report& report) {
  return "fates " + text_of(report.events, true) + " outcomes " + text_of(report.feedback) + " lists " +
         std::to_string(report.lists);
}

std::optional<std::string> first_surprise(const Scenario& scenario, const std::vector<Row>& rows, const Report& report) {
  const std::string fates = text_of(report.events, scenario.names_reasons);
  if (text_of(scenario.fates, scenario.names_reasons) != fates) return "fates " + fates;
  if (scenario.outcomes && text_of(*scenario.outcomes) != text_of(report.feedback))
    return "outcomes " + text_of(report.feedback);
  if (scenario.lists && *scenario.lists != report.lists) return "lists " + std::to_string(report.lists);
  if (scenario.rows.size() != rows.size()) return std::to_string(rows.size()) + " rows:" + described(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (auto surprise = surprise_of(scenario.rows[i], rows[i])) return *surprise + described(rows);
  }
  return std::nullopt;
}

}  // namespace recmeter::scenario
