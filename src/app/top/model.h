// Model: what a running evaluator told about itself, as far as a terminal shows it. web/API.md has the answers it is read
// from.
//
// Values; texts are as the network brought them, so whoever shows them makes them printable first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/console/segment_text.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter::top {

// One window's value of one metric.
struct Point {
  EventTime start;
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
  bool is_final = true;
  double matured = 1;
};

// Of one segment; windows without lists are not there.
struct Course {
  SegmentPairs segment;       // empty: the whole
  std::vector<Point> points;  // oldest first
};

struct Panel {
  std::string metric;
  std::vector<Course> courses;
  std::string why = {};  // the sentence of what changed last; "": not known, or it may be chance
};

struct Window {
  std::string name;
  Duration slide;  // between the starts of two of them; above 0, at most 10000 days
};

struct Partition {
  std::string name;
  std::optional<std::uint64_t> lag_records;
  std::optional<double> lag_seconds;
  bool is_idle = false;
};

struct Waiting {
  std::string window;
  EventTime start;
  std::string why;
};

struct Status {
  std::string evaluator;
  std::string version;
  std::vector<Window> windows;
  std::vector<std::string> horizons;
  std::vector<std::string> metrics;
  std::vector<SegmentPairs> segments;  // the whole first
  std::vector<std::string> explained;  // windows of which it says why they changed
  std::optional<EventTime> watermark;
  std::string held_back_by;  // "": nobody
  std::vector<Partition> partitions;
  std::vector<std::pair<std::string, std::uint64_t>> events;  // by fate, `read` first
  std::vector<Waiting> waiting;                               // oldest first
  bool is_ready = false;
  std::vector<std::string> reasons;
};

struct Model {
  std::string url;
  EventTime now;      // when it was read, by the clock of the reader
  std::string fault;  // why the newest question has no answer; "": it has, and the rest is as of `now`
  Status status;
  Window window;
  std::string horizon;
  std::vector<Panel> panels;
  std::size_t segments_left_out = 0;
};

// The sentence of /api/v1/why; "": it may be chance, or this is no such answer.
[[nodiscard]] std::string why_in(std::string_view json);

// Of /api/v1/status and /api/v1/series. Errors: input_unreadable: it is no such answer.
[[nodiscard]] Result<Status> status_of(std::string_view json);
[[nodiscard]] Result<std::vector<Point>> points_of(std::string_view json);

// What a problem says of itself: its `detail`, or its `title`; "" if it is none.
[[nodiscard]] std::string problem_detail(std::string_view json);

}  // namespace recmeter::top
