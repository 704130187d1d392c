// WindowPoint: what a chart wants of one row: a value with its interval, and how far it can be trusted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/result/row.h"

namespace recmeter {

struct WindowPoint {
  EventTime start;
  EventTime end;
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
  std::uint64_t lists = 0;
  std::string stage;
  double matured = 1;
  std::vector<std::string> incomplete;
};

// Of the metric with this key; without a value where the row has no such metric.
[[nodiscard]] WindowPoint point_of(const Row& row, std::string_view metric);

// Reads points from rows as JSON. Thread safety: none; cheap to use again.
class PointReader {
 public:
  PointReader();
  ~PointReader();
  // Nothing if the text is no row.
  [[nodiscard]] std::optional<WindowPoint> read(std::string_view row_json, std::string_view metric);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
