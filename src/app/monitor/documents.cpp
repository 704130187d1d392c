#include "app/monitor/documents.h"

#include <algorithm>
#include <functional>
#include <map>

#include "recmeter/metric/estimate.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/read_row.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::size_t points_max = 100'000;  // of an answer; the newest are given

bool is_of(const Row& row, const RowSeries& series) {
  return row.window == series.window && row.horizon == series.horizon && row.segment == series.segment;
}

// Windows that end in the range, by their starts.
RowArchive::Query query_of(const WindowSpec& window, Duration horizon, const SegmentPairs& segment, const TimeRange& range) {
  RowArchive::Query query{.series = {window.name, horizon, segment}};
  if (range.from != minus_infinity) query.from = range.from - window.size + Duration{1};
  if (range.to != plus_infinity) query.to = range.to - window.size + Duration{1};
  return query;
}

bool is_within(const Row& row, const RowArchive::Query& query) {
  return is_of(row, query.series) && row.start >= query.from && row.start < query.to;
}

tl::unexpected<Error> damaged() {
  return failure(Errc::state_unusable, "the state is damaged: a row kept for queries cannot be read");
}

void write_final_until(JsonWriter& json, const RowPlaces& places, Duration horizon) {
  const EventTime w = places.snapshot.status ? places.snapshot.status->watermark : minus_infinity;
  json.member("final_until", w == minus_infinity ? std::nullopt : std::optional((w - horizon - places.schema.skew).ms));
}

// What a chart wants of one row: a value with its interval, and how far it can be trusted.
struct WindowPoint {
  EventTime start;
  EventTime end;
  std::optional<double> value;
  std::optional<std::pair<double, double>> ci;
  std::uint64_t lists = 0;
  Stage stage = Stage::final;
  double matured = 1;
  std::vector<std::string> incomplete;
};

// Without a value where the row has no such metric.
WindowPoint point_of(const Row& row, std::string_view metric) {
  WindowPoint point{.start = row.start,
                    .end = row.end,
                    .value = {},
                    .ci = {},
                    .lists = row.lists,
                    .stage = row.stage,
                    .matured = row.matured,
                    .incomplete = row.incomplete};
  const auto at =
      std::find_if(row.metrics.begin(), row.metrics.end(), [&](const MetricValue& one) { return one.key == metric; });
  if (at == row.metrics.end()) return point;
  point.value = at->value;
  point.ci = at->ci;
  return point;
}

// By start: what is kept, and over it what the snapshot has.
Result<std::map<std::int64_t, WindowPoint>> points_of(const RowPlaces& places, const SeriesRequest& request) {
  RowArchive::Query query = query_of(*request.window, request.horizon, request.segment, request.range);
  query.metric = request.metric;
  query.tenth = request.tenth;
  std::map<std::int64_t, WindowPoint> points;
  if (places.kept != nullptr) {
    bool is_sound = true;
    auto read = RowArchive::read(*places.kept, query, [&](EventTime start, std::string_view json) {
      const auto row = read_row(json);
      is_sound = row.has_value();
      if (is_sound) points.insert_or_assign(start.ms, point_of(*row, request.metric));
      if (points.size() > points_max) points.erase(points.begin());
      return is_sound;
    });
    if (!read) return tl::unexpected(read.error());
    if (!is_sound) return damaged();
  }
  for (const SharedRow& shown : places.snapshot.rows) {
    const Row& row = shown->row;
    if (!is_within(row, query)) continue;
    if (request.tenth == 0) {
      points.insert_or_assign(row.start.ms, point_of(row, request.metric));
    } else if (row.stage == Stage::provisional && matured_tenths(row) >= request.tenth) {
      // It has come to the tenth since the last checkpoint.
      points.try_emplace(row.start.ms, point_of(row, request.metric));
    }
  }
  return points;
}

void write_end(JsonWriter& json, const std::optional<std::pair<double, double>>& ci, bool is_high) {
  json.value(ci ? std::optional(is_high ? ci->second : ci->first) : std::nullopt);
}

void write_points(JsonWriter& json, const std::map<std::int64_t, WindowPoint>& points) {
  json.begin_object("columns");
  json.array("start", points, [&](const auto& p) { json.integer(p.second.start.ms); });
  json.array("end", points, [&](const auto& p) { json.integer(p.second.end.ms); });
  json.array("value", points, [&](const auto& p) { json.value(p.second.value); });
  json.array("low", points, [&](const auto& p) { write_end(json, p.second.ci, false); });
  json.array("high", points, [&](const auto& p) { write_end(json, p.second.ci, true); });
  json.array("lists", points, [&](const auto& p) { json.integer(p.second.lists); });
  json.array("stage", points, [&](const auto& p) { json.string(to_string(p.second.stage)); });
  json.array("matured", points, [&](const auto& p) { json.value(p.second.matured); });
  json.array("incomplete", points, [&](const auto& p) { json.value(p.second.incomplete); });
  json.end_object();
}

