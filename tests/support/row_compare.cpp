#include "support/row_compare.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>

namespace recmeter::support {
namespace {

std::string stage_name(Stage stage) {
  switch (stage) {
    case Stage::provisional: return "provisional";
    case Stage::final: return "final";
    case Stage::truncated: return "truncated";
  }
  return "?";
}

// Collects the first difference; everything after it is ignored.
class Comparison {
 public:
  Comparison(std::string where, double tolerance) : where_(std::move(where)), tolerance_(tolerance) {}

  template <class T>
  void same(const std::string& what, const T& expected, const T& actual) {
    if (!difference_ && !(expected == actual)) report(what, text(expected), text(actual));
  }

  void near(const std::string& what, const std::optional<double>& expected, const std::optional<double>& actual) {
    if (difference_) return;
    if (!expected && !actual) return;
    const bool equal = expected && actual && std::abs(*expected - *actual) <= tolerance_ * std::max(1.0, std::abs(*expected));
    if (!equal) report(what, text(expected), text(actual));
  }

  [[nodiscard]] const std::optional<std::string>& difference() const { return difference_; }

 private:
  template <class T>
  static std::string text(const T& value) {
    std::ostringstream out;
    out.precision(17);
    out << value;
    return out.str();
  }
  static std::string text(const std::optional<double>& value) { return value ? text(*value) : "null"; }

  void report(const std::string& what, const std::string& expected, const std::string& actual) {
    difference_ = where_ + ": " + what + ": expected " + expected + ", got " + actual;
  }

  std::string where_;
  double tolerance_;
  std::optional<std::string> difference_;
};

std::string joined(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const std::string& word : words) out += (out.size() > 1 ? "," : "") + word;
  return out + "]";
}

void compare_metric(Comparison& comparison, const MetricValue& expected, const MetricValue& actual) {
  const auto low = [](const MetricValue& m) { return m.ci ? std::optional(m.ci->first) : std::nullopt; };
  const auto high = [](const MetricValue& m) { return m.ci ? std::optional(m.ci->second) : std::nullopt; };
  comparison.same("metric key", expected.key, actual.key);
  comparison.near(expected.key + " value", expected.value, actual.value);
  comparison.near(expected.key + " se", expected.se, actual.se);
  comparison.near(expected.key + " ci low", low(expected), low(actual));
  comparison.near(expected.key + " ci high", high(expected), high(actual));
  comparison.same(expected.key + " has_evidence", expected.has_evidence, actual.has_evidence);
  comparison.near(expected.key + " given_relevant", expected.given_relevant, actual.given_relevant);
  comparison.near(expected.key + " relevant_share", expected.relevant_share, actual.relevant_share);
  comparison.same(expected.key + " refused", expected.refused, actual.refused);
  comparison.same(expected.key + " suspect", expected.is_suspect, actual.is_suspect);
}

std::optional<std::string> row_difference(const Row& expected, const Row& actual, std::size_t index, double tolerance) {
  Comparison comparison("row " + std::to_string(index) + " (" + row_name(expected) + ")", tolerance);
  comparison.same("identity", row_name(expected), row_name(actual));
  comparison.same("evaluator", expected.evaluator, actual.evaluator);
  comparison.same("config", expected.config, actual.config);
  comparison.same("has revision", expected.revision.has_value(), actual.revision.has_value());
  comparison.near("matured", expected.matured, actual.matured);
  comparison.same("incomplete", joined(expected.incomplete), joined(actual.incomplete));
  comparison.same("lists", expected.lists, actual.lists);
  comparison.same("actions", expected.feedback.size(), actual.feedback.size());
  for (std::size_t i = 0; i < std::min(expected.feedback.size(), actual.feedback.size()); ++i) {
    const std::string& name = expected.feedback[i].action;
    comparison.same("action", name, actual.feedback[i].action);
    comparison.same(name + " credited", expected.feedback[i].credited, actual.feedback[i].credited);
    comparison.same(name + " repeated", expected.feedback[i].repeated, actual.feedback[i].repeated);
  }
  comparison.same("number of metrics", expected.metrics.size(), actual.metrics.size());
  for (std::size_t i = 0; i < std::min(expected.metrics.size(), actual.metrics.size()); ++i) {
    compare_metric(comparison, expected.metrics[i], actual.metrics[i]);
  }
  return comparison.difference();
}

void compare_counts(Comparison& comparison, const EventCounts& expected, const EventCounts& actual) {
  comparison.same("read", expected.read, actual.read);
  comparison.same("invalid", expected.invalid, actual.invalid);
  comparison.same("ignored", expected.ignored, actual.ignored);
  comparison.same("future", expected.future, actual.future);
  comparison.same("late", expected.late, actual.late);
  for (std::size_t i = 0; i < duplicate_reason_count; ++i) {
    comparison.same("duplicates of reason " + std::to_string(i), expected.duplicates[i], actual.duplicates[i]);
  }
  comparison.same("impressions", expected.impressions, actual.impressions);
  comparison.same("feedback", expected.feedback, actual.feedback);
  comparison.same("candidates", expected.candidates, actual.candidates);
  comparison.same("policies", expected.policies, actual.policies);
  comparison.same("undecided", expected.undecided, actual.undecided);
  comparison.same("late_after_idle", expected.late_after_idle, actual.late_after_idle);
  comparison.same("future_by_clock", expected.future_by_clock, actual.future_by_clock);
}

void compare_outcomes(Comparison& comparison, const FeedbackCounts& expected, const FeedbackCounts& actual,
                      const std::string& of = "") {
  comparison.same(of + "credited", expected.credited, actual.credited);
  comparison.same(of + "repeated", expected.repeated, actual.repeated);
  comparison.same(of + "organic", expected.organic, actual.organic);
  comparison.same(of + "not_in_list", expected.not_in_list, actual.not_in_list);
  comparison.same(of + "unmatched", expected.unmatched, actual.unmatched);
  comparison.same(of + "pending", expected.pending, actual.pending);
}

void compare_lane(Comparison& comparison, const LaneReport& expected, const LaneReport& actual) {
  const std::string of = "lane " + expected.name + " ";
  comparison.same("lane", expected.name, actual.name);
  comparison.same(of + "joined", expected.counts.candidates.joined, actual.counts.candidates.joined);
  comparison.same(of + "orphaned", expected.counts.candidates.orphaned, actual.counts.candidates.orphaned);
  comparison.same(of + "unpaired", expected.counts.unpaired, actual.counts.unpaired);
  comparison.same(of + "is of a policy", expected.is_policy, actual.is_policy);
  comparison.same(of + "policies joined", expected.counts.policies.joined, actual.counts.policies.joined);
  comparison.same(of + "policies orphaned", expected.counts.policies.orphaned, actual.counts.policies.orphaned);
  comparison.same(of + "judged", expected.counts.judged, actual.counts.judged);
  compare_outcomes(comparison, expected.counts.feedback, actual.counts.feedback, of);
}

bool adds_up(const EventCounts& c) {
  const std::uint64_t accepted = c.impressions + c.feedback + c.candidates + c.policies;
  return c.undecided == 0 && c.read == c.invalid + c.ignored + c.future + c.late + c.duplicate() + accepted;
}

}  // namespace

