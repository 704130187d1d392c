#include "batch_rows.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <utility>

#include "support/batch_event.h"

namespace recmeter::conformance {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  support::append_quoted(out, text);
  return out;
}

std::string number(double value) {
  std::string out;
  support::append_shortest(out, value);
  return out;
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : "null";
}
std::string number(std::uint64_t value) {
  return std::to_string(value);
}

// "`horizon` is written in its largest whole unit"
std::string unit_text(Duration duration) {
  constexpr std::array<std::pair<std::int64_t, const char*>, 4> units{
      {{86400000, "d"}, {3600000, "h"}, {60000, "m"}, {1000, "s"}}};
  for (const auto& [ms, name] : units) {
    if (duration.ms % ms == 0) return std::to_string(duration.ms / ms) + name;
  }
  return std::to_string(duration.ms) + "ms";
}

std::string utc_text(EventTime time) {
  const std::time_t seconds = time.ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  std::string out(text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts));
  if (time.ms % 1000 != 0) out += "." + std::to_string(1000 + time.ms % 1000).substr(1);
  return out + "Z";
}

std::string metric_text(const MetricValue& metric) {
  std::string out = "{\"value\":" + number(metric.value) + ",\"se\":" + number(metric.se) + ",\"ci\":";
  out += metric.ci ? "[" + number(metric.ci->first) + "," + number(metric.ci->second) + "]" : "null";
  if (metric.has_evidence) {
    out += ",\"given_relevant\":" + number(metric.given_relevant);
    out += ",\"relevant_share\":" + number(metric.relevant_share);
  }
  return out + "}";
}

// Members of an object, or entries of an array.
class Sequence {
 public:
  explicit Sequence(char open) : out_(1, open) {}
  void add(const std::string& text) {
    if (out_.size() > 1) out_ += ',';
    out_ += text;
  }
  [[nodiscard]] std::string close(char with) const { return out_ + with; }

 private:
  std::string out_;
};

std::string counts_text(const EventCounts& c) {
  return "{\"read\":" + number(c.read) + ",\"invalid\":" + number(c.invalid) + ",\"ignored\":" + number(c.ignored) +
         ",\"future\":" + number(c.future) + ",\"late\":" + number(c.late) + ",\"duplicate\":" + number(c.duplicate()) +
         ",\"impressions\":" + number(c.impressions) + ",\"feedback\":" + number(c.feedback) + "}";
}

}  // namespace

std::string row_line(const Row& row) {
  Sequence segment('{');
  for (const auto& [key, value] : row.segment) segment.add(quoted(key) + ":" + quoted(value));
  Sequence incomplete('[');
  for (const std::string& why : row.incomplete) incomplete.add(quoted(why));
  Sequence feedback('{');
  for (const ActionCount& count : row.feedback) {
    feedback.add(quoted(count.action) + ":{\"credited\":" + number(count.credited) +
                 ",\"repeated\":" + number(count.repeated) + "}");
  }
  Sequence metrics('{');
  for (const MetricValue& metric : row.metrics) metrics.add(quoted(metric.key) + ":" + metric_text(metric));
  const char* stage = row.stage == Stage::final ? "final" : "truncated";  // no other comes from a batch
  std::string out = R"({"schema":"recmeter.window/1","evaluator":)" + quoted(row.evaluator);
  out += ",\"config\":" + quoted(row.config) + ",\"window\":" + quoted(row.window);
  out += ",\"start\":" + std::to_string(row.start.ms) + ",\"end\":" + std::to_string(row.end.ms);
  out += ",\"start_utc\":" + quoted(utc_text(row.start)) + ",\"horizon\":" + quoted(unit_text(row.horizon));
  out += ",\"segment\":" + segment.close('}') + ",\"stage\":\"" + stage + "\",\"revision\":null";
  out += ",\"matured\":" + number(row.matured) + ",\"incomplete\":" + incomplete.close(']');
  out += ",\"lists\":" + number(row.lists) + ",\"feedback\":" + feedback.close('}');
  return out + ",\"metrics\":" + metrics.close('}') + "}";
}

std::string report_text(const Report& report) {
  const FeedbackCounts& f = report.feedback;
  Sequence reasons('[');
  for (const std::uint64_t count : report.invalid_reasons) reasons.add(number(count));
  Sequence partitions('[');
  for (const PartitionReport& p : report.partitions) {
    partitions.add("\n  {\"name\":" + quoted(p.name) + ",\"records\":" + number(p.records) + ",\"events\":" +
                   counts_text(p.events) + ",\"watermark\":" + (p.watermark ? std::to_string(p.watermark->ms) : "null") +
                   ",\"disorder\":{\"max\":" + std::to_string(p.disorder.max.ms) + "}}");
  }
  return "{\"records\":" + number(report.records) + ",\n \"events\":" + counts_text(report.events) +
         ",\n \"feedback\":{\"credited\":" + number(f.credited) + ",\"repeated\":" + number(f.repeated) +
         ",\"organic\":" + number(f.organic) + ",\"not_in_list\":" + number(f.not_in_list) +
         ",\"unmatched\":" + number(f.unmatched) + ",\"pending\":" + number(f.pending) +
         "},\n \"lists\":" + number(report.lists) + ",\"invalid_reasons\":" + reasons.close(']') +
         ",\n \"rows\":{\"final\":" + number(report.rows_final) + ",\"truncated\":" + number(report.rows_truncated) +
         "},\n \"partitions\":" + partitions.close(']') + "}\n";
}

}  // namespace recmeter::conformance
