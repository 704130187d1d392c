// Rows of mrr@10 as a replay writes them, of windows of an hour.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/result/row.h"

namespace recmeter::why {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// `lists` of which a share of `share` has a relevant item worth `given`; whole numbers of lists have one.
inline Row made_row(int hour, Pairs segment, std::uint64_t lists, double share, double given) {
  MetricValue metric;
  metric.key = "mrr@10";
  metric.value = share * given;
  metric.ci = {share * given - 0.001, share * given + 0.001};
  metric.has_evidence = true;
  metric.relevant_share = share;
  if (share > 0) metric.given_relevant = given;
  Row row;
  row.evaluator = "shop";
  row.config = "c";
  row.window = "hour";
  row.start = EventTime{hour * one_hour.ms};
  row.end = EventTime{(hour + 1) * one_hour.ms};
  row.horizon = Duration{30 * one_minute.ms};
  row.segment = std::move(segment);
  row.lists = lists;
  row.metrics = {metric};
  return row;
}

// An hour of two surfaces of as many lists; the whole is their mean.
inline std::vector<Row> made_hour(int hour, double home, double mail) {
  return {made_row(hour, {}, 200, (home + mail) / 2, 0.5), made_row(hour, {{"surface", "home"}}, 100, home, 0.5),
          made_row(hour, {{"surface", "mail"}}, 100, mail, 0.5)};
}

}  // namespace recmeter::why