void write_head(JsonWriter& json, const WindowSpec& window, const std::string& metric, Duration horizon) {
  json.member("window", window.name);
  json.member("metric", metric);
  json.member("horizon", render_duration(horizon));
}

// One side of a comparison in one window.
struct Side {
  Comparable value;
  Stage stage = Stage::final;
};

Result<std::map<std::int64_t, Side>> sides_of(const RowPlaces& places, const CompareRequest& request,
                                              const SegmentPairs& segment) {
  RowArchive::Query query = query_of(*request.window, request.horizon, segment, request.range);
  query.metric = request.metric;
  std::map<std::int64_t, Side> sides;
  if (places.kept != nullptr) {
    auto read = RowArchive::read_comparable(*places.kept, query, [&](EventTime start, const Comparable& value) {
      sides.insert_or_assign(start.ms, Side{value});
      if (sides.size() > points_max) sides.erase(sides.begin());
      return true;
    });
    if (!read) return tl::unexpected(read.error());
  }
  for (const SharedRow& shown : places.snapshot.rows) {
    if (!is_within(shown->row, query)) continue;
    const auto value = comparable_of(shown->row, request.metric);
    if (value) sides.insert_or_assign(shown->row.start.ms, Side{*value, shown->row.stage});
  }
  return sides;
}

struct Difference {
  EventTime start;
  Side a;
  Side b;
  Estimate estimate;
};

}  // namespace

Result<std::string> series_document(const RowPlaces& places, const SeriesRequest& request) {
  const auto points = points_of(places, request);
  if (!points) return tl::unexpected(points.error());
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  write_head(json, *request.window, request.metric, request.horizon);
  json.member("segment", request.segment);
  write_final_until(json, places, request.horizon);
  write_points(json, *points);
  json.end_object();
  return out;
}

Result<std::string> compare_document(const RowPlaces& places, const CompareRequest& request) {
  const auto a = sides_of(places, request, request.a);
  if (!a) return tl::unexpected(a.error());
  const auto b = sides_of(places, request, request.b);
  if (!b) return tl::unexpected(b.error());
  std::vector<Difference> differences;
  for (const auto& [start, first] : *a) {
    const auto second = b->find(start);
    if (second == b->end()) continue;
    differences.push_back(
        {EventTime{start}, first, second->second,
         estimate_difference({first.value.value, first.value.left_out},
                             {second->second.value.value, second->second.value.left_out}, places.schema.confidence)});
  }
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  write_head(json, *request.window, request.metric, request.horizon);
  json.member("a", request.a);
  json.member("b", request.b);
  write_final_until(json, places, request.horizon);
  json.begin_object("columns");
  json.array("start", differences, [&](const Difference& d) { json.integer(d.start.ms); });
  json.array("end", differences, [&](const Difference& d) { json.integer((d.start + request.window->size).ms); });
  json.array("a", differences, [&](const Difference& d) { json.value(d.a.value.value); });
  json.array("b", differences, [&](const Difference& d) { json.value(d.b.value.value); });
  json.array("difference", differences, [&](const Difference& d) { json.value(d.estimate.value); });
  json.array("low", differences, [&](const Difference& d) { write_end(json, d.estimate.ci, false); });
  json.array("high", differences, [&](const Difference& d) { write_end(json, d.estimate.ci, true); });
  json.array("stage", differences,
             [&](const Difference& d) { json.string(to_string(d.a.stage == Stage::final ? d.b.stage : d.a.stage)); });
  json.end_object();
  json.end_object();
  return out;
}

Result<std::string> rows_document(const RowPlaces& places, const RowsRequest& request) {
  RowArchive::Query query = query_of(*request.window, request.horizon, request.segment, request.range);
  if (request.after) query.from = std::max(query.from, *request.after + Duration{1});
  query.metric = request.metric;
  std::map<std::int64_t, std::string> rows;
  const auto is_wanted = [&](std::string_view stage) { return request.stage.empty() || request.stage == stage; };
  if (places.kept != nullptr && is_wanted("final")) {
    auto read = RowArchive::read(*places.kept, query, [&](EventTime start, std::string_view json) {
      rows[start.ms] = json;
      return rows.size() <= request.limit;
    });
    if (!read) return tl::unexpected(read.error());
  }
  for (const SharedRow& shown : places.snapshot.rows) {
    const Row& row = shown->row;
    if (!is_within(row, query) || !is_wanted(to_string(row.stage))) continue;
    rows[row.start.ms] = shown->parts().json(request.metric);
  }
  std::string out = R"({"rows":[)";
  std::size_t written = 0;
  std::string next = "null";
  for (const auto& [start, row] : rows) {
    if (written == request.limit) break;
    if (written > 0) out.push_back(',');
    out += row;
    if (++written == request.limit && rows.size() > request.limit) next = "\"" + std::to_string(start) + "\"";
  }
  return out + R"(],"next":)" + next + "}";
}

}  // namespace recmeter
