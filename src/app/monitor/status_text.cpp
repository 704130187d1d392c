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

// The segments of a combination that have a row in some window, of windows and horizons each once: the first of them, and how
// many are left out.
void write_values(JsonWriter& json, const PublishedSchema::Combination& combination, const LiveSnapshot& snapshot) {
  std::set<std::vector<std::pair<std::string, std::string>>> written;
  json.begin_array("values");
  for (const RowSeries& series : *snapshot.series) {
    if (series.segment.size() != combination.keys.size()) continue;
    bool is_of = true;
    for (std::size_t k = 0; k < combination.keys.size(); ++k) is_of = is_of && series.segment[k].first == combination.keys[k];
    if (is_of && written.insert(series.segment).second && written.size() <= values_max) json.value(series.segment);
  }
  json.end_array();
  json.member("values_left_out", std::max(written.size(), values_max) - values_max);
}

void write_outline(JsonWriter& json, const PublishedSchema& schema, const LiveSnapshot& snapshot) {
  json.begin_object("evaluator");
  json.member("name", schema.name);
  json.member("config", schema.config);
  json.member("version", schema.version);
  json.begin_array("windows");
  for (const WindowSpec& window : schema.windows) {
    json.begin_object();
    json.member("name", window.name);
    json.member("size_ms", window.size.ms);
    json.member("slide_ms", window.slide.ms);
    json.end_object();
  }
  json.end_array();
  json.array("horizons", schema.horizons, [&](Duration horizon) { json.string(render_duration(horizon)); });
  json.array("metrics", schema.metrics, [&](const PlannedMetric& metric) { json.string(metric.key); });
  if (!schema.combinations.front().keys.empty()) json.member("lanes", true);
  if (schema.attribution) json.member("explained", schema.attribution->windows);
  json.begin_array("segments");
  for (const PublishedSchema::Combination& combination : schema.combinations) {
    if (combination.keys.empty()) continue;
    json.begin_object();
    json.member("keys", combination.keys);
    write_values(json, combination, snapshot);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_partition(JsonWriter& json, const LivePartition& partition, EventTime now) {
  json.member("lag_records", lag_records(partition));
  json.member("open_transaction_records", partition.in_open_transaction);
  json.member("lost_records", partition.records_lost);
  json.member("lag_seconds", lag_seconds(partition, now));
  json.member("idle", partition.is_idle);
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
  const auto final_at = [&](const Row& row) { return row.end + row.horizon + schema.final_after; };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) { return final_at(*a) < final_at(*b); });
  if (rows.size() > waiting_max) rows.resize(waiting_max);
  json.begin_array();
  for (const Row* row : rows) {
    const EventTime w = snapshot.status->watermark;
    const Duration needs = w == minus_infinity ? Duration{0} : final_at(*row) - w;
    json.begin_object();
    json.member("window", row->window);
    json.member("horizon", render_duration(row->horizon));
    json.member("start", row->start);
    json.member("end", row->end);
    json.member("final_at", final_at(*row));
    json.member("needs_ms", w == minus_infinity ? std::nullopt : std::optional(needs.ms));
    json.member("why", why(*snapshot.status, needs));
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

std::optional<double> lag_seconds(const LivePartition& partition, EventTime now) {
  if (partition.is_caught_up && partition.in_open_transaction == 0) return 0;
  if (!partition.max_time) return std::nullopt;
  return static_cast<double>(std::max<std::int64_t>(0, (now - *partition.max_time).ms)) / 1000;
}

// Without a broker nobody knows who holds what, and without the right nobody may: neither is a matter of other members.
std::vector<Obstacle> obstacles(const LiveSnapshot& snapshot) {
  std::vector<Obstacle> found;
  if (!snapshot.status) {
    found.push_back(Obstacle::starting);
    if (!snapshot.has_room) found.push_back(Obstacle::disk);
    return found;
  }
  const RunStatus& status = *snapshot.status;
  const bool has_no_broker = status.brokers_reachable == std::size_t{0};
  if (!status.unreachable.empty()) found.push_back(has_no_broker ? Obstacle::brokers : Obstacle::registry);
  if (!status.refused.empty()) found.push_back(Obstacle::rights);
  if (status.is_held && !has_no_broker && status.refused.empty()) found.push_back(Obstacle::group);
  if (status.restored_to) found.push_back(Obstacle::restoring);
  if (!status.has_room) found.push_back(Obstacle::disk);
  if (status.letters_wait_since) found.push_back(Obstacle::dead_letters);
  if (!status.publish_trouble.empty()) found.push_back(Obstacle::publishing);
  return found;
}

bool is_ready(const LiveSnapshot& snapshot) {
  return obstacles(snapshot).empty();
}

std::string status_json(const PublishedSchema& schema, const LiveSnapshot& snapshot,
                        std::optional<std::uint64_t> state_bytes) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  const RunStatus status = snapshot.status.value_or(RunStatus());
  write_members(json, status.report, [&](std::size_t p) { write_partition(json, status.partitions.at(p), status.now); });
  write_outline(json, schema, snapshot);
  json.member("watermark", status.watermark);
  const auto held_back_by = status.held_back_by;
  json.member("held_back_by", held_back_by ? std::optional(status.report.partitions[*held_back_by].name) : std::nullopt);
  json.key("state");
  if (state_bytes) {
    json.begin_object();
    json.member("bytes", *state_bytes);
    json.member("memory_bytes", memory_bytes());
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
  json.member("rows_waiting", status.rows_waiting);
  json.member("looks_waiting", status.looks_waiting);
  json.member("ready", is_ready(snapshot));
  json.member("reasons", snapshot.reasons);
  json.end_object();
  return out;
}

}  // namespace recmeter
