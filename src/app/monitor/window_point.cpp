#include "app/monitor/window_point.h"

#include <simdjson.h>

#include <algorithm>

namespace recmeter {

namespace {

using simdjson::dom::element;

std::optional<double> number_in(const simdjson::simdjson_result<element>& value) {
  double number = 0;
  return value.get_double().get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

}  // namespace

WindowPoint point_of(const Row& row, std::string_view metric) {
  WindowPoint point{.start = row.start,
                    .end = row.end,
                    .value = {},
                    .low = {},
                    .high = {},
                    .lists = row.lists,
                    .stage = std::string(to_string(row.stage)),
                    .matured = row.matured,
                    .incomplete = row.incomplete};
  const auto at =
      std::find_if(row.metrics.begin(), row.metrics.end(), [&](const MetricValue& one) { return one.key == metric; });
  if (at == row.metrics.end()) return point;
  point.value = at->value;
  if (at->ci) {
    point.low = at->ci->first;
    point.high = at->ci->second;
  }
  return point;
}

struct PointReader::Impl {
  simdjson::dom::parser parser;
};

PointReader::PointReader() : impl_(std::make_unique<Impl>()) {}
PointReader::~PointReader() = default;

std::optional<WindowPoint> PointReader::read(std::string_view row_json, std::string_view metric) {
  element row;
  if (impl_->parser.parse(row_json.data(), row_json.size()).get(row) != simdjson::SUCCESS) return std::nullopt;
  WindowPoint point;
  std::string_view stage;
  if (row["start"].get_int64().get(point.start.ms) != simdjson::SUCCESS ||
      row["end"].get_int64().get(point.end.ms) != simdjson::SUCCESS ||
      row["lists"].get_uint64().get(point.lists) != simdjson::SUCCESS ||
      row["stage"].get_string().get(stage) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  point.stage = stage;
  point.matured = number_in(row["matured"]).value_or(1);
  simdjson::dom::array reasons;
  if (row["incomplete"].get_array().get(reasons) == simdjson::SUCCESS) {
    for (const element reason : reasons) point.incomplete.emplace_back(reason.get_string().value_unsafe());
  }
  const auto of = row["metrics"][metric];
  point.value = number_in(of["value"]);
  point.low = number_in(of["ci"].at(0));
  point.high = number_in(of["ci"].at(1));
  return point;
}

}  // namespace recmeter
