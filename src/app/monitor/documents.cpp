#include "app/monitor/documents.h"

#include <algorithm>
#include <functional>
#include <map>

#include "app/monitor/experiment_documents.h"
#include "recmeter/base/lane_names.h"
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
  json.member("final_until",
              w == minus_infinity ? std::nullopt : std::optional((w - horizon - places.schema.final_after).ms));
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
  std::uint64_t lists = 0;
};

Result<std::map<std::int64_t, Side>> sides_of(const RowPlaces& places, const CompareRequest& request,
                                              const SegmentPairs& segment) {
  RowArchive::Query query = query_of(*request.window, request.horizon, segment, request.range);
  query.metric = request.metric;
  std::map<std::int64_t, Side> sides;
  if (places.kept != nullptr) {
    auto read = RowArchive::read_comparable(*places.kept, query, [&](EventTime start, const Comparable& value) {
      sides.insert_or_assign(start.ms, Side{.value = value});
      if (sides.size() > points_max) sides.erase(sides.begin());
      return true;
    });
    if (!read) return tl::unexpected(read.error());
  }
  for (const SharedRow& shown : places.snapshot.rows) {
    if (!is_within(shown->row, query)) continue;
    const auto value = comparable_of(shown->row, request.metric);
    if (value) sides.insert_or_assign(shown->row.start.ms, Side{.value = *value, .stage = shown->row.stage});
  }
  const auto points = points_of(places, {request.window, request.metric, request.horizon, segment, request.range, 0});
  if (!points) return tl::unexpected(points.error());
  for (const auto& [start, point] : *points) {
    if (const auto side = sides.find(start); side != sides.end()) side->second.lists = point.lists;
  }
  return sides;
}

Valued valued(const Comparable& of) {
  return {of.value, of.left_out};
}

// Two sides with what lies between them.
struct Between {
  Between(const Comparable& a, const Comparable& b, double confidence)
      : difference(estimate_difference(valued(a), valued(b), confidence)),
        relative(estimate_relative(valued(a), valued(b), confidence)) {}
  Estimate difference;
  Estimate relative;
};

struct ComparedWindow {
  EventTime start;
  Side a;
  Side b;
  Between between;

  [[nodiscard]] Stage stage() const { return a.stage == Stage::final ? b.stage : a.stage; }
};

// The mean of windows, weighted by their lists.
class WeightedSide {
 public:
  void add(const Side& side) {
    const auto lists = static_cast<double>(side.lists);
    lists_ += side.lists;
    const Comparable& of = side.value;
    sum_ += lists * of.value.value_or(0);
    for (std::size_t g = 0; g < user_groups; ++g) {
      // A group without lists here leaves the window's value as it is.
      const auto without = of.left_out.holds(g) ? of.left_out.theta[g] : of.value;
      without_[g] += lists * without.value_or(0);
      is_undefined_[g] = is_undefined_[g] || !without;
    }
    groups_ |= of.left_out.groups;
    evidence_groups_ = std::max(evidence_groups_, of.left_out.evidence_groups);
  }

  [[nodiscard]] std::uint64_t lists() const { return lists_; }
  [[nodiscard]] Comparable mean() const {
    if (lists_ == 0) return {};
    const auto lists = static_cast<double>(lists_);
    Comparable out{.value = sum_ / lists, .left_out = {}};
    for (std::size_t g = 0; g < user_groups; ++g) {
      if ((groups_ >> g & 1) == 0) continue;
      out.left_out.add(g, is_undefined_[g] ? std::nullopt : std::optional(without_[g] / lists));
    }
    out.left_out.evidence_groups = evidence_groups_;
    return out;
  }

 private:
  double sum_ = 0;
  std::array<double, user_groups> without_{};
  std::array<bool, user_groups> is_undefined_{};
  std::uint64_t groups_ = 0;
  std::size_t evidence_groups_ = 0;  // of the window that has the most: no fewer have them in all together
  std::uint64_t lists_ = 0;
};

