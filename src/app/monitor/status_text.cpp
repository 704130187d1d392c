#include "app/monitor/status_text.h"

#include <algorithm>
#include <fstream>

#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"
#include "recmeter/result/report_json.h"

namespace recmeter {

namespace {

constexpr std::size_t waiting_max = 100;
constexpr std::size_t values_max = 500;  // of a combination

void write_time(JsonWriter& json, std::string_view key, EventTime time) {
  json.key(key);
  if (time == minus_infinity || time == plus_infinity) {
    json.null();
  } else {
    json.integer(time.ms);
  }
}

void write_segment(JsonWriter& json, const RowSeries& series) {
  json.begin_object();
  for (const auto& [key, value] : series.segment) {
    json.key(key);
    json.string(value);
  }
  json.end_object();
}

// The segments of a combination that have a row in some window, of windows and horizons each once: the first of them, and how
// many are left out.
void write_values(JsonWriter& json, const PublishedSchema::Combination& combination, const LiveSnapshot& snapshot) {
  std::set<std::vector<std::pair<std::string, std::string>>> written;
  json.key("values");
  json.begin_array();
  for (const RowSeries& series : *snapshot.series) {
    if (series.segment.size() != combination.keys.size()) continue;
    bool is_of = true;
    for (std::size_t k = 0; k < combination.keys.size(); ++k) is_of = is_of && series.segment[k].first == combination.keys[k];
    if (is_of && written.insert(series.segment).second && written.size() <= values_max) write_segment(json, series);
  }
  json.end_array();
  json.key("values_left_out");
  json.integer(std::max(written.size(), values_max) - values_max);
}

void write_outline(JsonWriter& json, const PublishedSchema& schema, const LiveSnapshot& snapshot) {
  json.begin_object();
  json.key("name");
  json.string(schema.name);
  json.key("config");
  json.string(schema.config);
  json.key("version");
  json.string(schema.version);
  json.key("windows");
  json.begin_array();
  for (const WindowSpec& window : schema.windows) {
    json.begin_object();
    json.key("name");
    json.string(window.name);
    json.key("size_ms");
    json.integer(window.size.ms);
    json.key("slide_ms");
    json.integer(window.slide.ms);
    json.end_object();
  }
  json.end_array();
  json.key("horizons");
  json.begin_array();
  for (const Duration horizon : schema.horizons) json.string(render_duration(horizon));
  json.end_array();
  json.key("metrics");
  json.begin_array();
  for (const PlannedMetric& metric : schema.metrics) json.string(metric.key);
  json.end_array();
  json.key("segments");
  json.begin_array();
  for (std::size_t c = 1; c < schema.combinations.size(); ++c) {
    json.begin_object();
    json.key("keys");
    json.begin_array();
    for (const std::string& key : schema.combinations[c].keys) json.string(key);
    json.end_array();
    write_values(json, schema.combinations[c], snapshot);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_partition(JsonWriter& json, const LivePartition& partition, EventTime now) {
  json.key("lag_records");
  if (const auto lag = lag_records(partition)) {
    json.integer(*lag);
  } else {
    json.null();
  }
  json.key("open_transaction_records");
  json.integer(partition.in_open_transaction);
  json.key("lost_records");
  json.integer(partition.records_lost);
  json.key("lag_seconds");
  if (is_read_to_its_end(partition)) {
    json.number(0.0);
  } else if (partition.max_time) {
    json.number(static_cast<double>(std::max<std::int64_t>(0, (now - *partition.max_time).ms)) / 1000);
  } else {
    json.null();
  }
  json.key("idle");
  json.boolean(partition.is_idle);
}

std::string why(const RunStatus& status, Duration needs) {
  const std::string rest = render_duration(Duration{needs.ms / 1000 * 1000}) + " of event time to go";
  if (status.is_held) return rest + "; nothing is read now";
  if (!status.held_back_by) return rest + "; no partition has anything new";
  return rest + "; the watermark is that of " + status.report.partitions[*status.held_back_by].name;
}

// Windows that have lists and are not final, the oldest first.
void write_waiting(JsonWriter& json, const PublishedSchema& schema, const LiveSnapshot& snapshot) {
  std::vector<const Row*> rows;
  for (const auto& shown : snapshot.rows) {
    const Row& row = shown->row;
    if (row.stage == Stage::provisional && row.segment.empty()) rows.push_back(&row);
  }
  const auto final_at = [&](const Row& row) { return row.end + row.horizon + schema.skew; };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) { return final_at(*a) < final_at(*b); });
  if (rows.size() > waiting_max) rows.resize(waiting_max);
  json.begin_array();
  for (const Row* row : rows) {
    const EventTime w = snapshot.status->watermark;
    const Duration needs = w == minus_infinity ? Duration{0} : final_at(*row) - w;
    json.begin_object();
    json.key("window");
    json.string(row->window);
    json.key("horizon");
    json.string(render_duration(row->horizon));
    write_time(json, "start", row->start);
    write_time(json, "end", row->end);
    write_time(json, "final_at", final_at(*row));
    json.key("needs_ms");
    if (w == minus_infinity) {
      json.null();
    } else {
      json.integer(needs.ms);
    }
    json.key("why");
    json.string(why(*snapshot.status, needs));
    json.end_object();
  }
  json.end_array();
}

// What is this process's alone, in bytes; 0 where the system does not say.
std::uint64_t memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

std::optional<std::int64_t> lag_records(const LivePartition& partition) {
  if (!partition.end_offset) return std::nullopt;
  return std::max<std::int64_t>(0, *partition.end_offset - partition.next_offset);
}

bool is_read_to_its_end(const LivePartition& partition) {
  return partition.is_caught_up && partition.in_open_transaction == 0;
}

bool is_ready(const LiveSnapshot& snapshot) {
  return snapshot.status && snapshot.status->unreachable.empty() && !snapshot.status->is_held && snapshot.status->has_room &&
         !snapshot.status->letters_wait_since && !snapshot.status->restored_to && snapshot.status->publish_trouble.empty();
}

std::string status_json(const PublishedSchema& schema, const LiveSnapshot& snapshot,
                        std::optional<std::uint64_t> state_bytes) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  const RunStatus status = snapshot.status.value_or(RunStatus());
  write_members(json, status.report, [&](std::size_t p) { write_partition(json, status.partitions.at(p), status.now); });
  json.key("evaluator");
  write_outline(json, schema, snapshot);
  write_time(json, "watermark", status.watermark);
  json.key("held_back_by");
  if (status.held_back_by) {
    json.string(status.report.partitions[*status.held_back_by].name);
  } else {
    json.null();
  }
  json.key("state");
  if (state_bytes) {
    json.begin_object();
    json.key("bytes");
    json.integer(*state_bytes);
    json.key("memory_bytes");
    json.integer(memory_bytes());
    json.end_object();
  } else {
    json.null();
  }
  json.key("waiting");
  if (snapshot.status) {
    write_waiting(json, schema, snapshot);
  } else {
    json.begin_array();
    json.end_array();
  }
  json.key("ready");
  json.boolean(is_ready(snapshot));
  json.key("reasons");
  json.begin_array();
  for (const std::string& reason : snapshot.reasons) json.string(reason);
  json.end_array();
  json.end_object();
  return out;
}

}  // namespace recmeter
