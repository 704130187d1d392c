#include "support/batch_partition.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "support/batch_decoder.h"

namespace recmeter::support {
namespace {

constexpr std::size_t opening_events = 64;  // [S3]: "the first 64 timed events"
constexpr std::size_t held_records = 64;    // [S3]: "When 64 records in a row are held"

class Judge {
 public:
  Judge(const EvaluatorSpec& spec, Duration lateness, BatchPartition& out)
      : max_step_(spec.time.max_step.ms), lateness_(lateness.ms), out_(out) {}

  void take(DecodedRecord record) {
    EventCounts& counts = out_.report.events;
    ++out_.report.records;
    counts.read += record.event_count();
    if (record.outcome == DecodedRecord::Outcome::ignored) ++counts.ignored;
    if (record.outcome == DecodedRecord::Outcome::invalid) {
      ++counts.invalid;
      ++out_.invalid_reasons[static_cast<std::size_t>(record.reason)];
    }
    if (!record.ts) return;  // [S3.13]: untimed records neither count nor break the row
    if (newest_) return judge(std::move(record));
    opening_count_ += record.event_count();
    opening_.push_back(std::move(record));
    if (opening_count_ >= opening_events) open();
  }

  void end() {
    if (!newest_ && !opening_.empty()) open();
    out_.last_time = newest_;
    while (!held_.empty()) release();
    if (newest_) out_.report.watermark = EventTime{*newest_ - lateness_};
  }

 private:
  [[nodiscard]] bool is_ahead(const DecodedRecord& record) const {
    return max_step_ > 0 && *record.ts > *newest_ + max_step_;
  }

  // "M_p starts as the smallest ts of the first 64 timed events, and these are then judged in their order"
  void open() {
    newest_ = smallest(opening_);
    for (DecodedRecord& record : std::exchange(opening_, {})) judge(std::move(record));
  }

  void judge(DecodedRecord record) {
    if (!is_ahead(record)) {
      admit(std::move(record));
      decide_held();
    } else if (record.outcome == DecodedRecord::Outcome::events) {  // [S3.14]: an ignored one does nothing at all
      held_.push_back(std::move(record));
      if (held_.size() == held_records) release();
    }
  }

  // Late or not; judged before it moves M_p.
  void admit(DecodedRecord record) {
    const std::int64_t ts = *record.ts;
    Duration& disorder = out_.report.disorder.max;
    disorder = std::max(disorder, Duration{*newest_ - ts});
    if (ts < *newest_ - lateness_) {
      if (record.outcome == DecodedRecord::Outcome::events) out_.report.events.late += record.event_count();
      return;
    }
    newest_ = std::max(*newest_, ts);
    out_.first_time = std::min(out_.first_time.value_or(ts), ts);
    for (BatchEvent& event : record.events) out_.candidates.push_back(std::move(event));
  }

  // "A following event that is not so far ahead moves M_p; the held ones still too far ahead of M_p are future, the others
  // are judged anew in their order." Who is future is decided before the others move M_p.
  void decide_held() {
    std::vector<DecodedRecord> others;
    for (DecodedRecord& record : std::exchange(held_, {})) {
      if (is_ahead(record)) {
        out_.report.events.future += record.event_count();
      } else {
        others.push_back(std::move(record));
      }
    }
    for (DecodedRecord& record : others) admit(std::move(record));
  }

  // [S3.12]: "M_p becomes their smallest ts if that is larger, and they are judged again in their order".
  void release() {
    newest_ = std::max(*newest_, smallest(held_));
    for (DecodedRecord& record : std::exchange(held_, {})) judge(std::move(record));
  }

  static std::int64_t smallest(const std::vector<DecodedRecord>& records) {
    std::int64_t least = *records.front().ts;
    for (const DecodedRecord& record : records) least = std::min(least, *record.ts);
    return least;
  }

  std::int64_t max_step_;
  std::int64_t lateness_;
  BatchPartition& out_;
  std::optional<std::int64_t> newest_;  // M_p
  std::vector<DecodedRecord> opening_;
  std::size_t opening_count_ = 0;
  std::vector<DecodedRecord> held_;
};

// [S2]: "A blank line is no record at all"; a line of nothing but JSON white space is blank.
bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

BatchPartition judge_partition(const EvaluatorSpec& spec, const BatchInput& input, std::size_t index) {
  BatchPartition partition;
  partition.report.name = input.name;
  const BatchDecoder decoder(spec, input.fields);
  Judge judge(spec, input.allowed_lateness, partition);
  std::string_view rest = input.bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  std::size_t place = 0;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_blank(line)) continue;
    DecodedRecord record = decoder.decode(line);
    const std::size_t first = place;
    for (BatchEvent& event : record.events) {
      event.partition = index;
      event.record = first;
      event.place = place++;
    }
    judge.take(std::move(record));
  }
  judge.end();
  return partition;
}

}  // namespace recmeter::support