std::string row_name(const Row& row) {
  std::string out = row.window + " " + std::to_string(row.start.ms) + " +" + std::to_string((row.end - row.start).ms) +
                    " h=" + std::to_string(row.horizon.ms) + " {";
  for (const auto& [key, value] : row.segment) out += (out.back() == '{' ? "" : ",") + key + "=" + value;
  return out + "} " + stage_name(row.stage);
}

std::optional<std::string> first_difference(std::span<const Row> expected, std::span<const Row> actual, double tolerance) {
  const std::size_t both = std::min(expected.size(), actual.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (auto difference = row_difference(expected[i], actual[i], i, tolerance)) return difference;
  }
  if (expected.size() == actual.size()) return std::nullopt;
  const bool fewer = actual.size() < expected.size();
  return "number of rows: expected " + std::to_string(expected.size()) + ", got " + std::to_string(actual.size()) +
         (fewer ? "; the first missing: " + row_name(expected[both]) : "; the first in excess: " + row_name(actual[both]));
}

std::optional<std::string> first_difference(const Report& expected, const Report& actual) {
  Comparison total("report", 0);
  total.same("records", expected.records, actual.records);
  for (std::size_t i = 0; i < invalid_reason_count; ++i) {
    total.same("invalid reason " + std::to_string(i), expected.invalid_reasons[i], actual.invalid_reasons[i]);
  }
  compare_counts(total, expected.events, actual.events);
  compare_outcomes(total, expected.feedback, actual.feedback);
  total.same("lanes", expected.lanes.size(), actual.lanes.size());
  for (std::size_t lane = 0; lane < std::min(expected.lanes.size(), actual.lanes.size()); ++lane) {
    compare_lane(total, expected.lanes[lane], actual.lanes[lane]);
  }
  total.same("lists", expected.lists, actual.lists);
  total.same("final rows", expected.rows_final, actual.rows_final);
  total.same("truncated rows", expected.rows_truncated, actual.rows_truncated);
  total.same("partitions", expected.partitions.size(), actual.partitions.size());
  if (total.difference()) return total.difference();
  for (std::size_t p = 0; p < expected.partitions.size(); ++p) {
    const PartitionReport& a = expected.partitions[p];
    const PartitionReport& b = actual.partitions[p];
    Comparison partition("partition " + a.name, 0);
    partition.same("name", a.name, b.name);
    partition.same("records", a.records, b.records);
    compare_counts(partition, a.events, b.events);
    partition.same("has a watermark", a.watermark.has_value(), b.watermark.has_value());
    if (a.watermark && b.watermark) partition.same("watermark", a.watermark->ms, b.watermark->ms);
    if (partition.difference()) return partition.difference();
  }
  return std::nullopt;
}

std::optional<std::string> broken_identity(const Report& report) {
  for (const PartitionReport& partition : report.partitions) {
    if (!adds_up(partition.events)) return "read of partition " + partition.name + " is not the sum of the fates";
  }
  if (!adds_up(report.events)) return "read is not the sum of the fates";
  const FeedbackCounts& f = report.feedback;
  if (f.pending != 0) return "feedback is pending at the end of a bounded run";
  if (report.events.feedback != f.credited + f.repeated + f.organic + f.not_in_list + f.unmatched) {
    return "feedback is not the sum of its outcomes";
  }
  std::uint64_t candidates = 0;
  std::uint64_t policies = 0;
  for (const LaneReport& lane : report.lanes) {
    const FeedbackCounts& own = lane.counts.feedback;
    candidates += lane.counts.candidates.joined + lane.counts.candidates.orphaned;
    policies += lane.counts.policies.joined + lane.counts.policies.orphaned;
    if (report.events.feedback != own.credited + own.repeated + own.organic + own.not_in_list + own.unmatched) {
      return "feedback is not the sum of its outcomes in lane " + lane.name;
    }
  }
  if (report.events.candidates != candidates) return "candidates are not the sum of their outcomes";
  if (report.events.policies != policies) return "policies are not the sum of their outcomes";
  return std::nullopt;
}

}  // namespace recmeter::support
