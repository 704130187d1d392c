#include "app/prequential/learning_curve_lines.h"

#include "config/scalar.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

namespace {

constexpr const char* schema = "recmeter.learning_curve/1";

void write_place(JsonWriter& json, const CurvePlace& of, std::string_view by, const std::string& bucket,
                 std::span<const RecommenderSpec> recommenders) {
  json.member("schema", schema);
  json.member("recommender", recommenders[of.recommender].name);
  json.member("horizon", config::text_of(of.horizon));
  json.member("k", of.k);
  json.member("by", by);
  json.member("bucket", bucket);
}

}  // namespace

std::string learning_curve_lines(const LearningCurves& curves, std::span<const RecommenderSpec> recommenders) {
  std::string out;
  for (const LearningPoint& point : curves.curves()) {
    JsonWriter json(out, 0);
    json.begin_object();
    write_place(json, point.of, point.by, point.bucket, recommenders);
    json.member("targets", point.targets);
    json.member("hits", point.hits);
    json.member("recall", point.recall);
    json.member("mrr", point.mrr);
    json.member("pairs", point.pairs);
    json.member("mae", point.mae);
    json.end_object();
    out.push_back('\n');
  }
  for (const CalibrationPoint& point : curves.calibration()) {
    JsonWriter json(out, 0);
    json.begin_object();
    write_place(json, point.of, "confidence", point.bucket, recommenders);
    json.member("items", point.items);
    json.member("mean_confidence", point.mean_confidence);
    json.member("relevant_share", point.relevant_share);
    json.member("pairs", point.pairs);
    json.member("mae", point.mae);
    json.member("brier", point.brier);
    json.member("calibration_error", point.calibration_error);
    json.end_object();
    out.push_back('\n');
  }
  return out;
}

}  // namespace recmeter
