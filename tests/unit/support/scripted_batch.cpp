#include "scripted_batch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/batch_decoder.h"

namespace recmeter::support {

EvaluatorSpec small_spec() {
  EvaluatorSpec spec;
  spec.join.horizons = {Duration{30 * 60 * 1000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.time.max_step = Duration{0};
  spec.windows = {{.name = "hour", .size = {3600000}, .slide = {3600000}, .offset = {0}}};
  spec.metrics.cutoffs = {2};
  for (const char* name : {"precision", "recall", "map_list"}) {
    spec.metrics.requests.push_back({.name = name, .as = {}, .options = {}});
  }
  return spec;
}

ScriptedBatch& ScriptedBatch::line(std::string_view text) {
  bytes_ += text;
  bytes_ += '\n';
  return *this;
}

ScriptedBatch& ScriptedBatch::event(double at, const std::string& members, std::string_view more) {
  std::string text = "{\"ts\":" + std::to_string(hour_zero_ms + std::llround(at * 1000)) + "," + members;
  if (!more.empty()) text += "," + std::string(more);
  return line(text + "}");
}

ScriptedBatch& ScriptedBatch::list(double at, std::string_view user, std::string_view list,
                                   std::initializer_list<const char*> items, std::string_view more) {
  std::string members =
      R"("type":"impression","user_id":")" + std::string(user) + R"(","list_id":")" + std::string(list) + R"(","items":[)";
  for (const char* item : items) members += (members.back() == '[' ? "\"" : ",\"") + std::string(item) + "\"";
  return event(at, members + "]", more);
}

ScriptedBatch& ScriptedBatch::row(double at, std::string_view user, std::string_view list, std::string_view item,
                                  int position) {
  return event(at,
               R"("type":"impression","user_id":")" + std::string(user) + R"(","list_id":")" + std::string(list) +
                   R"(","item_id":")" + std::string(item) + R"(","position":)" + std::to_string(position),
               "");
}

ScriptedBatch& ScriptedBatch::feedback(double at, std::string_view action, std::string_view user, std::string_view item,
                                       std::string_view list, std::string_view more) {
  std::string members = R"("type":")" + std::string(action) + R"(","user_id":")" + std::string(user) + R"(","item_id":")" +
                        std::string(item) + "\"";
  if (!list.empty()) members += R"(,"list_id":")" + std::string(list) + "\"";
  return event(at, members, more);
}

ScriptedBatch& ScriptedBatch::tick(double at) {
  return event(at, R"("type":"tick")", "");
}

BatchResult ScriptedBatch::run(std::int64_t lateness_ms) const {
  const std::vector<BatchInput> inputs{{"script", bytes_, native_fields(), Duration{lateness_ms}}};
  return evaluate_in_batch(spec_, inputs);
}

Row whole_row(const BatchResult& result, std::int64_t minutes) {
  const Row* found = nullptr;
  for (const Row& row : result.rows) {
    if (row.segment.empty() && row.horizon.ms == minutes * 60000 && (found == nullptr || row.start < found->start)) {
      found = &row;
    }
  }
  EXPECT_NE(found, nullptr) << "no row of the whole at " << minutes << " minutes";
  return found == nullptr ? Row{} : *found;
}

double value_of(const Row& row, std::string_view key) {
  for (const MetricValue& metric : row.metrics) {
    if (metric.key == key && metric.value) return *metric.value;
  }
  ADD_FAILURE() << "no value of " << key;
  return -1;
}

}  // namespace recmeter::support
