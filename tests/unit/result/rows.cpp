#include "unit/result/rows.h"

#include <utility>

namespace recmeter::test {

Row documented_row() {
  Row row;
  row.evaluator = "default";
  row.config = "9f2c51d07be3a810";
  row.window = "minute";
  row.start = {1700000040000};
  row.end = {1700000100000};
  row.horizon = {30 * 60 * 1000};
  row.segment = {{"variant", "A"}};
  row.lists = 1234;
  row.feedback = {{"click", 310, 12}, {"purchase", 9, 0}};
  MetricValue precision = with_interval("precision@10", 0.0251, 0.0239, 0.0263);
  precision.se = 0.0006;
  precision.has_evidence = true;
  precision.given_relevant = 0.11;
  precision.relevant_share = 0.228;
  row.metrics = {precision, without_interval("distinct_items@10", 5120)};
  return row;
}

Row bare_row() {
  Row row;
  row.evaluator = "default";
  row.config = "0123456789abcdef";
  row.window = "minute";
  row.start = {1767225600000};
  row.end = {1767225660000};
  row.horizon = {30 * 60 * 1000};
  row.lists = 10;
  return row;
}

MetricValue with_interval(std::string key, double value, double low, double high) {
  MetricValue metric;
  metric.key = std::move(key);
  metric.value = value;
  metric.ci = {low, high};
  return metric;
}

MetricValue without_interval(std::string key, std::optional<double> value) {
  MetricValue metric;
  metric.key = std::move(key);
  metric.value = value;
  return metric;
}

}  // namespace recmeter::test