// [S6.21].
void write_cumulated(JsonWriter& json, const std::vector<ComparedWindow>& windows, Duration size, double confidence) {
  WeightedSide a;
  WeightedSide b;
  std::int64_t counted = 0;
  EventTime from = plus_infinity;
  EventTime to = minus_infinity;
  for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
    const bool is_whole = window->stage() == Stage::final && window->a.value.value && window->b.value.value;
    if (!is_whole || (counted > 0 && window->start + size > from)) continue;
    if (counted++ == 0) to = window->start + size;
    from = window->start;
    a.add(window->a);
    b.add(window->b);
  }
  json.key("cumulated");
  if (counted == 0) return json.null();
  const Comparable left = a.mean();
  const Comparable right = b.mean();
  const Between between(left, right, confidence);
  json.begin_object();
  json.member("windows", counted);
  json.member("start", from.ms);
  json.member("end", to.ms);
  json.member("a", left.value);
  json.member("b", right.value);
  json.member("a_lists", a.lists());
  json.member("b_lists", b.lists());
  json.member("difference", between.difference.value);
  json.member("ci", between.difference.ci);
  json.member("relative", between.relative.value);
  json.member("relative_ci", between.relative.ci);
  json.end_object();
}

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
  const auto lane_of = [](const SegmentPairs& segment) {
    return segment.empty() ? std::string_view() : segment.front().second;
  };
  const auto is_estimate = [](const SegmentPairs& segment) {
    return !segment.empty() && segment.front().first == policy_key;
  };
  if (is_estimate(request.a) != is_estimate(request.b)) {
    return failure(
        Errc::config_invalid,
        "one of a and b is a target_policy, whose metrics are estimates, and the other is not; compare two of the same kind");
  }
  const bool is_logged_a = lane_of(request.a) == logged_lane;
  if (places.schema.is_logged_apart && is_logged_a != (lane_of(request.b) == logged_lane)) {
    const std::string_view other = lane_of(is_logged_a ? request.b : request.a);
    return failure(Errc::config_invalid, "logged and " + std::string(other) +
                                             " are judged by different rules; set lanes.logged: shadow to compare them");
  }
  const auto a = sides_of(places, request, request.a);
  if (!a) return tl::unexpected(a.error());
  const auto b = sides_of(places, request, request.b);
  if (!b) return tl::unexpected(b.error());
  const double confidence = places.schema.confidence;
  std::vector<ComparedWindow> windows;
  for (const auto& [start, first] : *a) {
    const auto second = b->find(start);
    if (second == b->end()) continue;
    windows.push_back({EventTime{start}, first, second->second, Between(first.value, second->second.value, confidence)});
  }
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  write_head(json, *request.window, request.metric, request.horizon);
  json.member("a", request.a);
  json.member("b", request.b);
  json.member("valid", "one_look");
  if (const std::string experiment = experiment_of(places.snapshot, request.a, request.b); !experiment.empty()) {
    json.member("experiment", experiment);
  }
  write_final_until(json, places, request.horizon);
  write_cumulated(json, windows, request.window->size, confidence);
  json.begin_object("columns");
  json.array("start", windows, [&](const ComparedWindow& w) { json.integer(w.start.ms); });
  json.array("end", windows, [&](const ComparedWindow& w) { json.integer((w.start + request.window->size).ms); });
  json.array("a", windows, [&](const ComparedWindow& w) { json.value(w.a.value.value); });
  json.array("b", windows, [&](const ComparedWindow& w) { json.value(w.b.value.value); });
  const auto write_estimates = [&](std::string_view name, std::string_view low, std::string_view high,
                                   const Estimate Between::* which) {
    json.array(name, windows, [&](const ComparedWindow& w) { json.value((w.between.*which).value); });
    json.array(low, windows, [&](const ComparedWindow& w) { write_end(json, (w.between.*which).ci, false); });
    json.array(high, windows, [&](const ComparedWindow& w) { write_end(json, (w.between.*which).ci, true); });
  };
  write_estimates("difference", "low", "high", &Between::difference);
  write_estimates("relative", "relative_low", "relative_high", &Between::relative);
  json.array("stage", windows, [&](const ComparedWindow& w) { json.string(to_string(w.stage())); });
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
